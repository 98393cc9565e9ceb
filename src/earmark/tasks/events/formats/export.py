"""What leaves a study of events: tables, a file per recording for editors of sound, questions."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from earmark.files.one_line import one_line
from earmark.tables.rows import write_table
from earmark.task.export import (
    OUTPUTS,
    REFERENCES,
    Exported,
    Exporter,
    Selection,
    answer_row,
    file_path,
)
from earmark.task.options import option
from earmark.tasks.events.files import COLUMNS, write_jams
from earmark.tasks.events.formats import audacity, maestro, rttm, tiers
from earmark.tasks.events.values import Timeline
from earmark.values.names import ending_in

BOTH = (REFERENCES, OUTPUTS)
DURATIONS = "durations.tsv"


def event_rows(selection: Selection, suffix: str = "") -> Iterator[dict[str, Any]]:
    """Yield a row per event; a silent recording has a row of its own."""
    for name, line in selection.values.items():
        if not line.events:
            yield dict.fromkeys(COLUMNS) | {"filename": ending_in(name, suffix)}
        for event in line.events:
            label = one_line(event.label, what="label", kind="a table of events")
            cells = (ending_in(name, suffix), event.onset, event.offset, label)
            yield dict(zip(COLUMNS, cells, strict=True))


def answer_rows(selection: Selection) -> Iterator[dict[str, Any]]:
    """Yield a row per answer, in the form that `ask --import` reads."""
    for answer in selection.answers:
        yield answer_row(answer, labels="|".join(sorted(answer.value.labels)) or "none")


@dataclass(frozen=True, slots=True, kw_only=True)
class DcaseOptions:
    """How recordings are named in DCASE's tables."""

    suffix: str = option("", "What is added to the name of every recording, such as .wav.")


def write_dcase(selection: Selection, options: DcaseOptions = DcaseOptions()) -> Exported:
    """Return the table of events and that of durations, as DCASE's tasks have them."""
    rows = list(event_rows(selection, options.suffix))
    events = write_table(COLUMNS, _blank_for_none(rows), separator="\t")
    files = {
        file_path(selection.name, ".tsv"): events,
        DURATIONS: _durations(selection.values, options.suffix),
    }
    return Exported(files, len(selection.values))


def _blank_for_none(rows: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    return ({name: "" if cell is None else cell for name, cell in row.items()} for row in rows)


def _durations(lines: Mapping[str, Timeline], suffix: str = "") -> str:
    rows = [
        {"filename": ending_in(name, suffix), "duration": one.duration}
        for name, one in lines.items()
    ]
    return write_table(("filename", "duration"), rows, separator="\t")


def _per_recording(
    selection: Selection, suffix: str, write: Callable[[str, Timeline], str]
) -> dict[str, str]:
    """Return a file per recording in a folder of its own, and the table of durations beside it."""
    files = {
        file_path(f"{selection.name}/{name}", suffix): write(name, line)
        for name, line in selection.values.items()
    }
    return {**files, DURATIONS: _durations(selection.values)}


def write_jams_files(selection: Selection) -> Exported:
    """Return a JAMS document per recording."""
    files = _per_recording(selection, ".jams", lambda name, line: write_jams(line, title=name))
    return Exported(files, len(selection.values))


def write_audacity(selection: Selection) -> Exported:
    """Return a label track per recording."""
    files = _per_recording(selection, ".txt", lambda name, line: audacity.write_labels(line))
    return Exported(files, len(selection.values))


def write_textgrids(selection: Selection) -> Exported:
    """Return a TextGrid per recording, with a tier per label."""
    files = _per_recording(selection, ".TextGrid", lambda name, line: tiers.write_textgrid(line))
    return Exported(files, len(selection.values))


def write_elan(selection: Selection) -> Exported:
    """Return an EAF file per recording, with a tier per label."""
    files = _per_recording(selection, ".eaf", lambda name, line: tiers.write_eaf(line))
    rounded = sum(map(tiers.is_rounded, selection.values.values()))
    note = f"times rounded to milliseconds, as ELAN's are: {rounded} of {len(selection.values)}"
    return Exported(files, len(selection.values), (note,) if rounded else ())


def write_rttm(selection: Selection) -> Exported:
    """Return one RTTM file, and the UEM file with every recording's length."""
    files = {
        file_path(selection.name, ".rttm"): rttm.write_rttm(selection.values),
        file_path(selection.name, rttm.UEM): rttm.write_uem(selection.values),
    }
    return Exported(files, len(selection.values))


def write_maestro(selection: Selection) -> Exported:
    """Return a file of soft labels per recording, in MAESTRO's layout."""
    return Exported(
        _per_recording(selection, ".txt", maestro.write_soft_labels), len(selection.values)
    )


DCASE = Exporter(write_dcase, BOTH, "DCASE's table of events")
JAMS = Exporter(write_jams_files, BOTH, "a JAMS document per recording")
AUDACITY = Exporter(write_audacity, BOTH, "a label track per recording")
TEXTGRID = Exporter(write_textgrids, BOTH, "a TextGrid per recording, a tier per label")
ELAN = Exporter(write_elan, BOTH, "an EAF file per recording, a tier per label")
RTTM = Exporter(write_rttm, BOTH, "one RTTM file, and UEM")
MAESTRO = Exporter(write_maestro, BOTH, "soft labels, a file per recording")
