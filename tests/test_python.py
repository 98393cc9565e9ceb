"""The Python door: values or paths in, scores and boards out, the same numbers as by the shell."""

import csv
import json
import math
import re
import sys
import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import earmark as em
from earmark.tasks import load
from earmark.tasks.boundaries import Boundaries
from earmark.tasks.captions import Captions
from earmark.tasks.events import Event, Timeline
from earmark.values.errors import InputError

EVENTS = [
    ("a.wav", 0.0, 1.5, "dog"),
    ("a.wav", 2.0, 4.0, "car"),
    ("b.wav", 1.0, 3.0, "dog"),
    ("c.wav", None, None, None),
]
GUESS = [("a.wav", 0.4, 1.9, "dog"), ("b.wav", 1.0, 2.0, "dog"), ("b.wav", 4.0, 5.0, "car")]
DURATIONS = {"a.wav": 10.0, "b.wav": 8.0, "c.wav": 5.0}
COLUMNS = ("filename", "onset", "offset", "event_label")
CAPTIONS = {
    "a": ["a dog barks at a car", "a dog is barking"],
    "b": ["rain falls on a roof"],
    "c": ["people talk while  music plays", "people are talking"],
}
SAID = {"a": "a dog barks", "b": "rain falls", "c": "a man talks while music plays"}
PEOPLE = ["so we went\nhome it was\nlate then", "so we went home\nit was late\nthen"]
HEARD = "so we went\nhome it was late\nthen"


class Frame:
    """What is used of a pandas DataFrame."""

    def __init__(self, columns, rows):
        self.columns = columns
        self.rows = rows

    def to_dict(self, orient):
        assert orient == "records"
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


def write_rows(path, columns, rows):
    cells = [["" if cell is None else str(cell) for cell in row] for row in [columns, *rows]]
    with path.open("w", newline="") as file:
        csv.writer(file, delimiter="\t").writerows(cells)
    return path


