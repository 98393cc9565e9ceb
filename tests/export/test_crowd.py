"""Questions out, a market's results in its own layout, answers in: the same answers."""

import csv
import io
import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from earmark.study import Study
from earmark.tasks.context.talks import TALKS
from earmark.values.answer import Answer
from earmark.values.errors import InputError

Call = Callable[..., tuple[int, str, str]]
# The columns of MTurk's results, in its order, before those of the batch and of the form.
MTURK = (
    "HITId,HITTypeId,Title,Description,Keywords,Reward,CreationTime,MaxAssignments,"
    "RequesterAnnotation,AssignmentDurationInSeconds,AutoApprovalDelayInSeconds,Expiration,"
    "NumberOfSimilarHITs,LifetimeInSeconds,AssignmentId,WorkerId,AssignmentStatus,AcceptTime,"
    "SubmitTime,AutoApprovalTime,ApprovalTime,RejectionTime,RequesterFeedback,WorkTimeInSeconds,"
    "LifetimeApprovalRate,Last30DaysApprovalRate,Last7DaysApprovalRate"
).split(",")


def make_events(folder: Path) -> Study:
    study = Study.create(folder, task="events")
    study.make(recordings=1, seconds=12.0)
    return study


def make_captions(folder: Path) -> Study:
    rows = [f's{n},"a dog, ""Rex"", barks <near> {place} & me"' for n, place in enumerate("abc")]
    rows += [f"s{n},+ a bird sings ünder tree {n}" for n in range(3)]
    source = folder.parent / "captions.csv"
    source.write_text("\n".join(["item,caption", *rows]) + "\n")
    study = Study.create(folder, task="captions")
    study.make(captions=source)
    return study


def make_boundaries(folder: Path) -> Study:
    source = folder.parent / "talk.txt"
    source.write_text("So we went home. It <b>rained</b> all day & 7 nights. Then we slept.\n")
    study = Study.create(folder, task="boundaries")
    study.make(text=(source,))
    return study


def make_context(folder: Path) -> Study:
    source = folder.parent / "talks.jsonl"
    rows = [json.dumps({"id": name, "text": text}) + "\n" for name, text in TALKS.items()]
    source.write_text("".join(rows))
    study = Study.create(folder, task="context")
    study.make(text=source, swaps=2)
    return study


DAY = "2026-11-17"
CUT: dict[str, dict[str, Any]] = {"context": {"per_passage": 2}}  # the task's own options of asking
MAKERS = {
    "events": make_events,
    "captions": make_captions,
    "boundaries": make_boundaries,
    "context": make_context,
}


@pytest.fixture(scope="module", params=sorted(MAKERS))
def asked(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Study:
    """A study of each task that asks, with the answers of a simulated crowd."""
    folder = tmp_path_factory.mktemp(request.param) / "study"
    study = MAKERS[request.param](folder)
    study.ask(simulate=True, **CUT.get(request.param, {}))
    return study


@pytest.fixture
def unanswered(asked: Study, tmp_path: Path) -> Study:
    """The same study, before anybody answered."""
    study = MAKERS[asked.task.name](tmp_path / "study")
    study.ask(**CUT.get(asked.task.name, {}))
    return study


def take(study: Study, path: Path) -> dict[str, Any]:
    return study.ask(import_from=path, **CUT.get(study.task.name, {}))


def answers_of(study: Study) -> dict[tuple[str, str], Any]:
    ballots = study.ballots()
    assert ballots is not None
    return {(one.item, one.person): one.value for one in ballots.answers}


def form_cells(study: Study, answer: Answer[Any]) -> dict[str, str]:
    """What MTurk's form of a task sends back, as its results have it."""
    unit = next(unit for unit in study.units() if unit.id == answer.item)
    if study.task.name == "events":
        labels = [str(label) for label in (*unit.details["labels"], "none")]  # type: ignore[misc]
        ticked = answer.value.labels or {"none"}
        return {f"Answer.labels.{label}": str(label in ticked).lower() for label in labels}
    if study.task.name == "captions":
        sides = ("first", "second", "neither")
        return {f"Answer.winner.{side}": str(side == answer.value.winner).lower() for side in sides}
    if study.task.name == "boundaries":
        marked = sorted(answer.value.after)
        return {"Answer.after": "|".join(f"#{word}" for word in marked) or "none"}
    first = int(str(unit.details["first"]))
    words = sorted(token - first for token in answer.value.at)
    return {"Answer.words": "|".join(f"#{word}" for word in words) or "none"}


def table(rows: list[dict[str, str]]) -> str:
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]), quoting=csv.QUOTE_ALL)
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_an_mturk_batch_comes_back_as_the_same_answers(
    asked: Study, unanswered: Study, tmp_path: Path
) -> None:
    result = asked.export(tmp_path / "batch", "mturk", url="https://example.org/s")
    batch = {row["item"]: row for row in read(tmp_path / "batch" / "batch.csv")}
    assert result["count"] == len(batch) == len(asked.units())
    ballots = asked.ballots()
    assert ballots is not None
    rows = [
        {
            **dict.fromkeys(MTURK, "x"),
            "WorkerId": answer.person,
            "AssignmentStatus": "Approved",
            "WorkTimeInSeconds": str(answer.seconds_taken or 9),
            **{f"Input.{name}": cell for name, cell in batch[answer.item].items()},
            **form_cells(asked, answer),
            "Approve": "",
            "Reject": "",
        }
        for answer in ballots.answers
    ]
    rejected = {**rows[0], "WorkerId": "mallory", "AssignmentStatus": "Rejected"}
    (tmp_path / "results.csv").write_text(table([*rows, rejected]), encoding="utf-8")
    imported = take(unanswered, tmp_path / "results.csv")
    assert answers_of(unanswered) == answers_of(asked)
    assert imported["notes"] == ["results.csv: 1 answer is left out (AssignmentStatus Rejected)"]


