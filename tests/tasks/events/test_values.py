"""What events, timelines, tags and recordings refuse."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from earmark.tasks.events.values import (
    Event,
    FrameScores,
    Tags,
    Timeline,
    labels_of,
    recording_seconds,
    timeline,
)
from earmark.values.errors import InputError
from earmark.values.item import Item


@pytest.mark.parametrize(
    ("build", "problem"),
    [
        (lambda: Event("", 0, 1), "an event needs a label"),
        (lambda: Event("a", 2, 1), "must end after it starts"),
        (lambda: Timeline(1, (Event("a", 0, 2),)), "within its recording"),
        (lambda: timeline([Event("a", 0, 2), Event("a", 1, 3)]), "must not overlap"),
        (lambda: FrameScores(("a",), (0.0,), ((0.1,),)), "one more edge than frames"),
        (lambda: FrameScores(("a",), (1.0, 0.0), ((0.1,),)), "follow one another"),
        (lambda: Tags("dog"), "a set of labels, not one text"),  # type: ignore[arg-type]
        (lambda: labels_of(Item("r", "recording")), "which labels are asked about"),
        (lambda: recording_seconds(Item("r", "recording")), "a sound or a length"),
    ],
)
def test_what_cannot_be_is_refused(build: Any, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        build()


def test_a_length_is_read_from_the_file_when_nobody_says_it(tmp_path: Path) -> None:
    from earmark.files.sound import write_sound

    write_sound(tmp_path / "a.wav", np.zeros(16000, np.float32), 8000)
    assert recording_seconds(Item("a", "recording", str(tmp_path / "a.wav"))) == 2.0
