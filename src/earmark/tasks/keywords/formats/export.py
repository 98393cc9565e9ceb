"""What leaves a study of keywords: the challenge's layout, tables, and prompts to read."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from earmark.export.questions import QuestionForm, prolific
from earmark.files.one_line import one_line
from earmark.task.export import (
    MATERIAL,
    OUTPUTS,
    Content,
    Exported,
    Exporter,
    Selection,
    answer_row,
    file_path,
)
from earmark.task.options import option
from earmark.tasks.keywords.files import LABELS, PREDICTIONS
from earmark.tasks.keywords.formats.listening import DROP, KEEP
from earmark.tasks.keywords.make.items import FOLDERS
from earmark.tasks.keywords.values import Recording, Screening, Trial, Verdict
from earmark.values import checks
from earmark.values.errors import InputError
from earmark.values.item import Item

CHALLENGE, LABEL_FOLDER, PREDICTION_FOLDER = "challenge", "labels", "predictions"
TRIAL = "trial"


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseOptions:
    """Which speakers are exported."""

    phase: str = option("", "Only the speakers of this phase.")


def write_challenge(selection: Selection, options: PhaseOptions = PhaseOptions()) -> Exported:
    """Return `challenge/<speaker>/enroll` and `test` with `labels`, or a system's `predictions`."""
    clips = _of_phase([item for item in selection.items if item.kind in FOLDERS], options.phase)
    if selection.what == OUTPUTS:
        return _predictions(clips, selection.values)
    files: dict[str, Content] = {}
    labels: dict[str, list[str]] = {}
    for item in clips:
        if item.media is None:
            raise InputError("a clip needs its sound", at=f"item {item.id}")
        name = f"{one_line(item.id, what='clip', kind='a challenge', blanks=False)}"
        clip = f"{name}{Path(item.media).suffix}"
        place = f"{CHALLENGE}/{item.group}/{FOLDERS[item.kind]}/{clip}"
        files[file_path(place)] = Path(item.media)
        if item.kind == TRIAL and item.id in selection.truth:
            trial: Trial = selection.truth[item.id]
            labels.setdefault(item.group, []).append(f"{clip}\t{int(trial.is_target)}\n")
    for speaker, lines in labels.items():
        files[file_path(f"{LABEL_FOLDER}/{speaker}", LABELS)] = "".join(lines)
    notes = () if labels else ("there are no labels: nobody knows which clips must wake",)
    return Exported(files, len(clips), notes)


def _of_phase(clips: list[Item], phase: str) -> list[Item]:
    if not phase:
        return clips
    phases = dict.fromkeys(str(item.details.get("phase", "")) for item in clips)
    checks.one_of(phase, [name for name in phases if name], what="phase")
    return [item for item in clips if item.details.get("phase") == phase]


def _predictions(clips: list[Item], verdicts: Mapping[str, Verdict]) -> Exported:
    """Return a file per speaker; a clip on which the system failed has no line, by the rules."""
    lines: dict[str, list[str]] = {}
    failed = count = 0
    for item in clips:
        verdict = verdicts.get(item.id)
        if item.kind != TRIAL or verdict is None:
            continue
        rows = lines.setdefault(item.group, [])
        if verdict.failed:
            failed += 1
            continue
        count += 1
        name = one_line(item.id, what="clip", kind="a challenge", blanks=False)
        score = "" if verdict.score is None else f"\t{verdict.score!r}"
        rows.append(f"{name}{Path(item.media or '.wav').suffix}\t{int(verdict.awake)}{score}\n")
    files = {
        file_path(f"{PREDICTION_FOLDER}/{speaker}", PREDICTIONS): "".join(rows)
        for speaker, rows in lines.items()
    }
    note = f"{failed} clips on which the system failed have no line"
    return Exported(files, count, (note,) if failed else ())


AUTO_KWS = Exporter(write_challenge, (MATERIAL, OUTPUTS), "the layout of the Auto-KWS challenge")


def trial_rows(selection: Selection) -> Iterator[dict[str, Any]]:
    """Yield a row per clip: who the speaker is, and whether the device must wake."""
    for name, value in selection.values.items():
        if isinstance(value, Trial):
            cells = {"speaker": value.speaker, "label": int(value.is_target), "kind": value.kind}
            yield {"item": name, **cells}


def verdict_rows(selection: Selection) -> Iterator[dict[str, Any]]:
    """Yield a row per clip: whether the device woke, with which score."""
    for name, value in selection.values.items():
        cells = {"awake": int(value.awake), "score": value.score, "status": value.status}
        yield {"item": name, **cells}


def answer_rows(selection: Selection) -> Iterator[dict[str, Any]]:
    """Yield a row per recording and per vote, in the form that `ask --import` reads."""
    for answer in selection.answers:
        if isinstance(answer.value, Screening):
            for vote in answer.value.heard:
                row = answer_row(
                    answer, listener=answer.person, verdict=KEEP if vote.keep else DROP
                )
                yield {**row, "person": vote.person, "reason": vote.reason}
        else:
            take: Recording = answer.value
            cells = {"language": take.language, "dialect": take.dialect}
            yield answer_row(answer, file=_own_file(selection, take.file), **cells)


def _own_file(selection: Selection, name: str) -> Path | str:
    """Return the file of a recording that lies in the study; of one elsewhere, its name.

    Nothing else of the machine leaves with an export, whatever a study's answers name.
    """
    study = selection.answers_folder.parent
    path = (selection.answers_folder / name).resolve()
    is_own = path.is_file() and path.is_relative_to(study.resolve())
    return study / path.relative_to(study.resolve()) if is_own else name


def question_data(unit: Item, url: str = "") -> dict[str, Any]:
    """Return what a contributor reads aloud."""
    details = unit.details
    cells = {name: details.get(name, "") for name in ("language", "take", "of")}
    return {"item": unit.id, "text": unit.text or "", **cells}


def question_rows(selection: Selection) -> Iterator[dict[str, Any]]:
    """Yield a row per take of a prompt."""
    return map(question_data, selection.units)


PROLIFIC = prolific(QuestionForm(question_data, question_data, ""))
