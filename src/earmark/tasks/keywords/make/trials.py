"""Trials: a challenge taken from its folders, or drawn from recordings of words."""

from collections.abc import Iterator
from pathlib import Path

from earmark.task.task import Made
from earmark.tasks.keywords.make.challenge import take_challenge
from earmark.tasks.keywords.make.draw import draw_challenge
from earmark.tasks.keywords.make.options import TrialOptions
from earmark.values.errors import InputError


def make_trials(
    source: Path | None, options: TrialOptions = TrialOptions(), *, seed: int
) -> Iterator[Made]:
    """Make a keyword challenge from recordings of words, or take one in the challenge's layout.

    `source` is a folder of recordings too, when the options name none.
    """
    recordings, challenge = options.recordings or source, options.challenge
    if recordings is not None and challenge is None:
        return draw_challenge(recordings, options, seed=seed)
    if challenge is not None and recordings is None:
        return take_challenge(challenge, options.labels, enrolments=options.enrolments)
    raise InputError(
        "a keyword study is made from recordings or from a challenge",
        got="neither" if recordings is None else "both",
        want="--recordings DIR, or --challenge DIR with --labels DIR",
    )
