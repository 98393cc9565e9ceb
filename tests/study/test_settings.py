"""The organiser's tables of study.toml: nobody else's, and never lost."""

import os
import re
from pathlib import Path

import pytest

from earmark.study import Study
from earmark.study.settings import organisers_tables, recover_settings
from earmark.study.verify import verify
from earmark.study.writing import put_right
from earmark.values.errors import InputError

pytestmark = pytest.mark.usefixtures("sixth")
TABLES = "\n[phases.feedback]\ntries_a_day = 3 # three\n\n[budget]\nprocesses = 9\n"


@pytest.fixture
def coins(tmp_path: Path) -> Path:
    folder = tmp_path / "coins"
    Study.create(folder, task="coins").make(tosses=3)
    toml = folder / "study.toml"
    toml.write_text(toml.read_text() + TABLES)
    return folder


def expected() -> dict[str, object]:
    return {"phases": {"feedback": {"tries_a_day": 3}}, "budget": {"processes": 9}}


def test_tables_of_the_organiser_are_no_damage(coins: Path) -> None:
    assert verify(coins)["problems"] == []


def test_make_carries_the_organisers_tables_over(coins: Path) -> None:
    Study.open(coins).make(tosses=5)
    assert organisers_tables(coins) == expected()
    assert Study.open(coins).settings()["make"]["tosses"] == 5


def test_a_make_that_is_killed_with_the_settings_aside_keeps_the_tables(coins: Path) -> None:
    # as `make` leaves it between the new material and its study.toml
    os.rename(coins / "study.toml", coins / ".partial-999999999-study.toml")
    put_right(coins)
    assert organisers_tables(coins) == expected()
    assert not list(coins.glob(".partial-*"))
    recover_settings(coins)
    assert verify(coins)["problems"] == []


def test_a_table_must_be_a_table(coins: Path) -> None:
    toml = coins / "study.toml"
    text = toml.read_text().partition("[make]")[0]
    toml.write_text(text + "phases = 3\n")
    with pytest.raises(InputError, match="'phases' of a study must be a table") as error:
        Study.open(coins)
    assert "write [phases] on a line of its own" in str(error.value)


def test_a_header_that_no_settings_can_be_written_from_is_refused(coins: Path) -> None:
    """JSON has null where TOML has nothing."""
    items = coins / "1-material" / "items.jsonl"
    head, *rows = items.read_text(encoding="utf-8").splitlines(keepends=True)
    assert '"seed": ' in head
    (coins / "study.toml").unlink()
    items.write_text(re.sub(r'"earmark": "[^"]*"', '"earmark": null', head) + "".join(rows))
    with pytest.raises(InputError, match="must say how it was made"):
        recover_settings(coins)
