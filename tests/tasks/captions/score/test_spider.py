"""SPIDEr+: the mean of CIDEr-D and SPICE+."""

import pytest

from earmark.score.evaluate import evaluate
from earmark.tasks.captions.values import Captions

pytest.importorskip("spacy", reason="needs the extra text")

from earmark.tasks.captions.score.graphs.spice_plus import spice_plus
from earmark.tasks.captions.score.ngrams.cider import cider_d
from earmark.tasks.captions.score.spider import spider_plus

REFERENCES = {
    "rain": Captions.of("rain falls on a metal roof", "heavy rain is falling"),
    "dog": Captions.of("a dog barks twice", "two barks of a dog"),
}
OUTPUTS = {"rain": Captions.of("rain is falling on a roof"), "dog": Captions.of("a loud dog barks")}


@pytest.mark.parametrize("options", [{}, {"sigma": 2.0}, {"beta": 3.0}, {"fluency": "builtin"}])
def test_spider_plus_is_the_mean_of_cider_d_and_spice_plus(options):
    graphs = {name: value for name, value in options.items() if name != "sigma"}
    words = {name: value for name, value in options.items() if name == "sigma"}
    parts = (cider_d(**words), spice_plus(**graphs))
    one, two = (evaluate(part, REFERENCES, OUTPUTS, resamples=0).value for part in parts)
    score = evaluate(spider_plus(**options), REFERENCES, OUTPUTS, resamples=0)
    assert score.value == pytest.approx((one + two) / 2)
    assert all(f"{name}:" in str(score.signature) for name in options)


def test_spider_plus_of_one_item_is_undefined():
    one = {"dog": REFERENCES["dog"]}
    assert evaluate(spider_plus(), one, {"dog": OUTPUTS["dog"]}, resamples=0).why.startswith(
        "CIDEr"
    )