def test_every_name_in_the_template_is_a_column_of_the_batch(asked: Study, tmp_path: Path) -> None:
    asked.export(tmp_path / "batch", "mturk")
    template = (tmp_path / "batch" / "template.html").read_text()
    (row, *_) = read(tmp_path / "batch" / "batch.csv")
    names = {part.partition("}")[0] for part in template.split("${")[1:]}
    assert names and names <= set(row)
    assert template.count("<crowd-form") == template.count("</crowd-form>") == 1


def studio_result(study: Study, answer: Answer[Any]) -> list[dict[str, Any]]:
    """What Label Studio stores of an answer, of the controls that we write."""
    unit = next(unit for unit in study.units() if unit.id == answer.item)
    if study.task.name == "events":
        choices = sorted(answer.value.labels) or ["none"]
        value = {"choices": choices}
        return [{"from_name": "labels", "to_name": "audio", "type": "choices", "value": value}]
    if study.task.name == "captions":
        value = {"choices": [answer.value.winner]}
        return [{"from_name": "winner", "to_name": "first", "type": "choices", "value": value}]
    text = unit.text or ""
    if study.task.name == "boundaries":
        ends = [n + 1 for n, sign in enumerate(text) if not sign.isspace()
                and (n + 1 == len(text) or text[n + 1].isspace())]  # fmt: skip
        spans = [(ends[word] - 1, ends[word]) for word in sorted(answer.value.after)]
        label = "sentence"
    else:
        flat: Any = unit.details["offsets"]
        first = int(str(unit.details["first"]))
        places = [token - first for token in sorted(answer.value.at)]
        spans = [(flat[2 * place], flat[2 * place + 1]) for place in places]
        label = "does not fit"
    return [
        {
            "id": f"r{number}",
            "from_name": "label",
            "to_name": "text",
            "type": "labels",
            "value": {"start": low, "end": high, "text": text[low:high], "labels": [label]},
        }
        for number, (low, high) in enumerate(spans)
    ]


def test_label_studio_tasks_come_back_as_the_same_answers(
    asked: Study, unanswered: Study, tmp_path: Path
) -> None:
    asked.export(tmp_path / "studio", "label-studio")
    tasks = json.loads((tmp_path / "studio" / "tasks.json").read_text(encoding="utf-8"))
    ballots = asked.ballots()
    assert ballots is not None
    numbers = {person: number for number, person in enumerate(ballots.people, start=1)}
    for number, task in enumerate(tasks, start=1):
        task["id"] = number
        task["annotations"] = [
            {
                "id": 1000 + number,
                "completed_by": numbers[answer.person],
                "was_cancelled": False,
                "lead_time": 4.288,
                "result": studio_result(asked, answer),
            }
            for answer in ballots.of(task["data"]["item"])
        ]
    (tmp_path / "project-1.json").write_text(json.dumps(tasks), encoding="utf-8")
    take(unanswered, tmp_path / "project-1.json")
    expected = {(i, str(numbers[person])): v for (i, person), v in answers_of(asked).items()}
    assert answers_of(unanswered) == expected


def test_the_labelling_configuration_is_xml_and_names_cells_of_the_tasks(
    asked: Study, tmp_path: Path
) -> None:
    from xml.etree import ElementTree

    asked.export(tmp_path / "studio", "label-studio")
    root = ElementTree.fromstring((tmp_path / "studio" / "config.xml").read_text())
    data = json.loads((tmp_path / "studio" / "tasks.json").read_text())[0]["data"]
    shown = [one.get("value", "") for one in root.iter() if one.tag in ("Text", "Audio")]
    assert shown and {name.removeprefix("$") for name in shown} <= set(data)
    names = {one.get("name") for one in root.iter()}
    assert {one.get("toName") for one in root.iter() if one.get("toName")} <= names


