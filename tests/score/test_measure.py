"""Measuring files: one output, or several that are ranked."""

import csv
import io
import json
from dataclasses import replace

import pytest

from earmark.score.measure import MeasureRequest, names_of
from earmark.score.measure import measure as measure_output
from earmark.score.table import as_html, as_latex
from earmark.tasks import load
from earmark.values.errors import InputError

HEAD = "filename\tonset\toffset\tevent_label\n"
TRUTH = [(f"r{n}.wav", 0.0, 1.0 + n % 3, "dog") for n in range(12)]


@pytest.fixture
def files(tmp_path):
    """A reference, an output that is right, and one that is a second late everywhere."""
    late = [(name, onset + 1, offset + 1, label) for name, onset, offset, label in TRUTH]
    for name, rows in (("truth", TRUTH), ("good", TRUTH), ("late", late)):
        lines = ["\t".join(map(str, row)) + "\n" for row in rows]
        (tmp_path / f"{name}.tsv").write_text(HEAD + "".join(lines))
    return tmp_path


@pytest.fixture
def measure(earmark, files):
    """Call `earmark measure events` on outputs by name; return what it printed."""

    def call(*outputs, options=()):
        words = [word for name in outputs for word in ("--output", files / f"{name}.tsv")]
        code, out, err = earmark(
            "measure", "events", "--reference", files / "truth.tsv", *words,
            "--metric", "segment_f1", "--resamples", 200, *options,
        )  # fmt: skip
        assert code == 0, err
        return out

    return call


def test_every_output_is_scored_as_it_would_be_alone(measure):
    both = json.loads(measure("late", "good", options=["--json"]))
    for name in ("late", "good"):
        alone = json.loads(measure(name, options=["--json"]))
        own = both["outputs"][name]
        assert own["scores"] == alone["scores"]
        assert own["details"] == alone["details"]


def test_the_board_ranks_the_outputs_with_p(measure):
    document = json.loads(measure("late", "good", options=["--json"]))
    assert set(document) == {"task", "outputs", "board"}
    first, second = document["board"]["segment_f1"]
    assert (first["system"], first["rank"], first["value"]) == ("good", 1, 1.0)
    assert (second["system"], second["rank"]) == ("late", 2)
    assert second["p"] < 0.05 and second["low"] <= second["value"] <= second["high"]


def test_one_output_keeps_its_shape(measure):
    assert set(json.loads(measure("good", options=["--json"]))) == {"task", "scores", "details"}
    assert measure("good").splitlines() == [
        "metric        value  interval        items",
        "segment_f1 ↑  1.000  [0.779, 1.000]  12",
    ]


def test_several_outputs_are_printed_as_a_table_with_the_best_marked(measure):
    lines = measure("late", "good").splitlines()
    assert lines[0] == "segment_f1 ↑   12 items"
    assert lines[1].split() == ["system", "value", "interval", "rank", "groups", "p"]
    assert lines[2].split()[:2] == ["good", "1.000*"]
    assert lines[3].split()[:1] == ["late"] and "*" not in lines[3]


def test_json_may_be_asked_for_by_format(measure):
    asked = [measure("late", "good", options=words) for words in (["--json"], ["--format", "json"])]
    assert asked[0] == asked[1]


def test_csv_has_all_digits_of_what_json_has(measure):
    document = json.loads(measure("late", "good", options=["--json"]))
    rows = list(csv.DictReader(io.StringIO(measure("late", "good", options=["--format", "csv"]))))
    board = document["board"]["segment_f1"]
    assert [row["system"] for row in rows] == [row["system"] for row in board]
    for row, expected in zip(rows, board, strict=True):
        assert float(row["value"]) == expected["value"]
        assert float(row["behind"] or 0) == (expected["behind"] or 0)


def test_markdown_and_latex_make_the_best_bold(measure):
    assert "| segment_f1 ↑ | good | **1.000** |" in measure(
        "late", "good", options=["--format", "md"]
    )
    latex = measure("late", "good", options=["--format", "latex"])
    assert r"segment\_f1 $\uparrow$ & good & \textbf{1.000} &" in latex
    assert r"\begin{tabular}{llllllll}" in latex


