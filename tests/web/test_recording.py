"""Recordings from a microphone that plays a tone: what arrives is the tone, in the format asked."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.browser import another
from tests.web.conftest import HERTZ
from tests.web.places import STUDIES, Place, serving
from tests.web.test_questions import answer_keywords
from tests.web.visiting import visitor

pytestmark = pytest.mark.browser


def stored_sound(place: Place, row: dict[str, Any]) -> Path:
    """Return the file of an answer that is a recording."""
    return Path(place.live.folder, "2-answers", row["value"]["file"]).resolve()


def test_a_take_arrives_as_16_khz_mono_16_bit_wav_with_the_right_tone(
    places: Callable[[str], Place], browser: Any
) -> None:
    import soundfile

    place = places("keywords")
    with visitor(browser) as person:
        person.begin(place)
        answer_keywords(person)
        person.settled(1)
    path = stored_sound(place, place.answers()[-1])
    about = soundfile.info(path)
    assert (about.format, about.subtype) == ("WAV", "PCM_16")
    assert (about.samplerate, about.channels) == (16000, 1)
    samples, rate = soundfile.read(path)
    assert 0.5 < len(samples) / rate < 4
    steady = samples[len(samples) // 4 : 3 * len(samples) // 4]
    spectrum = np.abs(np.fft.rfft(steady * np.hanning(len(steady))))
    strongest = np.argmax(spectrum) * rate / len(steady)
    assert abs(strongest - HERTZ) < 5
    # neither levelled nor filtered: the tone was played at 0.3 of full scale
    assert np.abs(steady).max() == pytest.approx(0.3, rel=0.1)
    near = slice(int(0.9 * np.argmax(spectrum)), int(1.1 * np.argmax(spectrum)))
    assert np.sum(spectrum[near] ** 2) > 0.99 * np.sum(spectrum**2), "a tone and nothing else"


def test_a_silent_take_must_be_repeated_and_the_page_says_why(tmp_path: Path, browser: Any) -> None:
    import soundfile

    # silence to a listener, and enough for a microphone that is there
    noise = np.random.default_rng(0).normal(0, 1e-4, 48000 * 3)
    soundfile.write(tmp_path / "silence.wav", noise, 48000, subtype="PCM_16")
    flags = (
        "--use-fake-device-for-media-stream",
        "--use-fake-ui-for-media-stream",
        f"--use-file-for-fake-audio-capture={tmp_path / 'silence.wav'}",
    )
    study = STUDIES["keywords"](tmp_path / "quiet")
    with another(browser, *flags) as quiet, serving(study) as place, visitor(quiet) as person:
        person.begin(place)
        answer_keywords(person)
        person.page.wait_for_selector(".problem:has-text('silent')")
        assert person.page.get_attribute("body", "data-page") == "question"
        assert person.page.locator(".take .player").count() == 0, "it is to be recorded again"
        assert place.answers() == []


def test_a_microphone_that_is_not_allowed_is_explained(
    places: Callable[[str], Place], browser: Any
) -> None:
    # no flag that answers the browser's question for the person: it is refused
    flag = "--use-fake-device-for-media-stream"
    with another(browser, flag) as strict, visitor(strict) as person:
        person.begin(places("keywords"))
        person.page.locator("#language").select_option("English")
        person.press("button.record")
        person.page.wait_for_selector(".problem:has-text('The microphone may not be used')")
        person.press(".actions button.primary")
        person.page.wait_for_selector(".problem:has-text('record yourself first')")
