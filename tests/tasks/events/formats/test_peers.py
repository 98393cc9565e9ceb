"""Other people's programs read what we write; each test is skipped where its program is absent."""

import importlib
import warnings
from pathlib import Path
from typing import Any

import pytest

from earmark.study.export import exporter
from earmark.task.export import Selection
from earmark.tasks.events import TASK, Event, Timeline

LINES = {
    "one": Timeline(
        6.5, (Event('a "b" <c> & ø', 0, 1.25), Event('a "b" <c> & ø', 1.25, 2), Event("car", 1, 6))
    ),
    "silent": Timeline(3.0),
}
EXPECTED = {('a "b" <c> & ø', 0.0, 1.25), ('a "b" <c> & ø', 1.25, 2.0), ("car", 1.0, 6.0)}


def peer(name: str) -> Any:
    """Import a package that reads a format, whatever it warns of; skip where it is not there."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return importlib.import_module(name)
        except ImportError:
            pytest.skip(f"needs {name.partition('.')[0]}, another reader of this format")


def export(form: str, folder: Path) -> Path:
    selection = Selection("references", "ref", "study", values=LINES, rows=TASK.rows)
    for name, content in exporter(TASK, form).write(selection).files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(str(content), encoding="utf-8")
    return folder / "ref"


@pytest.mark.filterwarnings("ignore")
def test_jams_reads_and_validates_our_documents(tmp_path: Path) -> None:
    jams = peer("jams")
    folder = export("jams", tmp_path)
    document = jams.load(str(folder / "one.jams"), validate=True, strict=True)
    (annotation,) = document.annotations
    assert {(o.value, o.time, o.time + o.duration) for o in annotation.data} == EXPECTED
    assert document.file_metadata.duration == 6.5
    assert not jams.load(str(folder / "silent.jams")).annotations[0].data


@pytest.mark.filterwarnings("ignore")
def test_praatio_reads_our_textgrids(tmp_path: Path) -> None:
    reader = peer("praatio.textgrid")
    folder = export("textgrid", tmp_path)
    grid = reader.openTextgrid(str(folder / "one.TextGrid"), includeEmptyIntervals=False)
    entries = [entry for name in grid.tierNames for entry in grid.getTier(name).entries]
    assert {(e.label, e.start, e.end) for e in entries} == EXPECTED
    assert reader.openTextgrid(str(folder / "silent.TextGrid"), False).maxTimestamp == 3.0


@pytest.mark.filterwarnings("ignore")
def test_textgrid_reads_our_textgrids(tmp_path: Path) -> None:
    reader = peer("textgrid")
    grid = reader.TextGrid.fromFile(str(export("textgrid", tmp_path) / "one.TextGrid"))
    intervals = [one for tier in grid for one in tier if one.mark]
    read = {
        (one.mark.replace('""', '"'), float(one.minTime), float(one.maxTime)) for one in intervals
    }
    assert read == EXPECTED


@pytest.mark.filterwarnings("ignore")
def test_pympi_reads_our_eaf_files(tmp_path: Path) -> None:
    elan = peer("pympi.Elan")
    folder = export("elan", tmp_path)
    document = elan.Eaf(str(folder / "one.eaf"))
    read = {
        (label, start / 1000, end / 1000)
        for name in document.get_tier_names()
        for start, end, label in document.get_annotation_data_for_tier(name)
    }
    assert read == EXPECTED
    assert list(elan.Eaf(str(folder / "silent.eaf")).get_tier_names()) == ["events"]
