"""METEOR: its formula by hand, and the authors' own program beside it."""

import csv
import random
import shutil
import subprocess

import pytest

from earmark.score.build import build_metrics
from earmark.score.evaluate import evaluate
from earmark.tasks import load
from earmark.tasks.captions.score.meteor import metric as module
from earmark.tasks.captions.score.meteor.metric import MeteorCounts, is_installed, meteor, rate
from earmark.tasks.captions.score.meteor.tables import JAR, folder
from earmark.tasks.captions.score.ngrams.tokens import tokenise
from earmark.tasks.captions.values import Captions
from earmark.values.errors import InputError

installed = pytest.mark.skipif(not is_installed(), reason="the extra meteor is not installed")
SMALL = (
    "a the dog dogs barking barks bark is are of running run runs car vehicle cars speaks talks "
    "talking speech man men woman in background and then loudly loud it isn't 1,000 half-open p.m."
).split()


def test_meteor_of_counts_worked_by_hand():
    """Four words each, two of them function words; one content and both function words are
    matched, in two chunks: P = R = (.75 + .5) / (1.5 + .5) = .625; .625 (1 - .6 (2/3)^.2)."""
    row = (4.0, 4, 2, 2, 1, 1, 2, 2, *[0.0] * 12, 2, 3, 3)
    assert rate(MeteorCounts(row)) == pytest.approx(0.625 * (1 - 0.6 * (2 / 3) ** 0.2))


def test_a_perfect_match_has_no_chunks_and_nothing_matched_scores_0():
    perfect = MeteorCounts.of((3.0, 3, 1, 1, 2, 2, 1, 1, *[0.0] * 12, 1, 3, 3))
    assert perfect.counts[-3] == 0
    assert rate(perfect) == 1.0
    assert rate(MeteorCounts.of((3.0, 5, 1, 1, *[0.0] * 19))) == 0.0


def test_without_its_extra_meteor_is_undefined_and_an_error_if_it_is_named(monkeypatch):
    monkeypatch.setattr(module, "folder", lambda: None)
    score = meteor()(Captions.of("a dog"), Captions.of("a dog"))
    assert score.value != score.value
    assert "earmark[meteor]" in score.why
    with pytest.raises(InputError, match="meteor cannot be computed here"):
        build_metrics(load("captions"), ("meteor",), {})
    assert "meteor" in build_metrics(load("captions"), None, {})


@installed
def test_the_reference_that_scores_highest_counts():
    both = Captions.of("a bell rings", "two dogs are barking")
    score = meteor()(both, Captions.of("two dogs are barking"))
    assert score.value == 1.0
    assert meteor()(Captions.of("a bell rings"), Captions.of("two dogs are barking")).value == 0.0


@installed
def test_a_score_over_items_pools_their_counts_and_has_an_interval():
    references = {"a": Captions.of("a dog barks"), "b": Captions.of("rain on a roof")}
    outputs = {"a": Captions.of("a dog is barking"), "b": Captions.of("rain is falling")}
    score = evaluate(meteor(), references, outputs, resamples=50)
    total = MeteorCounts.from_row(
        tuple(x + y for x, y in zip(*(score.by_item[i].row() for i in "ab"), strict=True))  # type: ignore[attr-defined]
    )
    assert score.value == rate(total)
    assert score.interval is not None


def java_rows(references, outputs):
    """Return what the authors' program counts for each item."""
    place = folder()
    assert place is not None
    requests = "".join(
        " ||| ".join(
            " ".join(tokenise(text)) for text in (*references[item].texts, *outputs[item].texts)
        ).join(("SCORE ||| ", "\n"))
        for item in references
    )
    command = ["java", "-Xmx2G", "-jar", JAR, "-", "-", "-stdio", "-l", "en", "-norm"]
    answer = subprocess.run(
        command, cwd=place, input=requests, capture_output=True, text=True, check=True
    )
    rows = (tuple(map(float, line.split())) for line in answer.stdout.splitlines())
    return dict(zip(references, map(MeteorCounts.of, rows), strict=True))


@installed
@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("java"), reason="Java is not here")
def test_counts_equal_the_java_programs_on_1000_captions(shared):
    """A third other sounds' captions, a third random words that stress the beam."""
    draw = random.Random(1)
    with (shared / "data" / "captions" / "audiocaps_test_refs.csv").open(newline="") as file:
        captions = [row["caption"] for row in csv.DictReader(file)]
    references, outputs = {}, {}
    for number in range(1000):
        if number % 3:
            texts = draw.sample(captions, 3)
            texts[number % 2 :] = captions[number : number + 3 - number % 2]
        else:
            texts = [" ".join(draw.choices(SMALL, k=draw.randint(1, 25))) for _ in range(3)]
        references[str(number)] = Captions.of(*texts[:2])
        outputs[str(number)] = Captions.of(texts[2])
    expected = java_rows(references, outputs)
    counts = dict(evaluate(meteor(), references, outputs, resamples=0).by_item)
    assert {item for item in references if counts[item] != expected[item]} == set()