def test_one_output_has_tables_too(measure):
    lines = measure("good", options=["--format", "md"]).splitlines()
    assert lines[0] == "| metric | value | interval | items |"
    assert lines[2] == "| segment_f1 ↑ | 1.000 | [0.779, 1.000] | 12 |"


def test_frame_scores_of_one_output_are_not_used_for_several(earmark, files):
    code, _, err = earmark(
        "measure", "events", "--reference", files / "truth.tsv", "--output", files / "good.tsv",
        "--output", files / "late.tsv", "--scores", files,
    )  # fmt: skip
    assert code == 2
    assert "got:  --scores and several outputs" in err


def test_why_a_score_is_undefined_stands_under_the_table(earmark, tmp_path):
    for name in ("truth", "one", "two"):
        (tmp_path / f"{name}.txt").write_text("a dog barks\na car goes by\n")
    _, out, _ = earmark(
        "measure", "boundaries", "--reference", tmp_path / "truth.txt", "--output",
        tmp_path / "one.txt", "--output", tmp_path / "two.txt", "--metric", "wisebe",
    )  # fmt: skip
    lines = out.splitlines()
    assert lines[0] == "wisebe ↑   1 item"
    assert lines[2].split() == ["one", "undefined"]  # no rank
    assert sum(line.startswith("undefined: wisebe: ") for line in lines) == 1  # for both
    assert "two: one reference: agreement is undefined" in out


def test_outputs_of_one_name_are_told_apart_by_their_folders(tmp_path):
    paths = [tmp_path / "a" / "out.tsv", tmp_path / "b" / "out.tsv"]
    assert list(names_of(paths)) == ["a/out", "b/out"]
    alike = [tmp_path / "out.tsv", tmp_path / "out.csv"]
    assert list(names_of(alike)) == [str(path) for path in alike]


def test_an_output_given_twice_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"every output must be named once\n  got:  .*out.tsv"):
        names_of([tmp_path / "out.tsv", tmp_path / "a" / ".." / "out.tsv"])


def test_names_are_escaped_in_latex_and_html():
    record = {"metric": "m", "value": 0.5, "low": None, "high": None, "items": 3}
    row = {**record, "rank": 1, "p": None, "system": "a<b>_&"}
    assert r"a<b>\_\&" in as_latex([row])
    assert "a&lt;b&gt;_&amp;" in as_html([row])


def test_a_task_that_cannot_read_files_says_so(files):
    task = replace(load("events"), measure=None)
    request = MeasureRequest(task=task, references=(files / "truth.tsv",))
    with pytest.raises(InputError, match="events cannot be measured from files yet"):
        measure_output(request, files / "good.tsv")


def test_a_refused_interval_is_explained_on_the_terminal_and_in_json(earmark, tmp_path):
    rows = "".join(f"r{k}.wav\t0\t2\t{'dog' if k else 'car'}\n" for k in range(8))
    table = tmp_path / "truth.tsv"
    table.write_text(HEAD + rows)
    words = ["measure", "events", "--reference", table, "--output", table]
    words += ["--metric", "intersection_f1"]
    reason = "1 of 2 labels occurs in fewer than 5 recordings (car in 1)"
    assert f"no interval: intersection_f1: {reason}" in earmark(*words)[1]
    document = json.loads(earmark(*words, "--groups", "item", "--json")[1])
    why = document["details"]["intersection_f1"]["no_interval"]
    assert why.startswith(reason.replace("recordings", "items"))
    assert "|groups:item|" in document["scores"]["intersection_f1"]["signature"]


def test_groups_of_a_table_are_resampled_whole(earmark, measure, files):
    lines = "".join(f"r{n},s{n // 2}\n" for n in range(12))
    (files / "speakers.csv").write_text("item,group\n" + lines)
    alone = json.loads(measure("late", options=["--json"]))["scores"]["segment_f1"]
    options = ["--json", "--groups", files / "speakers.csv"]
    grouped = json.loads(measure("late", options=options))["scores"]["segment_f1"]
    assert alone["value"] == grouped["value"] and alone["low"] != grouped["low"]
    assert "|groups:speakers@" in grouped["signature"]
