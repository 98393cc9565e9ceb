"""Tokens, labels, changes and scores out and in again."""

import json
from pathlib import Path

from earmark.study import Study
from earmark.study.export import exporter
from earmark.task.export import Selection
from earmark.tasks.context import TASK
from earmark.tasks.context.files import read_outputs, read_truth
from earmark.tasks.context.talks import TALKS
from earmark.tasks.context.values import Choice, Flags, Scores
from earmark.values.item import Item

ITEM = Item(
    "t", "passage", text="A dog's bark.", details={"offsets": [0, 1, 2, 5, 5, 7, 8, 12, 12, 13]}
)


def export(values: dict[str, object], what: str, folder: Path) -> Path:
    selection = Selection(what, "ref", "study", items=(ITEM,), values=values, rows=TASK.rows)
    (name, content) = next(iter(exporter(TASK, "tokens").write(selection).files.items()))
    path = folder / name
    path.write_text(str(content), encoding="utf-8")
    return path


def test_tokens_are_where_their_offsets_say(tmp_path: Path) -> None:
    row = json.loads(export({}, "material", tmp_path).read_text())
    assert row["tokens"] == ["A", "dog", "'s", "bark", "."]
    assert [row["text"][a:b] for a, b in row["offsets"]] == row["tokens"]


def test_labels_come_back(tmp_path: Path) -> None:
    value = Flags(5, frozenset({1, 3}))
    assert read_truth(export({"t": value}, "references", tmp_path)) == {"t": value}


def test_scores_come_back_with_all_that_a_system_said(tmp_path: Path) -> None:
    value = Scores((0.1, 0.2, 0.3, 1 / 3, 0.0), 0.25, (1.0,) * 5, (Choice(3, -1.0, -2.5),))
    (output,) = read_outputs(export({"t": value}, "outputs", tmp_path), (ITEM,))
    assert (output.item, output.value) == ("t", value)


def test_a_corrupted_corpus_comes_back_with_its_changes(tmp_path: Path) -> None:
    source = tmp_path / "talks.jsonl"
    rows = [json.dumps({"id": name, "text": text}) + "\n" for name, text in TALKS.items()]
    source.write_text("".join(rows))
    study = Study.create(tmp_path / "study", task="context")
    study.make(text=source, swaps=2)
    study.export(tmp_path / "out", "tokens", what="references")
    read = read_truth(tmp_path / "out" / "truth.jsonl")
    truth = study.reference("truth").values
    assert {name: one.labels for name, one in read.items()} == {
        n: t.labels for n, t in truth.items()
    }
    assert {n: getattr(v, "swaps", ()) for n, v in read.items()} == {
        n: v.swaps for n, v in truth.items()
    }
