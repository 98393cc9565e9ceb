"""Files that options name beside the two sides: durations, frame scores, groups, windows, ..."""

import io
import json
import shutil
import zipfile
from collections.abc import Iterator
from pathlib import Path

from tests.torture.reader import Reader, Words
from tests.torture.readers_formats import LINES, VOTES

from earmark.study import Study

EVENTS = "filename\tonset\toffset\tevent_label\na.wav\t0\t1\tdog\nb.wav\t0\t2\tcat\n"
DURATIONS = "filename\tduration\na.wav\t10\nb.wav\t12\n"
FRAMES = "onset\toffset\tdog\tcat\n0\t1\t0.9\t0.1\n1\t2\t0.2\t0.3\n"
SOFT = "0.0\t1.0\tdog\t0.9\n1.0\t2.0\tdog\t0.1\n"
WINDOWS = "item,recording,start,end\nw1,a,0,10\nw2,a,1,11\n"
TICKS = "item,person,labels\nw1,p,dog\nw2,p,none\nw1,q,dog\nw2,q,dog\n"
CAPTIONS = "item,caption\na,a dog barks\nb,dogs bark\n"
SYSTEMS = "item,caption,system\na,a cat,x\na,a cow,y\n"
GROUPS = "item,group\na.wav,one\nb.wav,two\n"


def option_readers(folder: Path, studies: dict[str, Study]) -> Iterator[Reader]:
    """Yield the readers of files that options name."""
    place = folder / "options"
    place.mkdir()
    yield from _of_events(place)
    yield from _of_groups(place, studies)
    yield from _of_captions(place)
    yield from _of_texts(place, studies)
    yield from _submissions(place, studies["boundaries"])


def _written(path: Path, text: str) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return str(path)


def _of_events(place: Path) -> Iterator[Reader]:
    reference = _written(place / "events.tsv", EVENTS)
    sides = ("measure", "events", "--reference", reference)
    both = (*sides, "--output", reference)
    durations = _written(place / "durations.tsv", DURATIONS)
    new = place / "new-events"
    make = ("make", "events", str(new), "--reference", reference)
    for name in ("a.tsv", "b.tsv"):
        _written(place / "frames" / name, FRAMES)
        _written(place / "soft" / f"{Path(name).stem}.txt", SOFT)
    frames, soft = str(place / "frames"), str(place / "soft")
    answers, windows = _written(place / "ticks.csv", TICKS), _written(place / "w.csv", WINDOWS)
    out = str(place / "reconciled")
    reconciled: Words = (
        "reconcile",
        "--task",
        "events",
        "--answers",
        answers,
        "--windows",
        windows,
    )
    reconciled = (*reconciled, "--out", out, "--by", "union")
    files = {
        "measure --durations": (durations, (*both, "--durations", durations), None),
        "make --durations": (durations, (*make, "--durations", durations), new),
        "make --reference": (reference, make, new),
        "--scores": (f"{frames}/a.tsv", (*sides, "--scores", frames), None),
        "--soft": (f"{soft}/a.txt", (*both, "--soft", soft, "--metric", "soft_f1"), None),
        "--windows": (windows, reconciled, Path(out)),
        "--answers": (answers, reconciled, Path(out)),
    }
    for name, (path, words, study) in files.items():
        yield Reader(f"events: {name}", Path(path), Path(path).read_bytes(), words, study)


def _of_groups(place: Path, studies: dict[str, Study]) -> Iterator[Reader]:
    words: Words
    groups = _written(place / "groups.csv", GROUPS)
    file = Path(groups)
    reference = {
        "events": _written(place / "grouped.tsv", EVENTS),
        "captions": _written(place / "grouped.csv", CAPTIONS.replace("\na,", "\na.wav,").replace(
            "\nb,", "\nb.wav,")),
        "boundaries": str(place / "grouped"),
        "context": _written(place / "grouped.jsonl", "".join(
            f'{{"id": "{name}", "tokens": ["we"], "labels": [1], "scores": [0.9]}}\n'
            for name in ("a.wav", "b.wav"))),
    }  # fmt: skip
    for name in ("a.wav", "b.wav"):
        _written(place / "grouped" / f"{name}.txt", "we are here\nit is late\n")
    for task, side in reference.items():
        words = ("measure", task, "--reference", side, "--output", side, "--groups", groups)
        more = ("--metric", "rouge_l") if task == "captions" else ()
        yield Reader(f"{task}: --groups", file, GROUPS.encode(), (*words, *more))
    labels, predictions = place.parent / "labels", place.parent / "predictions"
    words = ("measure", "keywords", "--reference", str(labels), "--output", str(predictions))
    whole = b"item,group\nP1/a.wav,one\nP1/b.wav,one\nP1/c.wav,two\n"
    yield Reader("keywords: --groups", file, whole, (*words, "--groups", groups))
    study = place / "scored"
    shutil.copytree(studies["boundaries"].folder, study)
    opened = Study.open(study)
    opened.reconcile("panel")
    opened.run("pauses")
    item = opened.items()[0].id
    few = ("--resamples", "5", "--groups", groups)
    words = ("score", str(study), "--against", "panel", *few)
    others = (("references", str(study), *few),)
    whole = f"item,group\n{item},one\n".encode()
    yield Reader("score and references: --groups", file, whole, words, study, others=others)


