"""METEOR, SPICE and SPIDEr through Java programs: what they count, and what is said without."""

import shutil
import stat
from typing import Any

import pytest

from earmark.score.build import build_metrics
from earmark.score.evaluate import evaluate
from earmark.tasks import load
from earmark.tasks.captions.score.java import jars
from earmark.tasks.captions.score.java.jars import beside_pycocoevalcap, find_jar, require_jar
from earmark.tasks.captions.score.java.meteor import MeteorCounts, meteor, rate
from earmark.tasks.captions.score.java.spice import spice, spider
from earmark.tasks.captions.score.ngrams.cider import cider
from earmark.tasks.captions.values import Captions
from earmark.values.errors import InputError

REFERENCES = {
    "rain": Captions.of("rain falls on a metal roof", "heavy rain is falling", "it rains"),
    "dog": Captions.of("a dog barks twice", "two barks of a dog", "the dog is barking"),
    "train": Captions.of("a train passes and blows its horn", "a train horn sounds loudly"),
}
OUTPUTS = {
    "rain": Captions.of("rain is falling on the roof of a car"),
    "dog": Captions.of("a dog barks twice"),
    "train": Captions.of("people laugh"),
}
JAR = beside_pycocoevalcap("meteor-1.5.jar")


def test_metrics_without_their_jars_are_undefined_and_say_what_they_need(tmp_path, monkeypatch):
    monkeypatch.setattr("shutil.which", lambda name: None)
    score = meteor()(Captions.of("a dog"), Captions.of("a dog"))
    assert score.value != score.value
    assert "meteor-1.5.jar" in score.why
    assert "spice-1.0.jar" in spider().undefined
    with pytest.raises(InputError, match="meteor cannot be computed here"):
        require_jar("meteor", "meteor-1.5.jar")
    monkeypatch.setattr(jars, "beside_pycocoevalcap", lambda jar: tmp_path / "m" / jar)
    with pytest.raises(InputError, match=r"export EARMARK_JARS=.*m$"):
        require_jar("meteor", "meteor-1.5.jar")
    with pytest.raises(InputError, match="the folder of jars must hold"):
        find_jar("spice-1.0.jar", tmp_path)


def test_a_metric_that_is_named_must_be_computable(monkeypatch):
    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(InputError, match="spider cannot be computed here"):
        build_metrics(load("captions"), ("spider",), {})
    assert "spider" in build_metrics(load("captions"), None, {})


def test_meteor_of_counts_worked_by_hand():
    """Four words each, two of them little; one content and both little words are matched, in two
    pieces: P = R = (.75 + .5) / (1.5 + .5) = .625; .625 (1 - .6 (2/3)^.2)."""
    row = (4.0, 4, 2, 2, 1, 1, 2, 2, *[0.0] * 12, 2, 3, 3)
    assert rate(MeteorCounts(row)) == pytest.approx(0.625 * (1 - 0.6 * (2 / 3) ** 0.2))


def test_a_perfect_match_has_no_pieces():
    line = "3 3 1 1 2 2 1 1" + " 0" * 12 + " 1 3 3"
    assert MeteorCounts.from_line(line).counts[-3] == 0
    assert rate(MeteorCounts.from_line(line)) == 1.0
    assert rate(MeteorCounts.from_line("3 5 1 1" + " 0" * 19)) == 0.0


@pytest.mark.slow
@pytest.mark.skipif(not (JAR and shutil.which("java")), reason="Java or pycocoevalcap is not here")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_meteor_equals_pycocoevalcap_item_by_item_and_in_total():
    peer = pytest.importorskip("pycocoevalcap.meteor.meteor")
    cut = [
        {item: list(said.texts) for item, said in side.items()} for side in (REFERENCES, OUTPUTS)
    ]
    total, each = peer.Meteor().compute_score(*cut)
    assert JAR is not None
    score = evaluate(meteor(jars=JAR.parent), REFERENCES, OUTPUTS, resamples=20)
    assert score.value == pytest.approx(total, abs=1e-9)
    counts: dict[str, Any] = dict(score.by_item)
    assert [rate(counts[item]) for item in REFERENCES] == pytest.approx(each, abs=1e-9)
    assert score.interval is not None


@pytest.fixture
def java(tmp_path, monkeypatch):
    """A stand-in for SPICE's program, whose models cannot be installed: it keeps its promises."""
    program = tmp_path / "java"
    program.write_text(
        f"""#!{shutil.which("python3")}
import json, sys
source, target = sys.argv[4], sys.argv[sys.argv.index("-out") + 1]
rows = [
    {{"image_id": row["image_id"], "scores": {{"All": {{"f": len(row["refs"]) / 10}}}}}}
    for row in json.load(open(source)) if row["test"] != "break"
]
json.dump(rows[::-1], open(target, "w"))
sys.exit("no memory" if any(row["test"] == "break" for row in json.load(open(source))) else 0)
"""
    )
    program.chmod(program.stat().st_mode | stat.S_IEXEC)
    (tmp_path / "spice-1.0.jar").touch()
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    return tmp_path


def test_spice_asks_the_program_and_reads_its_answer_by_item(java):
    score = evaluate(spice(jars=java), REFERENCES, OUTPUTS, resamples=0)
    counts: dict[str, Any] = dict(score.by_item)
    assert {item: count.total for item, count in counts.items()} == {
        "rain": 0.3, "dog": 0.3, "train": 0.2
    }  # fmt: skip


def test_spider_is_the_mean_of_cider_and_spice(java):
    one = evaluate(cider(), REFERENCES, OUTPUTS, resamples=0).value
    two = evaluate(spice(jars=java), REFERENCES, OUTPUTS, resamples=0).value
    both = evaluate(spider(jars=java), REFERENCES, OUTPUTS, resamples=0).value
    assert both == pytest.approx((one + two) / 2)


def test_a_program_that_fails_is_reported_with_its_last_words(java):
    with pytest.raises(InputError, match="no memory"):
        spice(jars=java)(Captions.of("a dog"), Captions.of("break"))
