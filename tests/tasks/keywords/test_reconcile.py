"""Screening: which recordings listeners keep."""

from pathlib import Path

import pytest

from earmark.tasks.keywords.ask.recording import read_answers
from earmark.tasks.keywords.reconcile import ScreeningOptions, by_listeners
from earmark.tasks.keywords.values import Screening
from earmark.values.answer import Ballots
from earmark.values.errors import InputError

UNIT = "prompt-0001-take-01"


@pytest.fixture
def screened(units, tone, tmp_path: Path):
    """Two people's recordings of one text with some listeners' votes, as ballots."""

    def ballots(*votes: str):
        for name in ("a.wav", "b.wav"):
            tone(name)
        (tmp_path / "r.csv").write_text(
            f"item,person,file,language\n{UNIT},ana,a.wav,English\n{UNIT},bo,b.wav,English\n"
        )
        (tmp_path / "s.csv").write_text("\n".join(["item,person,listener,verdict", *votes, ""]))
        recordings = read_answers(tmp_path / "r.csv", units)
        return Ballots(units, (*recordings, *read_answers(tmp_path / "s.csv", units)))

    return ballots


def people(ballots, **options) -> tuple[str, ...]:
    reference = by_listeners(ballots, ScreeningOptions(**options), seed=0)
    return reference.values["prompt-0001"].people


def test_listeners_keep_and_drop_recordings(screened) -> None:
    ballots = screened(
        f"{UNIT},ana,l1,keep", f"{UNIT},bo,l1,drop", f"{UNIT},ana,l2,keep", f"{UNIT},bo,l2,keep"
    )
    assert sum(isinstance(answer.value, Screening) for answer in ballots.answers) == 2
    assert people(ballots) == ("ana",)
    assert people(ballots, share=0.4) == ("ana", "bo")
    assert by_listeners(ballots, seed=0).doubt["prompt-0001"] == 0.5


def test_a_recording_that_nobody_screened_stays_only_when_asked(screened) -> None:
    ballots = screened(f"{UNIT},ana,l1,keep")
    assert people(ballots, unheard=False) == ("ana",)
    assert people(ballots, unheard=True) == ("ana", "bo")


def test_a_listener_cannot_screen_what_was_not_recorded(screened) -> None:
    ballots = screened("prompt-0002-take-01,ana,l1,keep")
    with pytest.raises(InputError, match="can only screen a take that was recorded"):
        by_listeners(ballots, seed=0)


def test_a_share_of_one_is_refused() -> None:
    with pytest.raises(InputError, match="a share must be >= 0 and < 1"):
        ScreeningOptions(share=1.0)
