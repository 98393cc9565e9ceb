"""Trials: a challenge taken from its folders, or drawn from recordings of words."""

from collections.abc import Iterator
from pathlib import Path

from earmark.task.task import Made
from earmark.tasks.keywords.make.challenge import take_challenge, take_labels
from earmark.tasks.keywords.make.draw import draw_challenge
from earmark.tasks.keywords.make.options import TrialOptions
from earmark.values.errors import InputError


def make_trials(
    source: Path | None, options: TrialOptions = TrialOptions(), *, seed: int
) -> Iterator[Made]:
    """Make a keyword challenge from recordings of words, or take one in the challenge's layout.

    Labels alone make a study without sound, for systems whose predictions are files.

    `source` is a folder of recordings too, when the options name none.
    """
    recordings, challenge, labels = options.recordings or source, options.challenge, options.labels
    if recordings is not None and challenge is None and labels is None:
        return draw_challenge(recordings, options, seed=seed)
    if challenge is not None and recordings is None:
        return take_challenge(challenge, labels, enrolments=options.enrolments)
    if labels is not None and recordings is None:
        return take_labels(labels)
    raise InputError(
        "a keyword study is made from recordings, from a challenge, or from labels alone",
        got="none of them" if recordings is None else "recordings and another",
        want="--recordings DIR; --challenge DIR, with --labels DIR or without; or --labels DIR",
    )