def read_rows(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def numbers(document):
    """The scores without the names of files in their signatures."""
    return {
        name: {**score, "signature": re.sub(r":[^:|@]*@", ":@", score["signature"])}
        for name, score in document["scores"].items()
    }


def ranked(document):
    """The rows of every board without their signatures, which name files."""
    return {
        metric: [{k: v for k, v in row.items() if k != "signature"} for row in rows]
        for metric, rows in document["board"].items()
    }


def answers(items):
    """Three people's answers that disagree now and then."""
    return [
        (f"i{n}", person, "dog" if (n + k) % 4 else "car")
        for n in range(items)
        for k, person in enumerate("xyz")
    ]


@pytest.fixture
def folder(tmp_path):
    write_rows(tmp_path / "truth.tsv", COLUMNS, EVENTS)
    write_rows(tmp_path / "guess.tsv", COLUMNS, GUESS)
    write_rows(tmp_path / "lengths.tsv", ("filename", "duration"), DURATIONS.items())
    rows = [(item, text) for item, texts in CAPTIONS.items() for text in texts]
    write_rows(tmp_path / "captions.tsv", ("item", "caption"), rows)
    write_rows(tmp_path / "said.tsv", ("item", "caption"), SAID.items())
    for name, text in zip(("ann", "bob", "heard"), [*PEOPLE, HEARD], strict=True):
        (tmp_path / f"{name}.txt").write_text(text + "\n")
    return tmp_path


@pytest.fixture
def shell(earmark, folder):
    """Call `earmark measure` on files of the folder."""

    def call(task, references, outputs, *words):
        sides = [w for name in references for w in ("--reference", folder / name)]
        sides += [w for name in outputs for w in ("--output", folder / name)]
        code, out, err = earmark("measure", task, *sides, *words, "--json")
        assert code == 0, err
        return json.loads(out)

    return call


def test_events_have_the_same_numbers_by_shell_and_by_python(shell, folder):
    typed = shell("events", ["truth.tsv"], ["guess.tsv"], "--durations", folder / "lengths.tsv")
    paths = em.measure(
        "events",
        reference=folder / "truth.tsv",
        output=str(folder / "guess.tsv"),
        durations=str(folder / "lengths.tsv"),
    )
    rows = em.measure("events", reference=EVENTS, output=GUESS, durations=DURATIONS)
    assert paths.as_json() == {"scores": typed["scores"], "details": typed["details"]}
    assert numbers(rows.as_json()) == numbers(typed)


def test_captions_have_the_same_numbers_by_shell_and_by_python(shell, folder):
    metrics = ["cider_d", "bleu_4", "rouge_l"]
    flags = [word for name in metrics for word in ("--metric", name)]
    typed = shell("captions", ["captions.tsv"], ["said.tsv"], *flags)
    texts = em.measure("captions", reference=CAPTIONS, output=SAID, metrics=metrics)
    mixed = em.measure("captions", reference=folder / "captions.tsv", output=SAID, metrics=metrics)
    assert numbers(texts.as_json()) == numbers(typed) == numbers(mixed.as_json())


def test_captions_are_given_in_any_form(folder):
    plain = em.measure("captions", reference=CAPTIONS, output=SAID, metrics=["rouge_l"])
    rows = [(item, text) for item, texts in CAPTIONS.items() for text in texts]
    records = {item: Captions(tuple(texts)) for item, texts in CAPTIONS.items()}
    for reference in (rows, Frame(("item", "caption"), rows), records, [folder / "captions.tsv"]):
        scores = em.measure(
            "captions", reference=reference, output=folder / "said.tsv", metrics=["rouge_l"]
        )
        assert numbers(scores.as_json()) == numbers(plain.as_json())


def test_tasks_of_files_have_the_same_numbers_by_shell_and_by_python(shell, folder):
    truth = {"id": "t", "tokens": ["a", "dog", "sings"], "labels": [0, 0, 1]}
    (folder / "truth.jsonl").write_text(json.dumps(truth) + "\n")
    (folder / "scores.jsonl").write_text(json.dumps({"id": "t", "scores": [0.1, 0.3, 0.2]}) + "\n")
    for side, suffix, marks in (("labels", "test_labels", "10"), ("said", "predictions", "11")):
        (folder / side).mkdir()
        lines = [f"P1T{n}.wav\t{mark}\n" for n, mark in enumerate(marks)]
        (folder / side / f"P1_{suffix}.txt").write_text("".join(lines))
    for name, reference, output in (
        ("context", "truth.jsonl", "scores.jsonl"),
        ("keywords", "labels", "said"),
    ):
        typed = shell(name, [reference], [output])
        task = load(name)
        scores = em.measure(task, reference=folder / reference, output=str(folder / output))
        assert scores.as_json()["scores"] == typed["scores"]
        for sides in GIVEN[name]:
            assert numbers(em.measure(task, **sides).as_json()) == numbers(typed), sides


LABELS, SCORES = [0, 0, 1], [0.1, 0.3, 0.2]
CLIPS = [("P1", "P1T0.wav", 1), ("P1", "P1T1.wav", 0)]
SPOKEN = [("P1", "P1T0.wav", 1), ("P1", "P1T1.wav", 1)]
# the same values, in every form that is promised
GIVEN: dict[str, list[dict[str, Any]]] = {
    "context": [
        {"reference": {"t": LABELS}, "output": {"t": SCORES}},
        {"reference": {"t": np.array(LABELS)}, "output": {"t": np.array(SCORES)}},
        {"reference": [("t", LABELS)], "output": [{"item": "t", "scores": SCORES}]},
        {
            "reference": Frame(["id", "labels"], [("t", LABELS)]),
            "output": Frame(["id", "scores"], [("t", SCORES)]),
        },
        {
            "reference": {"t": em.context.Flags(3, frozenset({2}))},
            "output": {"t": em.context.Scores(tuple(SCORES))},
        },
    ],
    "keywords": [
        {"reference": CLIPS, "output": SPOKEN},
        {
            "reference": {"P1": {"P1T0.wav": 1, "P1T1.wav": 0}},
            "output": {"P1": {"P1T0": True, "P1T1": True}},
        },
        {
            "reference": Frame(["speaker", "clip", "label"], CLIPS),
            "output": Frame(["speaker", "clip", "awake"], SPOKEN),
        },
    ],
}


def test_a_path_and_a_value_may_be_mixed_for_context(folder):
    (folder / "truth.jsonl").write_text(json.dumps({"id": "t", "labels": LABELS}) + "\n")
    (folder / "scores.jsonl").write_text(json.dumps({"id": "t", "scores": SCORES}) + "\n")
    whole = em.measure("context", reference={"t": LABELS}, output={"t": SCORES})
    for reference, output in (
        (folder / "truth.jsonl", {"t": SCORES}),
        ({"t": LABELS}, folder / "scores.jsonl"),
    ):
        mixed = em.measure("context", reference=reference, output=output)
        assert numbers(mixed.as_json()) == numbers(whole.as_json())


def test_thresholds_surprisals_and_scores_of_verdicts_are_taken():
    row = {"id": "t", "scores": SCORES, "threshold": 0.25, "surprise": [1.0, 2.0, 3.0]}
    scores = em.measure("context", reference={"t": LABELS}, output=[row])
    assert float(scores["f_at_dev_threshold"]) == 0 and float(scores["perplexity"]) > 1
    said = {"P1": {"P1T0.wav": (1, 0.9), "P1T1.wav": (0, 0.2)}}
    scores = em.measure("keywords", reference=CLIPS, output=said)
    assert scores.as_json()["details"]["wake_score"]["oracle"] is not None


def test_real_frames_of_pandas_are_taken_for_every_task():
    pandas = pytest.importorskip("pandas")
    frames = {
        "events": ([("a", 0.0, 1.0, "dog")], ["filename", "onset", "offset", "event_label"]),
        "captions": ([("a", "a dog"), ("b", "rain")], ["item", "caption"]),
        "context": ([("t", LABELS)], ["id", "labels"]),
        "keywords": (CLIPS, ["speaker", "clip", "label"]),
    }
    renamed = {"labels": "scores", "label": "awake"}
    for name, (rows, columns) in frames.items():
        frame = pandas.DataFrame(rows, columns=columns)
        output = frame.rename(columns=renamed)
        metrics = {"captions": ["rouge_l"]}.get(name)
        scores = em.measure(name, reference=frame, output=output, metrics=metrics)
        assert len(scores.to_frame()) == len(scores)
    marks = [pandas.Series([0, 1, 0, 1])]
    assert float(em.measure("boundaries", reference=marks, output=marks[0])["mean_f1"]) == 1


@pytest.mark.parametrize("name", ["boundaries", "captions", "context", "events", "keywords"])
def test_every_task_exports_its_metrics_and_readers(name):
    module = getattr(em, name)
    shown = dir(module)
    assert set(load(name).score) <= set(shown)
    assert [entry for entry in shown if entry.startswith("read_")]
    for entry in shown:
        assert getattr(module, entry) is not None


def test_frame_scores_alone_are_an_output(folder):
    frames = {
        "a": [(0, 1.5, 0.9, 0.1), (1.5, 2, 0.2, 0.1), (2, 4, 0.3, 0.8)],
        "b": [(0, 1, 0.1, 0.1), (1, 3, 0.7, 0.2)],
        "c": [(0, 5, 0.1, 0.1)],
    }
    (folder / "frames").mkdir()
    for name, rows in frames.items():
        write_rows(folder / "frames" / f"{name}.tsv", ("onset", "offset", "dog", "car"), rows)
    scores = em.measure("events", reference=EVENTS, scores=str(folder / "frames"))
    assert float(scores["psds"]) > 0.9 and float(scores["segment_f1"]) == 1


def test_boundaries_have_the_same_numbers_by_shell_and_by_python(shell, folder):
    typed = shell("boundaries", ["ann.txt", "bob.txt"], ["heard.txt"])
    texts = em.measure("boundaries", reference=PEOPLE, output=HEARD)
    paths = [folder / "ann.txt", folder / "bob.txt"]
    assert (
        em.measure("boundaries", reference=paths, output=HEARD)["wisebe"].value
        == (typed["scores"]["wisebe"]["value"])
    )
    values = {name: score["value"] for name, score in typed["scores"].items()}
    assert {name: s["value"] for name, s in texts.as_json()["scores"].items()} == values


@pytest.mark.parametrize(
    ("reference", "output"),
    [
        ([[0, 0, 1, 0, 0, 1, 0, 1], [0, 0, 0, 1, 0, 0, 1, 1]], [0, 0, 1, 0, 0, 0, 1, 1]),
        ([{2, 5, 7}, [0, 0, 0, 1, 0, 0, 1, 1]], {2, 6, 7}),
        ([np.array([0, 0, 1, 0, 0, 1, 0, 1]), Boundaries(8, {3, 6, 7})], Boundaries(8, {2, 6, 7})),
        ([PEOPLE[0], {3, 6, 7}], {2, 6, 7}),
    ],
    ids=["0 and 1 per word", "positions", "arrays and records", "texts and positions"],
)
def test_boundaries_are_given_in_any_form(reference, output):
    texts = em.measure("boundaries", reference=PEOPLE, output=HEARD, metrics=["mean_f1"])
    other = em.measure("boundaries", reference=reference, output=output, metrics=["mean_f1"])
    assert other["mean_f1"].value == texts["mean_f1"].value == 0.5


def test_several_texts_are_given_by_name():
    both = em.measure(
        "boundaries",
        reference={"one": PEOPLE, "two": [{2, 5, 7}, {3, 6, 7}]},
        output={"one": HEARD, "two": [0, 0, 1, 0, 0, 0, 1, 1]},
        metrics=["window_f1"],
    )
    one = em.measure("boundaries", reference=PEOPLE, output=HEARD, metrics=["window_f1"])
    assert set(both.per_item("window_f1").values()) == {one["window_f1"].value}
    with pytest.raises(InputError, match="must both name their texts, or neither"):
        em.measure("boundaries", reference={"one": PEOPLE}, output=HEARD)


@pytest.mark.parametrize(
    "rows",
    [
        [dict(zip(COLUMNS, row, strict=True)) for row in EVENTS],
        [dict(zip(("recording", "onset", "offset", "label"), r, strict=True)) for r in EVENTS],
        Frame(COLUMNS, [(n, math.nan if a is None else a, b, c or "") for n, a, b, c in EVENTS]),
        {
            "a.wav": [Event("dog", 0, 1.5), Event("car", 2, 4)],
            "b.wav": Timeline(8, (Event("dog", 1, 3),)),
            "c.wav": [],
        },
    ],
    ids=["dicts", "other names", "a DataFrame", "events by recording"],
)
def test_events_are_given_in_any_form(rows):
    options: dict[str, Any] = {"output": GUESS, "durations": DURATIONS, "metrics": ["segment_f1"]}
    plain = em.measure("events", reference=EVENTS, **options)
    assert em.measure("events", reference=rows, **options).as_json() == plain.as_json()


def test_compare_is_the_board_of_the_shell(shell, folder):
    typed = shell(
        "events", ["truth.tsv"], ["guess.tsv", "truth.tsv"], "--durations", folder / "lengths.tsv"
    )
    board = em.compare(
        "events",
        reference=EVENTS,
        outputs={"guess": GUESS, "truth": EVENTS},
        durations=DURATIONS,
    )
    assert ranked(board.as_json()) == ranked(typed)
    assert board["segment_f1"][0].system == "truth"
    assert len(board) == len(typed["board"]) and "best_f" not in board
    assert "<b>1.000</b>" in board._repr_html_() and "truth" in repr(board)


def test_reconcile_gives_what_the_shell_writes(earmark, tmp_path):
    rows = [
        (f"i{n}", p, "dog" if (n + k) % 4 else "car") for n in range(8) for k, p in enumerate("xyz")
    ]
    path = write_rows(tmp_path / "answers.tsv", ("item", "person", "label"), rows)
    code, _, err = earmark(
        "reconcile", "--answers", path, "--by", "mace", "--seed", 3, "--out", tmp_path / "out"
    )
    assert code == 0, err
    result = em.reconcile(rows, by="mace", seed=3)
    reference = read_rows(tmp_path / "out" / "reference.csv")
    people = read_rows(tmp_path / "out" / "people.csv")
    assert [(row["item"], row["label"]) for row in reference] == list(result.labels.items())
    for row, own in zip(reference, result.reference, strict=True):
        assert float(row["doubt"]) == pytest.approx(own["doubt"], abs=1e-6)
    assert {row["person"]: float(row["competence"]) for row in people} == pytest.approx(
        result.competence, abs=1e-6
    )
    assert em.reconcile(path, by="mace", seed=3).reference == result.reference
    frame = Frame(("item", "person", "label"), rows)
    assert em.reconcile(frame, by="mace", seed=3).people == result.people
    assert repr(result) == "<ReconciledLabels by mace: 8 items, 3 people>"


def test_reconcile_takes_the_options_of_the_method():
    rows = [
        (f"i{n}", p, "dog" if (n + k) % 3 else "car") for n in range(9) for k, p in enumerate("xyz")
    ]
    few, many = (em.reconcile(rows, iterations=count).competence for count in (1, 50))
    assert few != many
    with pytest.raises(InputError, match="reconciling by majority has no option --restarts"):
        em.reconcile(rows, by="majority", restarts=2)


def test_a_score_is_a_float_with_an_interval():
    scores = em.measure("events", reference=EVENTS, output=GUESS, durations=DURATIONS, seed=3)
    score = scores["segment_f1"]
    assert score.interval is not None
    assert float(score) == score.value and score.interval.low <= float(score) <= score.interval.high
    assert repr(score).startswith("<Score events.segment_f1 = 0.")
    bare = em.measure("events", reference=EVENTS, output=GUESS, durations=DURATIONS, resamples=0)
    assert bare["segment_f1"].interval is None


def test_per_item_values_are_those_of_each_item_alone():
    scores = em.measure("events", reference=EVENTS, output=GUESS, durations=DURATIONS)
    values = scores.per_item("segment_f1")
    for name in ("a.wav", "b.wav"):
        alone = em.measure(
            "events",
            reference=[row for row in EVENTS if row[0] == name],
            output=[row for row in GUESS if row[0] == name],
            labels=["car"],
            durations={name: DURATIONS[name]},
        )
        assert values[name] == float(alone["segment_f1"])
    assert math.isnan(values["c.wav"])


def test_rows_are_a_frame_where_pandas_is_there(monkeypatch):
    scores = em.measure("events", reference=EVENTS, output=GUESS, metrics=["segment_f1"])
    monkeypatch.setitem(sys.modules, "pandas", None)
    (row,) = scores.to_frame()
    assert row["metric"] == "segment_f1" and row["value"] == float(scores["segment_f1"])
    pandas = types.ModuleType("pandas")
    pandas.DataFrame = lambda records: ("frame", records)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "pandas", pandas)
    assert scores.to_frame() == ("frame", [row])
    board = em.compare("events", reference=EVENTS, outputs={"x": GUESS}, metrics=["segment_f1"])
    assert board.to_frame()[1][0]["system"] == "x"


