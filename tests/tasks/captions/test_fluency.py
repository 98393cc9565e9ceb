import csv

import numpy as np
import pytest

from earmark.stats.draw import stream
from earmark.tasks.captions.score.fluency.detector import detector, load, penalised
from earmark.tasks.captions.score.fluency.features import spoken, stem
from earmark.tasks.captions.score.fluency.trigrams import Runs, shape
from earmark.tasks.captions.train.disfluencies import WAYS
from earmark.tasks.captions.train.fluency import train_detector
from earmark.values.errors import InputError

GOOD = ["a dog barks and a man speaks", "Rain falls on a roof", "birds chirp in the background"]
BAD = [
    "a dog barking and a dog barking",
    "a man speaking followed by a",
    "a train horn blows in the background in the background",
    "a man man speaks and the",
]


def test_broken_captions_are_told_from_good_ones():
    good, bad = detector().errors(GOOD), detector().errors(BAD)
    assert good.max() < 0.5 < bad.min()


def test_a_caption_about_unknown_things_is_not_broken():
    assert detector().errors(["a zorple quacks while two snorks are blinging"])[0] < 0.9


def test_a_caption_without_words_is_judged_all_the_same():
    assert np.isfinite(detector().errors(["", "🐕"])).all()


def test_each_way_of_breaking_changes_the_caption():
    words = "a dog barks and a man speaks in the background".split()
    pool = [["rain", "falls"], ["a", "bell", "rings"]]
    for way, share in WAYS:
        assert way(list(words), stream(1, way.__name__), pool) != words
        assert share > 0


def test_the_same_seed_gives_the_same_detector(tmp_path):
    whos = ("a dog", "a man", "rain", "an engine", "two birds")
    does = ("runs", "is heard", "sounds", "stops", "starts again", "is loud")
    places = ("in a room", "nearby", "on the street", "while a bell rings")
    texts = [f"{a} {b} {c}" for a in whos for b in does for c in places]
    for name in ("one", "two"):
        train_detector(texts, out=tmp_path / name, seed=3)
    one, two = load(tmp_path / "one"), load(tmp_path / "two")
    np.testing.assert_array_equal(one.weights, two.weights)
    train_detector(texts, out=tmp_path / "three", seed=4)
    assert not np.array_equal(one.weights, load(tmp_path / "three").weights)
    assert one.errors(["a dog runs in a"])[0] > one.errors(["a dog runs in a room"])[0]


def test_too_few_captions_and_a_missing_model_are_named(tmp_path):
    with pytest.raises(InputError, match="needs captions to learn from"):
        train_detector(["a dog"], out=tmp_path, seed=1)
    with pytest.raises(InputError, match="there is no fluency detector here"):
        load(tmp_path / "nothing")


def test_runs_that_were_seen_are_likelier():
    runs = Runs.counted([["a", "dog", "barks"], ["a", "dog", "runs"]])
    assert runs.log_chances(["a", "dog"])[1] > runs.log_chances(["dog", "a"])[1]
    assert len(runs.kept(2).times) < len(runs.times)


def test_words_have_shapes_and_stems():
    assert shape("barking") == "-ing"
    assert stem("revving") == stem("revs")
    assert spoken("Rain, rain.") == ("rain", ",", "rain")


def test_fluency_is_none_or_builtin():
    from earmark.tasks.captions.score.ngrams.rouge import rouge_l

    with pytest.raises(InputError, match="fluency is none or builtin"):
        penalised(rouge_l(), fluency="some")


@pytest.mark.shared
def test_the_shipped_detector_agrees_with_people_on_723_captions(shared):
    from sklearn.metrics import f1_score, roc_auc_score

    with (shared / "data/captions/fluency_annotations_723.csv").open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    truth = [int(row["fluency_issue"]) for row in rows]
    errors = detector().errors([row["caption"] for row in rows])
    assert roc_auc_score(truth, errors) >= 0.95
    assert f1_score(truth, errors > 0.9) >= 0.85
