"""N-gram metrics read captions in blocks: memory grows with the items, not with their texts."""

import random
import tracemalloc

import pytest

from earmark.score.measure import MeasureRequest, measure
from earmark.stats import bootstrap
from earmark.tasks import load
from earmark.tasks.captions.score.ngrams import blocks

WORDS = [f"{a}{b}{c}" for a in "bdklm" for b in "aeiou" for c in ("rn", "st", "ll", "mp", "ck")]


def write(folder, items, seed=1):
    """Two files: five references of forty words and one candidate for each item."""
    draw = random.Random(seed)
    for name, each in (("r.csv", 5), ("o.csv", 1)):
        with (folder / name).open("w") as file:
            file.write("item,caption\n")
            for at in range(items):
                said = (" ".join(draw.choices(WORDS, k=40)) for _ in range(each))
                file.writelines(f"sound-{at},{text}\n" for text in said)


def peak(folder, items, metric):
    """The most bytes that scoring held at once."""
    write(folder, items)
    tracemalloc.start()
    request = MeasureRequest(
        task=load("captions"), references=(folder / "r.csv",), metrics=(metric,), resamples=50
    )
    scores = measure(request, folder / "o.csv")
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert scores[metric].items == items
    return most


@pytest.mark.parametrize("metric", ["rouge_l", "bleu_4"])
def test_what_is_said_of_an_item_is_not_held(tmp_path, monkeypatch, metric):
    """An item has six captions of 200 letters here, 1.2 kB; of each a fraction is held."""
    monkeypatch.setattr(blocks, "BLOCK", 100)
    monkeypatch.setattr(bootstrap, "CELLS", 10_000)
    peak(tmp_path, 50, metric)
    few, many = peak(tmp_path, 300, metric), peak(tmp_path, 900, metric)
    assert many - few < 800 * 600


def test_blocks_change_no_number(tmp_path, monkeypatch):
    write(tmp_path, 45)
    request = MeasureRequest(
        task=load("captions"),
        references=(tmp_path / "r.csv",),
        metrics=("cider", "bleu_4", "rouge_l"),
        resamples=0,
    )
    whole = measure(request, tmp_path / "o.csv")
    monkeypatch.setattr(blocks, "BLOCK", 7)
    parts = measure(request, tmp_path / "o.csv")
    for name, score in whole.items():
        assert parts[name].value == pytest.approx(score.value, abs=1e-12)
