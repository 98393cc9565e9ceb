import csv

import numpy as np
import pytest

from earmark.tasks.captions.score.fluency.detector import detector, load
from earmark.tasks.captions.score.fluency.penalty import FluencyOptions
from earmark.values.errors import InputError

GOOD = ["a dog barks and a man speaks", "Rain falls on a roof", "birds chirp in the background"]
BAD = [
    "a dog barking and a dog barking",
    "a man speaking followed by a",
    "a train horn blows in the background in the background",
    "a man man speaks and the",
]


def test_disfluent_captions_are_more_probably_so_than_good_ones():
    good, bad = detector().probabilities(GOOD), detector().probabilities(BAD)
    assert good.max() < 0.5 < bad.min()


def test_a_caption_about_unknown_things_is_not_disfluent():
    assert detector().probabilities(["a zorple quacks while two snorks are blinging"])[0] < 0.9


def test_a_caption_without_words_is_judged_all_the_same():
    assert np.isfinite(detector().probabilities(["", "🐕"])).all()


def test_a_missing_model_is_named(tmp_path):
    with pytest.raises(InputError, match="there is no fluency detector here"):
        load(tmp_path / "nothing")


def test_fluency_is_none_or_builtin():
    with pytest.raises(InputError, match="fluency must be none or builtin"):
        FluencyOptions(fluency="some")  # type: ignore[arg-type]


@pytest.mark.shared
def test_the_shipped_detector_agrees_with_people_on_723_captions(shared):
    from sklearn.metrics import f1_score, roc_auc_score

    with (shared / "data/captions/fluency_annotations_723.csv").open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    truth = [int(row["fluency_issue"]) for row in rows]
    probabilities = detector().probabilities([row["caption"] for row in rows])
    assert roc_auc_score(truth, probabilities) >= 0.95
    assert f1_score(truth, probabilities > 0.9) >= 0.85
