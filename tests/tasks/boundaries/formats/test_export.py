"""Boundaries out and in again, in every format that holds them."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from earmark.study.export import exporter
from earmark.task.export import Exported, Selection
from earmark.tasks.boundaries import TASK, Boundaries, Panel, Transcript
from earmark.tasks.boundaries.formats import Units, read_texts
from earmark.tasks.boundaries.values import item_of
from earmark.values.errors import InputError

RUNNING = "text"  # which says by marks, not by lines, where units end
HOLD = ("lines", "text", "labels", "seg", "textgrid", "elan", "rttm", "srt", "vtt")
WORDS = ("so", "we", "went", "home", "it", "rained")
TIMES = tuple((n / 2, n / 2 + 0.4) for n in range(len(WORDS)))
ITEMS = (item_of(Transcript(WORDS, TIMES), "one"), item_of(Transcript(WORDS, TIMES), "two"))
VALUES = {"one": Boundaries(6, [3, 5]), "two": Boundaries(6, [0, 5])}

# Files are written for every example; a machine that is busy is no fault of the code.
QUICK = settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def select(values: dict[str, object], what: str = "references") -> Selection:
    return Selection(what, "ref", "study", items=ITEMS, values=values, rows=TASK.rows)


def write(exported: Exported, folder: Path) -> Path:
    for name, content in exported.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else str(content).encode())
    return folder


@pytest.mark.parametrize("form", HOLD)
def test_boundaries_come_back(form: str, tmp_path: Path) -> None:
    exported = exporter(TASK, form).write(select(dict(VALUES)))
    assert exported.count == 2
    texts = read_texts(write(exported, tmp_path) / "ref")
    read = {name: next(iter(by.values())) for name, by in texts.items()}
    units: Units | None = "marks" if form == RUNNING else None
    assert {name: text.boundaries(units=units) for name, text in read.items()} == VALUES
    if form != "seg":  # which has no words
        assert {text.words for text in read.values()} == {WORDS}


@pytest.mark.parametrize("form", ["lines", "textgrid", "elan", "rttm"])
@QUICK
@given(after=st.frozensets(st.integers(0, 4)))
def test_any_boundaries_come_back(
    form: str, tmp_path_factory: pytest.TempPathFactory, after: frozenset[int]
) -> None:
    value = Boundaries(6, after | {5})
    exported = exporter(TASK, form).write(select({"one": value}))
    texts = read_texts(write(exported, tmp_path_factory.mktemp("t")) / "ref")
    assert next(iter(texts["one"].values())).boundaries() == value


def test_a_panel_is_a_folder_per_person_that_is_taken_as_answers(tmp_path: Path) -> None:
    from earmark.tasks.boundaries.ask import pages, read_answers

    panel = Panel((Boundaries(6, [3, 5]), Boundaries(6, [5])), ("ann", "bob"))
    exported = exporter(TASK, "lines").write(select({"one": panel}))
    assert sorted(exported.files) == ["ref/ann/one.txt", "ref/bob/one.txt"]
    answers = read_answers(write(exported, tmp_path) / "ref", tuple(pages(ITEMS)))
    assert {answer.person: answer.value for answer in answers} == dict(
        zip(panel.people, panel.references, strict=True)
    )


def test_words_with_times_come_back_from_ctm(tmp_path: Path) -> None:
    exported = exporter(TASK, "ctm").write(select({}, "material"))
    texts = read_texts(write(exported, tmp_path) / "ref")
    text = next(iter(texts["one"].values()))
    assert text.words == WORDS
    assert text.times is not None
    assert [time for pair in text.times for time in pair] == pytest.approx(
        [time for pair in TIMES for time in pair]
    )


def test_words_without_times_are_refused_where_a_format_needs_them() -> None:
    items = (item_of(Transcript(WORDS), "one"),)
    selection = Selection("references", "ref", "s", items=items, values={"one": VALUES["one"]})
    with pytest.raises(InputError, match="needs the times of the words") as error:
        exporter(TASK, "textgrid").write(selection)
    assert "item one" in str(error.value)


def test_a_text_that_ends_without_a_boundary_is_noted() -> None:
    exported = exporter(TASK, "lines").write(select({"one": Boundaries(6, [2])}))
    assert exported.notes == ("1 texts end without a boundary; the files have one there",)
    assert exporter(TASK, "seg").write(select({"one": Boundaries(6, [2])})).notes == ()
