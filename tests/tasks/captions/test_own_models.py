"""A user's own models stand in for the shipped ones, and signatures say so."""

import json

import pytest

from earmark.tasks.captions.score.earshot.metric import earshot
from earmark.tasks.captions.score.earshot.parts import EarshotParts, EarshotWeights, weights
from earmark.tasks.captions.score.sentence import fense
from earmark.tasks.captions.train.fluency import train_detector
from earmark.text.shipped_models import SHIPPED, model_file, model_name
from earmark.values.errors import InputError


def test_without_own_models_the_shipped_ones_are_used(monkeypatch, tmp_path):
    for folder in ("", str(tmp_path)):
        monkeypatch.setenv("EARMARK_MODELS", folder)
        assert model_file("fluency", "card.json") == SHIPPED / "fluency" / "card.json"
        assert model_name("fluency") == "builtin"
        assert weights() == EarshotWeights()


def test_an_own_detector_is_used_and_signed_with_its_digest(monkeypatch, tmp_path):
    things = [f"q{chr(97 + n % 26)}{chr(97 + n // 26)}" for n in range(150)]
    train_detector([f"the {one} hums softly" for one in things], out=tmp_path / "fluency", seed=1)
    shipped = fense().options["fluency"]
    monkeypatch.setenv("EARMARK_MODELS", str(tmp_path))
    own = str(fense().options["fluency"])
    assert (shipped, own[:4]) == ("builtin", "own-")
    assert earshot().options["detector"] == own
    assert fense(fluency="none").options["fluency"] == "none"


def test_own_weights_change_the_sum(monkeypatch, tmp_path):
    place = tmp_path / "listener" / "weights.json"
    place.parent.mkdir()
    own = {"similarity": 1, "broken": 0.1, "missing": 0.2, "unsupported": 0.3, "generic": 0.3}
    place.write_text(json.dumps({"weights": own, "steepness": 4.0}))
    monkeypatch.setenv("EARMARK_MODELS", str(tmp_path))
    assert weights() == EarshotWeights(0.1, 0.2, 0.3, 0.3, 4.0)
    parts = EarshotParts(similarity=0.5, coverage=0.7, unsupported=1.0, disfluency=2.0)
    assert parts.total() == pytest.approx(0.05)
    assert model_file("listener", "rarity.json") == SHIPPED / "listener" / "rarity.json"


def test_a_file_that_holds_no_weights_is_named(monkeypatch, tmp_path):
    place = tmp_path / "listener" / "weights.json"
    place.parent.mkdir()
    place.write_text("[]")
    monkeypatch.setenv("EARMARK_MODELS", str(tmp_path))
    with pytest.raises(InputError, match="not the weights"):
        weights()
