"""SPICE and SPIDEr through the Java program: what they count, and what is said without."""

import shutil
import stat
from typing import Any

import pytest

from earmark.score.build import build_metrics
from earmark.score.evaluate import evaluate
from earmark.tasks import load
from earmark.tasks.captions.score.java import jars
from earmark.tasks.captions.score.java.jars import find_jar, require_jar
from earmark.tasks.captions.score.java.spice import spice
from earmark.tasks.captions.score.ngrams.cider import cider
from earmark.tasks.captions.score.spider import spider
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


def test_metrics_without_their_jars_are_undefined_and_say_what_they_need(tmp_path, monkeypatch):
    monkeypatch.setattr("shutil.which", lambda name: None)
    score = spice()(Captions.of("a dog"), Captions.of("a dog"))
    assert score.value != score.value
    assert "get_stanford_models" in score.why
    assert "spice-1.0.jar" in spider().undefined
    with pytest.raises(InputError, match="spice cannot be computed here"):
        require_jar("spice", "spice-1.0.jar")
    monkeypatch.setattr(jars, "beside_pycocoevalcap", lambda jar: tmp_path / "s" / jar)
    with pytest.raises(InputError, match=r"export EARMARK_JARS=.*s$"):
        require_jar("spice", "spice-1.0.jar")
    with pytest.raises(InputError, match="the folder of jars must hold"):
        find_jar("spice-1.0.jar", tmp_path)


def test_a_metric_that_is_named_must_be_computable(monkeypatch):
    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(InputError, match="spider cannot be computed here"):
        build_metrics(load("captions"), ("spider",), {})
    assert "spider" in build_metrics(load("captions"), None, {})


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