def _of_captions(place: Path) -> Iterator[Reader]:
    import numpy as np

    words: Words
    captions, new = _written(place / "captions.csv", CAPTIONS), place / "new-captions"
    systems = _written(place / "systems.csv", SYSTEMS)
    make = ("make", "captions", str(new), "--captions", captions)
    yield Reader("captions: --captions", Path(captions), CAPTIONS.encode(), make, new)
    both = (*make, "--systems", systems)
    yield Reader("captions: --systems", Path(systems), SYSTEMS.encode(), both, new)
    weights = place / "weights.json"
    whole = json.dumps({"dog": 2.0, "bark": 0.5}).encode()
    words = ("measure", "captions", "--reference", captions, "--output", captions)
    weighed = ("--metric", "spice_plus", "--weights", str(weights))
    votes = _written(place / "votes.json", VOTES)
    audit = ("audit", "captions", "--benchmark", votes)
    yield Reader("captions: --weights", weights, whole, (*words, *weighed),
                 takes_seconds=True, others=((*audit, *weighed, "--resamples", "5"),))  # fmt: skip
    sides = [place / "first.npy", place / "second.npy"]
    for side in sides:
        np.save(side, np.array([[0.1, 0.2], [0.3, 0.95]]))
    fluency = [word for side in sides for word in ("--fluency-from", str(side))]
    words = (*audit, *fluency, "--metric", "rouge_l", "--resamples", "5")
    yield Reader("captions: --fluency-from", sides[0], sides[0].read_bytes(), words)


def _of_texts(place: Path, studies: dict[str, Study]) -> Iterator[Reader]:
    words: Words
    text, new = _written(place / "talk.txt", "we are here it is late\n"), place / "new-texts"
    person = _written(place / "people" / "ann" / "talk.txt", "we are here\nit is late\n")
    words = ("make", "boundaries", str(new), "--text", text)
    yield Reader("boundaries: --text", Path(text), Path(text).read_bytes(), words, new)
    words = (*words, "--reference", str(Path(person).parent))
    yield Reader("boundaries: --reference", Path(person), Path(person).read_bytes(), words, new)
    originals = _written(place / "talks.jsonl", LINES)
    corrupted = Study.create(place / "corrupted", task="context")
    corrupted.make("corrupted", text=Path(originals), swaps=1)
    changes = place / "changes.jsonl"
    shutil.copyfile(corrupted.folder / "1-material" / "truth.jsonl", changes)
    words = ("make", "context", str(new), "--text", originals, "--changes", str(changes))
    yield Reader("context: --changes", changes, changes.read_bytes(), words, new)
    out = place / "labelled"
    studies["context"].export(out, "tokens", what="references", reference="truth")
    file = sorted(out.rglob("*.jsonl"))[0]
    words = ("make", "context", str(new), "--reference", str(file))
    yield Reader("context: --reference", file, file.read_bytes(), words, new)


def _submissions(place: Path, study: Study) -> Iterator[Reader]:
    """Yield what strangers hand in: a zip, to a challenge and to be run at once, and a folder."""
    words: Words
    folder = challenge_of(study, place / "challenge")
    file, code = place / "system.zip", place / "system" / "predict.sh"
    words = ("submit", str(folder), str(file), "--team", "larks", "--phase", "feedback")
    yield Reader("submit: ZIP", file, packed(), words, folder)
    _written(code, SCRIPT)
    code.chmod(0o755)
    words = ("submit", str(folder), str(code.parent), "--team", "larks", "--phase", "feedback")
    yield Reader("submit: FOLDER", code, SCRIPT.encode(), words, folder)
    words = ("run", str(folder), str(file), "--name", "theirs")
    yield Reader("run: ZIP", file, packed(), words, folder, answers_no=True, takes_seconds=True)


SCRIPT = "#!/bin/sh\nexit 1\n"


def packed() -> bytes:
    """Return a submission as a zip; its one script fails, which costs its items alone."""
    file, moment = io.BytesIO(), (2026, 1, 1, 0, 0, 0)
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo("predict.sh", moment), SCRIPT)
        archive.writestr(zipfile.ZipInfo("more/notes.txt", moment), "x" * 999)
    return file.getvalue()


def challenge_of(study: Study, folder: Path) -> Path:
    """Return a copy of a study that takes submissions, with one team."""
    from earmark.run.teams import add_team
    from earmark.study.challenge import Challenge
    from earmark.study.organise import set_up

    shutil.copytree(study.folder, folder)
    set_up(folder, {"title": "Ends", "metric": None, "private": None, "practice": None})
    challenge = Challenge.open(folder, None)
    add_team(challenge.engine, "larks")
    challenge.close()
    return folder
