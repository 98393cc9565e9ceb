"""Training `auto`: what it can learn nothing from is refused before anything is computed."""

from pathlib import Path

import pytest

from earmark.task.task import Training
from earmark.tasks.keywords.train import train_auto
from earmark.tasks.keywords.values import Trial
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.reference import Reference


@pytest.mark.parametrize("wakes", [True, False])
def test_trials_of_one_kind_alone_are_refused_and_no_model_is_written(
    wakes: bool, tmp_path: Path
) -> None:
    items = tuple(Item(f"ana/{n}", "trial", f"{n}.wav", parent="ana") for n in range(3))
    truth = Reference("truth", {item.id: Trial("ana", wakes) for item in items})
    with pytest.raises(InputError) as error:
        train_auto(Training.of(items, truth), out=tmp_path / "model", seed=0)
    assert str(error.value) == (
        "auto learns from trials that must wake and from trials that must not\n"
        "  at:   reference truth\n"
        f"  got:  {3 * wakes} of 3 labelled trials must wake\n"
        "  fix:  make the study with other words too: --own-words N, --impostors N"
    )
    assert not (tmp_path / "model").exists()
