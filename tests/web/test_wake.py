"""The wake word demo: a synthetic voice says its word five times, and the page wakes to it."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.browser import another
from tests.web.places import STUDIES, serving
from tests.web.test_pages import check
from tests.web.visiting import visitor

pytestmark = [pytest.mark.browser, pytest.mark.slow]

RATE = 16000
PAUSE = 0.9  # s; the page takes half a second of silence for an end


@pytest.fixture
def voice(tmp_path: Path) -> Path:
    """A voice that says the same two words again and again, never quite alike, with pauses."""
    pytest.importorskip("espeakng_loader", reason="needs the extra `speech`")
    import soundfile

    from earmark.tasks.keywords.make.synthesis import SpeakingStyle, speak

    rng = np.random.default_rng(0)
    parts = []
    for _ in range(4):
        style = SpeakingStyle(
            "en-us+f3",
            speed=int(rng.integers(140, 176)),
            pitch=int(rng.integers(42, 59)),
            pitch_range=int(rng.integers(35, 66)),
        )
        sound = speak("hello lantern", style)
        parts += [0.5 * sound / np.abs(sound).max(), np.zeros(int(PAUSE * RATE))]
    path = tmp_path / "voice.wav"
    room = np.random.default_rng(1).normal(0, 3e-4, sum(map(len, parts)))
    soundfile.write(path, np.concatenate(parts) + room, RATE, subtype="PCM_16")
    return path


def test_five_samples_enrol_a_word_and_the_page_shows_whether_it_wakes(
    tmp_path: Path, voice: Path, browser: Any
) -> None:
    flags = (
        "--use-fake-device-for-media-stream",
        "--use-fake-ui-for-media-stream",
        f"--use-file-for-fake-audio-capture={voice}",
    )
    study = STUDIES["keywords"](tmp_path / "words")
    with another(browser, *flags) as speaking, serving(study) as place:
        with visitor(speaking) as person:
            person.page.goto(f"{place.address}/demo")
            person.on("wake-enrol")
            check(person)
            person.keys("Enter")
            assert "say the word 5 times first" in person.page.inner_text(".problem")
            person.keys("r")
            person.page.wait_for_selector(".samples li:nth-child(5)")
            check(person)
            person.keys("Enter")
            person.page.wait_for_selector("body[data-page=wake-listen]", timeout=240_000)
            person.keys("l")
            person.page.wait_for_selector(".heard li:nth-child(3)", timeout=120_000)
            check(person)
            woke = person.page.locator(".heard [data-awake=yes]").count()
            assert woke >= 2, "of three or more times that the word was said"
