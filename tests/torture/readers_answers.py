"""Files of answers, right answers, crowds and outputs, each for a study of its task."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

from tests.files.test_hostile_answers import ANSWER_FILES, OUTPUT_FILES
from tests.torture.reader import Reader

from earmark.study import Study
from earmark.tasks.context.values import Passage

# Whole where the file of the tests of damage would be refused; and formats that they lack.
GOOD = {
    "events: plain": "item,person,labels,seconds\n{unit},p,none,5\n",
    "events: Label Studio": '[{{"data": {{"item": "{unit}"}}, "annotations": [{{"completed_by": '
    '"p", "result": [{{"value": {{"choices": ["siren"]}}}}]}}]}}]',
}
MTURK = "HITId,AssignmentId,WorkerId,Input.item,Answer.{field}\nh,a,p,{unit},{answer}\n"
FIELDS = {"events": ("labels", "none"), "boundaries": ("after", "2"), "captions": ("winner", "1"),
          "context": ("words", "none")}  # fmt: skip
# Of each task's simulated crowd: what its file may say.
CROWDS = {
    "events": "people = 60\ncap = 1000\naudibility = 5.0\n",
    "boundaries": "opinions = 3\n",
    "captions": "opinions = 3\n",
    "context": "opinions = 3\n",
    "keywords": "opinions = 3\n",
}


def answer_readers(folder: Path, studies: dict[str, Study]) -> Iterator[Reader]:
    """Yield the readers of answers, crowds and outputs."""
    plans = {task: _planned(studies[task], folder / f"planned-{task}") for task in FIELDS}
    yield from _answers(folder, studies, plans)
    yield from _known(folder, studies, plans)
    for task, text in CROWDS.items():
        crowd, study = folder / f"crowd-{task}.toml", studies[task].folder
        words = ("ask", str(study), "--simulate", "--crowd", str(crowd))
        yield Reader(f"{task}: crowd", crowd, text.encode(), words, study)
    yield from _outputs(folder, studies)


def _answers(folder: Path, studies: dict[str, Study], plans: dict[str, Path]) -> Iterator[Reader]:
    for number, (name, (file, form)) in enumerate(ANSWER_FILES.items()):
        place, task = folder / f"answers-{number}", name.partition(":")[0]
        place.mkdir()
        unit = studies[task].units()[0].id
        whole = GOOD.get(name, form).format(unit=unit).encode()
        words = ("ask", str(plans[task]), "--import", str(place / file))
        yield Reader(f"{name}, --import", place / file, whole, words, plans[task])
    for task, (column, answer) in FIELDS.items():
        path, unit = folder / f"mturk-{task}.csv", studies[task].units()[0].id
        whole = MTURK.format(field=column, unit=unit, answer=answer).encode()
        words = ("ask", str(plans[task]), "--import", str(path))
        yield Reader(f"{task}: MTurk, --import", path, whole, words, plans[task])


def _known(folder: Path, studies: dict[str, Study], plans: dict[str, Path]) -> Iterator[Reader]:
    """Yield files of right answers, for answers from elsewhere and for those given live."""
    for task, (column, answer) in FIELDS.items():
        unit = studies[task].units()[0].id
        whole = f"item,person,{column}\n{unit},p,{answer}\n".encode()
        path, answers = folder / f"known-{task}.csv", folder / f"answers-{task}.csv"
        answers.write_bytes(whole)
        imports = ("--import", str(answers), "--known", str(path))
        words = ("ask", str(plans[task]), *imports)
        live = ("serve", str(plans[task]), "--port", "0", "--known", str(path))
        yield Reader(f"{task}: --known", path, whole, words, plans[task], others=(live,))
    path = folder / "password.txt"
    words = ("serve", str(plans["events"]), "--port", "0", "--password-file", str(path))
    yield Reader("serve: --password-file", path, b"a good password\n", words, plans["events"])


def _outputs(folder: Path, studies: dict[str, Study]) -> Iterator[Reader]:
    yield _frame_scores(folder, studies["events"])
    for number, (name, (file, text)) in enumerate(OUTPUT_FILES.items()):
        place, study = folder / f"outputs-{number}", studies[name.partition(":")[0]]
        place.mkdir()
        words = ("run", str(study.folder), str(place / file))
        whole = _whole_output(name, text, study).encode()
        yield Reader(f"{name}, run", place / file, whole, words, study.folder)
    sounds, made = studies["captions"].items(), studies["captions"].folder
    rows = "".join(f"{item.id},a dog barks\n" for item in sounds)
    words = ("run", str(made), str(folder / "captions.csv"))
    whole = f"item,caption\n{rows}".encode()
    yield Reader("captions: CSV, run", folder / "captions.csv", whole, words, made)
    yield from _keyword_outputs(folder, studies["keywords"])


def _frame_scores(folder: Path, study: Study) -> Reader:
    """Return frame scores beside a file of events."""
    place, events = folder / "frame-scores", folder / "with-frames.tsv"
    place.mkdir()
    name = study.items()[0].id
    events.write_text(f"filename\tonset\toffset\tevent_label\n{name}\t0\t1\tsiren\n")
    file = place / f"{name}.tsv"
    words = ("run", str(study.folder), str(events), "--scores", str(place))
    whole = b"onset\toffset\tsiren\n0\t5\t0.9\n5\t10\t0.1\n"
    return Reader("events: run --scores", file, whole, words, study.folder)


def _keyword_outputs(folder: Path, study: Study) -> Iterator[Reader]:
    """Yield a folder of predictions as the challenge's systems write them."""
    place = folder / "predicted"
    place.mkdir()
    speakers: dict[str, list[str]] = {}
    for item in study.items():
        if item.kind == "trial":
            speakers.setdefault(str(item.parent), []).append(Path(item.id).name)
    for speaker, names in speakers.items():
        lines = "".join(f"{name} 1\n" for name in names)
        (place / f"{speaker}_predictions.txt").write_text(lines)
    file = sorted(place.iterdir())[0]
    words = ("run", str(study.folder), str(place))
    yield Reader("keywords: predictions, run", file, file.read_bytes(), words, study.folder)


def _whole_output(name: str, text: str, study: Study) -> str:
    """Return a file of outputs that fits the study."""
    items = study.items()
    if name == "events: TSV":
        return f"filename\tonset\toffset\tevent_label\n{items[0].id}.wav\t0\t1\tsiren\n"
    if name == "boundaries: text":
        return str(items[0].text)
    if name == "boundaries: JSON lines":
        return json.dumps({"item": items[0].id, "after": [2]}) + "\n"
    rows = [{"id": i.id, "scores": [0.5] * len(Passage.of(i).tokens)} for i in items]
    return "".join(json.dumps(row) + "\n" for row in rows) or text


def _planned(study: Study, copy: Path) -> Path:
    """Return a copy of a study without its simulated answers."""
    shutil.copytree(study.folder, copy)
    Study.open(copy).forget("2-answers")
    Study.open(copy).ask()
    return copy