def test_what_is_returned_has_a_short_repr():
    scores = em.measure("events", reference=EVENTS, output=GUESS, metrics=["segment_f1"])
    assert repr(scores).splitlines()[1].startswith("segment_f1 ↑  ")
    assert len(repr(scores["segment_f1"])) < 80
    assert repr(em.keywords.wake_score(penalty=2.0)) == "<Metric keywords.wake_score, penalty 2.0>"
    assert repr(em.events.TASK) == "<Task events: Sound events in recordings>"
    board = em.compare("events", reference=EVENTS, outputs={"x": GUESS}, metrics=["segment_f1"])
    assert len(repr(board).splitlines()) < 6


def test_a_notebook_shows_a_table():
    scores = em.measure("events", reference=EVENTS, output=GUESS, metrics=["segment_f1"])
    assert scores._repr_html_().startswith("<table><tr><th>metric</th>")
    assert repr(scores).splitlines()[0].split() == ["metric", "value", "interval", "items"]
    assert "psds" not in scores and len(scores) == 1
    with pytest.raises(InputError, match="the metric 'psds' was not measured"):
        scores["psds"]


WRONG = {
    "a row too short": (
        lambda: em.measure("events", reference=[("a.wav", 0, 1)], output=GUESS),
        r'a row must have 4 cells\n  at:   the reference, row 1\n.*\n  want: \[\("a.wav", 0.0, 1.5',
    ),
    "a row without a column": (
        lambda: em.measure("events", reference=[{"onset": 1}], output=GUESS),
        r"a row must have every column\n.*\n.*\n.*\n  fix:  add filename, offset, event_label",
    ),
    "a time that is no number": (
        lambda: em.measure("events", reference=EVENTS, output=[("a.wav", "x", 2, "dog")]),
        r"onset must be a number\n  at:   the output, row 1",
    ),
    "a recording that is no text": (
        lambda: em.measure("events", reference=[(3, 0, 1, "dog")], output=GUESS),
        r"the name of a recording must be a text\n  at:   the reference, row 1\n  got:  int: 3",
    ),
    "a number for events": (
        lambda: em.measure("events", reference=EVENTS, output=3),
        r"the output must be rows, a DataFrame or a path\n  got:  int: 3",
    ),
    "a number among events": (
        lambda: em.measure("events", reference=EVENTS, output={"a.wav": [3]}),
        r"the output, a.wav must be rows.*\n  got:  int: 3",
    ),
    "a label for events": (
        lambda: em.measure("events", reference=EVENTS, output={"a.wav": "dog"}),
        r"the output must be rows.*\n  got:  str: 'dog'",
    ),
    "a label that the reference does not know": (
        lambda: em.measure("events", reference=EVENTS, output=[("a.wav", 0, 1, "cat")]),
        r"the output has a label that the reference does not know\n  at:   the output, row 1",
    ),
    "durations as a list": (
        lambda: em.measure("events", reference=EVENTS, output=GUESS, durations=[10]),
        r"durations map recordings to seconds\n",
    ),
    "a duration of nothing": (
        lambda: em.measure("events", reference=EVENTS, output=GUESS, durations={"a.wav": 0}),
        r"a duration must be > 0\n  at:   a.wav",
    ),
    "a caption for a reference": (
        lambda: em.measure("captions", reference="a dog barks", output=SAID),
        r'there is no such file\n  at:   a dog barks\n  want: a path, or \{"a": "a dog barks"\}',
    ),
    "captions without items": (
        lambda: em.measure("captions", reference=["a dog barks"], output=SAID),
        r"a row must have 2 cells\n",
    ),
    "a number for a caption": (
        lambda: em.measure("captions", reference=CAPTIONS, output={"a": 3}),
        r"an item needs a caption, or a list of captions\n  at:   the output, item a",
    ),
    "no captions": (
        lambda: em.measure("captions", reference={}, output=SAID),
        r"there must be at least one caption\n  at:   the reference",
    ),
    "captions without an output": (
        lambda: em.measure("captions", reference=CAPTIONS),
        r"captions are measured against a system's\n  want: output=",
    ),
    "a text for a list of people": (
        lambda: em.measure("boundaries", reference=HEARD, output=HEARD),
        r"a boundary reference is a list of people's texts\n(.*\n)*  fix:  put it in a list",
    ),
    "one person's marks for a list of people": (
        lambda: em.measure("boundaries", reference=[0, 1, 1], output=[0, 1, 1]),
        r"a boundary reference is a list of people's texts\n",
    ),
    "marks that are not 0 and 1": (
        lambda: em.measure("boundaries", reference=[[0, 2]], output=[0, 1]),
        r"boundaries of a text have another form\n  got:  list: \[0, 2\]",
    ),
    "a list of lists for an output": (
        lambda: em.measure("boundaries", reference=PEOPLE, output=[[0, 1]]),
        r"boundaries of a text have another form\n  got:  list: \[\[0, 1\]\]",
    ),
    "no people": (
        lambda: em.measure("boundaries", reference=[], output=HEARD),
        r"a boundary reference is a list of people's texts\n  got:  list: \[\]",
    ),
    "one word for a text": (
        lambda: em.measure("boundaries", reference=PEOPLE, output="late"),
        r"there is no such file\n  at:   late\n  want: a path, or a text with a unit per line",
    ),
    "positions without a length": (
        lambda: em.measure("boundaries", reference=[{1}], output={1}),
        r"positions alone do not say how many words there are\n",
    ),
    "boundaries without an output": (
        lambda: em.measure("boundaries", reference=PEOPLE),
        r"an output is needed\n",
    ),
    "no rows at all": (
        lambda: em.measure("context", reference=[], output=[]),
        r"there must be at least one item to score\n",
    ),
    "one metric as a text": (
        lambda: em.measure("events", reference=EVENTS, output=GUESS, metrics="segment_f1"),
        r"metrics are a list of names\n.*\n  fix:  write metrics=\['segment_f1'\]",
    ),
    "letters for labels": (
        lambda: em.measure("context", reference={"t": "001"}, output={"t": [0.1]}),
        r"labels are 0 or 1 per word\n  at:   the reference, item t\n  got:  '001'\n  want: \{.a",
    ),
    "texts for scores": (
        lambda: em.measure("context", reference={"t": [0]}, output={"t": ["x"]}),
        r"scores are numbers, one per word\n",
    ),
    "fewer scores than words": (
        lambda: em.measure("context", reference={"t": [0, 1]}, output={"t": [0.1]}),
        r"one score for every token\n  at:   item t\n  got:  1 scores, 2 labels",
    ),
    "an item twice": (
        lambda: em.measure("context", reference=[("t", [0]), ("t", [1])], output={"t": [0.1]}),
        r"an item must appear once\n",
    ),
    "an item that is no name": (
        lambda: em.measure("context", reference=[(None, [0])], output={"t": [0.1]}),
        r"every row must name its item\n",
    ),
    "no scores": (lambda: em.measure("context", reference={"t": [0]}), r"a system's scores\n"),
    "no verdicts": (lambda: em.measure("keywords", reference=CLIPS), r"a system's verdicts\n"),
    "a path and rows of clips": (
        lambda: em.measure("keywords", reference="labels", output=SPOKEN),
        r"both sides of keywords are paths, or neither\n",
    ),
    "clips that are no table": (
        lambda: em.measure("keywords", reference={"P1": 1}, output=SPOKEN),
        r"must be rows, a DataFrame or a path\n  got:  int: 1",
    ),
    "too much of a clip": (
        lambda: em.measure("keywords", reference={"P1": {"c": (1, 2)}}, output=SPOKEN),
        r"speaker P1, clip c must be rows",
    ),
    "a label that is neither 0 nor 1": (
        lambda: em.measure("keywords", reference=[("P1", "c", "yes")], output=SPOKEN),
        r"a clip has 0 or 1\n  at:   the reference, row 1\n  got:  'yes'",
    ),
    "a score that is a text": (
        lambda: em.measure("keywords", reference=CLIPS, output=[("P1", "P1T0.wav", 1, "x")]),
        r"a score must be a number\n",
    ),
    "a clip twice": (
        lambda: em.measure("keywords", reference=[*CLIPS, CLIPS[0]], output=SPOKEN),
        r"a clip of a speaker must appear once\n  at:   the reference, row 3",
    ),
    "a speaker that is no text": (
        lambda: em.measure("keywords", reference=[(1, "c", 1)], output=SPOKEN),
        r"a speaker and a clip are texts\n",
    ),
    "a speaker of one kind": (
        lambda: em.measure("keywords", reference=CLIPS[:1], output=SPOKEN[:1]),
        r"trials that must wake and trials that must not\n  at:   the reference, speaker P1",
    ),
    "one label as a text": (
        lambda: em.measure("events", reference=EVENTS, output=GUESS, labels="dog"),
        r"labels is a list of texts\n",
    ),
    "an option that is not there": (
        lambda: em.measure("events", reference=EVENTS, output=GUESS, secnds=2),
        r"there is no option 'secnds'\n(.*\n)*  fix:  did you mean seconds",
    ),
    "resamples as a text": (
        lambda: em.measure("events", reference=EVENTS, output=GUESS, resamples="1"),
        r"resamples must be a whole number >= 0\n  got:  '1'",
    ),
    "a task that is none": (
        lambda: em.compare(3, reference=EVENTS, outputs={"x": GUESS}),  # type: ignore[arg-type]
        r"a task is named first\n(.*\n)*  fix:  .* compare_scores",
    ),
    "outputs without names": (
        lambda: em.compare("events", reference=EVENTS, outputs=[GUESS]),  # type: ignore[arg-type]
        r"outputs must be named\n",
    ),
    "a text for answers": (
        lambda: em.reconcile("dog"),
        r'there is no such file\n  at:   dog\n  want: a path, or \[\("clip1"',
    ),
    "answers as texts": (lambda: em.reconcile(["abc"]), r"a row must have 3 cells\n"),
    "an empty label": (
        lambda: em.reconcile([("i", "ann", "")]),
        r"an answer needs an item, a person and a label\n  at:   answers, row 1",
    ),
    "a folder that is none": (
        lambda: em.open(3),  # type: ignore[arg-type]
        r"a study is opened by its folder\n",
    ),
    "a builder for a metric": (
        lambda: em.evaluate(em.events.segment_f1, {}, {}),  # type: ignore[arg-type]
        r"evaluate takes a metric that was built\n",
    ),
    "tuples for events": (
        lambda: em.events.segment_f1()([("dog", 0, 1)], []),
        r"a timeline is made of events\n",
    ),
}


@pytest.mark.parametrize(("call", "message"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_said_with_the_right_form(call, message):
    with pytest.raises(InputError, match=message):
        call()


def test_a_study_is_opened_and_has_a_board(earmark, tmp_path: Path):
    folder = tmp_path / "street"
    study = em.Study.create(folder, task="events", seed=7)
    study.make(recordings=2, seconds=20)
    study.run("energy")
    with pytest.raises(InputError, match="a board needs scores"):
        em.open(folder).board()
    em.open(folder).score(resamples=10)
    assert em.open(folder).board()["metrics"]["segment_f1"][0]["system"] == "energy"


def test_dir_shows_everything_that_is_promised():
    assert set(em.__all__) <= set(dir(em))
    assert {"measure", "compare", "reconcile", "open", "ScoreSet", "Board"} <= set(dir(em))
    assert all(hasattr(em, name) for name in dir(em))
