"""`score --choices`: a study's board under every setting of its task."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from earmark.study import Study
from earmark.study.verify import verify
from earmark.values.errors import InputError

Call = Callable[..., tuple[int, str, str]]
pytestmark = pytest.mark.usefixtures("sixth")


def coins(folder: Path) -> Study:
    """Return 24 coins; `always` says heads each time, `careful` for half of the heads alone."""
    study = Study.create(folder / "coins", task="coins", seed=7)
    study.make(tosses=24)
    truth = study.truth()
    assert truth is not None
    heads = [item for item, side in truth.values.items() if side.heads]
    careful = set(heads[: len(heads) // 2])
    rows = [f"{item},{'heads' if item in careful else 'tails'}" for item in truth.values]
    path = folder / "careful.csv"
    path.write_text("\n".join(["item,side", *rows]) + "\n")
    study.run("always")
    study.run(path)
    return study


def test_the_order_of_recall_and_precision_depends_on_beta(tmp_path: Path) -> None:
    """Precision 1 and recall about .5 win below beta 1, the other way round above it."""
    study = coins(tmp_path)
    result = study.score(resamples=100, people=0, choices=True)
    rows = result["choices"]["heads_f1"]
    assert [one["options"]["beta"] for one in rows["settings"]] == [0.5, 1.0, 2.0]
    assert [one["as_scored"] for one in rows["settings"]] == [False, True, False]
    board = {row["system"]: row["value"] for row in result["board"]["heads_f1"]}
    assert rows["settings"][1]["values"] == board
    low, _, high = (one["values"] for one in rows["settings"])
    assert low["careful"] > low["always"] and high["careful"] < high["always"]
    assert rows["pairs"][0]["depends_on"] == ["beta"]
    stored = json.loads((study.folder / "5-scores" / "choices-truth.json").read_text())
    assert stored["metrics"] == result["choices"]


def test_a_value_that_was_given_is_the_boards_and_one_of_the_settings(tmp_path: Path) -> None:
    result = coins(tmp_path).score(resamples=0, people=0, choices=True, beta=4.0)
    settings = result["choices"]["heads_f1"]["settings"]
    assert [one["options"]["beta"] for one in settings if one["as_scored"]] == [4.0]
    assert len(settings) == 4


def test_scoring_again_without_choices_leaves_no_stale_ones(tmp_path: Path) -> None:
    study = coins(tmp_path)
    study.score(resamples=0, people=0, choices=True)
    assert set(study.snapshot().choices()) == {"truth"}
    study.score(resamples=0, people=0)
    assert study.snapshot().choices() == {}


def test_a_task_without_choices_says_so(tmp_path: Path) -> None:
    study = coins(tmp_path)
    object.__setattr__(study.task, "choices", {})
    with pytest.raises(InputError, match="there are no choices to vary"):
        study.score(resamples=0, people=0, choices=True)


def test_the_command_prints_a_matrix_and_what_it_says(tmp_path: Path, earmark: Call) -> None:
    study = coins(tmp_path)
    code, out, _ = earmark("score", study.folder, "--choices", "--people", 0)
    assert code == 0
    assert "# heads_f1 under 3 settings: beta 0.5 1.0 2.0" in out
    assert "the order depends on the beta" in out
    assert any(line.split()[:1] == ["before"] for line in out.splitlines())


def test_the_page_draws_the_settings(tmp_path: Path) -> None:
    study = coins(tmp_path)
    study.score(resamples=50, people=0, choices=True)
    page = study.report().read_text()
    assert "Under every setting: heads_f1 against truth" in page
    assert "the order depends on the beta" in page


def test_verify_counts_the_settings_again(tmp_path: Path) -> None:
    study = coins(tmp_path)
    study.score(resamples=50, people=0, choices=True)
    assert verify(study.folder)["problems"] == []
    path = study.folder / "5-scores" / "choices-truth.json"
    path.write_text(path.read_text().replace('"before": 2', '"before": 3'))
    files = {problem["file"] for problem in verify(study.folder)["problems"]}
    assert files == {"5-scores/choices-truth.json"}


def test_a_damaged_file_of_choices_is_named(tmp_path: Path) -> None:
    study = coins(tmp_path)
    study.score(resamples=0, people=0, choices=True)
    (study.folder / "5-scores" / "choices-truth.json").write_text('{"metrics": {"m": {}}}')
    with pytest.raises(InputError, match="a file of choices must have settings and pairs"):
        study.snapshot().choices()