def test_a_prolific_taskflow_comes_back_as_the_same_answers(
    asked: Study, unanswered: Study, tmp_path: Path
) -> None:
    asked.export(tmp_path / "flow", "prolific", url="https://example.org/ask", people=3)
    links = read(tmp_path / "flow" / "taskflow.csv")
    assert len(links) == len(asked.units())
    assert {row["total_allocation"] for row in links} == {"3"}
    assert all("PROLIFIC_PID={{%PROLIFIC_PID%}}" in row["external_url"] for row in links)
    questions = {row["item"] for row in read(tmp_path / "flow" / "questions.csv")}
    asked.export(tmp_path / "answers", "csv", what="answers")
    rows = [
        {
            "PROLIFIC_PID": row.pop("person"),
            "STUDY_ID": "s",
            "SESSION_ID": "s",
            "Status": "AWAITING REVIEW",
            **row,
        }
        for row in read(tmp_path / "answers" / "answers.csv")
    ]
    assert {row["item"] for row in rows} <= questions
    (tmp_path / "survey.csv").write_text(table(rows), encoding="utf-8")
    take(unanswered, tmp_path / "survey.csv")
    assert answers_of(unanswered) == answers_of(asked)


def test_exported_answers_are_read_again(asked: Study, unanswered: Study, tmp_path: Path) -> None:
    asked.export(tmp_path / "out", "csv", what="answers")
    take(unanswered, tmp_path / "out" / "answers.csv")
    assert answers_of(unanswered) == answers_of(asked)


def test_answers_come_back_from_every_table_with_their_times(
    asked: Study, unanswered: Study, tmp_path: Path
) -> None:
    asked.export(tmp_path / "first", "csv", what="answers")
    rows = [
        # a spreadsheet would run such a name: it is quoted on the way out
        {
            **row,
            "person": f"={row['person']}",
            "seconds": f"{1.5 + n}",
            "given_at": f"2026-11-17T09:{n:02}",
        }
        for n, row in enumerate(read(tmp_path / "first" / "answers.csv")[:5])
    ]
    (tmp_path / "timed.csv").write_text(table(rows), encoding="utf-8")
    empty = shutil.copytree(unanswered.folder, tmp_path / "empty")
    take(unanswered, tmp_path / "timed.csv")
    ballots = unanswered.ballots()
    assert ballots is not None
    assert {answer.given_at for answer in ballots.answers} == {r["given_at"] for r in rows}
    for to in ("csv", "tsv", "jsonl", "parquet"):
        unanswered.export(tmp_path / to, to, what="answers")
        again = Study.open(shutil.copytree(empty, tmp_path / f"again-{to}"))
        take(again, tmp_path / to / f"answers.{to}")
        back = again.ballots()
        assert back is not None
        assert set(back.answers) == set(ballots.answers), to


def test_a_time_that_is_none_is_refused(asked: Study, unanswered: Study, tmp_path: Path) -> None:
    asked.export(tmp_path / "out", "csv", what="answers")
    rows = [{**row, "given_at": "yesterday"} for row in read(tmp_path / "out" / "answers.csv")]
    (tmp_path / "t.csv").write_text(table(rows), encoding="utf-8")
    with pytest.raises(InputError, match="the time of an answer must be ISO 8601"):
        take(unanswered, tmp_path / "t.csv")


def test_a_taskflow_needs_the_page_that_asks(asked: Study, tmp_path: Path, earmark: Call) -> None:
    code, _, err = earmark("export", asked.folder, tmp_path / "flow", "--to", "prolific")
    assert code == 2
    assert err.startswith("a taskflow needs the page that asks")
    assert not (tmp_path / "flow").exists()


def test_any_table_is_read_by_naming_its_columns(
    asked: Study, unanswered: Study, tmp_path: Path, earmark: Call
) -> None:
    asked.export(tmp_path / "out", "csv", what="answers")
    rows = read(tmp_path / "out" / "answers.csv")
    field = next(name for name in rows[0] if name not in ("item", "person", "seconds"))
    renamed = [
        {"wer": r["person"], "was": f"https://x.org/clips/{r['item']}.wav", "antwort": r[field]}
        for r in rows
    ]
    (tmp_path / "t.csv").write_text(table(renamed), encoding="utf-8")
    columns = f"person=wer,item=was,{field}=antwort"
    words = ["ask", unanswered.folder, "--import", tmp_path / "t.csv", "--columns", columns]
    for name, value in CUT.get(asked.task.name, {}).items():
        words += [f"--{name.replace('_', '-')}", value]
    code, _, err = earmark(*words)
    assert code == 0, err
    assert answers_of(unanswered) == answers_of(asked)


@pytest.fixture
def street(tmp_path: Path) -> Iterator[Study]:
    study = make_events(tmp_path / "street")
    study.ask()
    yield study


def test_a_batch_names_the_part_of_the_sound_and_is_found_by_it(
    street: Study, tmp_path: Path
) -> None:
    """Without an item column, the URL with its times says which window was asked."""
    street.export(tmp_path / "batch", "mturk", url="https://example.org/s/")
    batch = read(tmp_path / "batch" / "batch.csv")
    assert batch[1]["audio_url"] == "https://example.org/s/soundscape-00.flac#t=1,11"
    rows = [
        {"WorkerId": "ann", "Input.audio_url": row["audio_url"], "Answer.labels": "siren"}
        for row in batch
    ]
    (tmp_path / "r.csv").write_text(table(rows), encoding="utf-8")
    street.ask(import_from=tmp_path / "r.csv")
    assert sorted(item for item, _ in answers_of(street)) == sorted(row["item"] for row in batch)
