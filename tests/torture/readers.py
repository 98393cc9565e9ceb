"""Everything that reads a file from outside: a whole file, and the command that reads it."""

import gzip
import io
import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from tests.files.test_hostile_answers import ANSWER_FILES, OUTPUT_FILES
from tests.files.test_hostile_files import CONLLU, READERS, command
from tests.studies import small_study

from earmark.study import Study
from earmark.tasks.context.talks import TALKS
from earmark.tasks.context.values import Passage


@dataclass(frozen=True, slots=True)
class Reader:
    """A file and the words that read it; `study` is what the command may change."""

    name: str
    file: Path
    whole: bytes
    words: tuple[str, ...]
    study: Path | None = None
    answers_no: bool = False  # exit code 1 is an answer too
    takes_seconds: bool = False  # a whole file costs a training: fewer cases


def readers(folder: Path) -> Iterator[Reader]:
    """Yield every reader; what it needs is made in the folder."""
    yield from _formats(folder)
    studies = {
        "events": small_study("events", folder / "events", verbs=2),
        "boundaries": small_study("boundaries", folder / "boundaries", verbs=2),
        "captions": small_study("captions", folder / "captions", verbs=2),
        "context": small_study("context", folder / "context", verbs=2),
        "keywords": small_study("keywords", folder / "keywords", verbs=1),
    }
    yield from _answers(folder, studies)
    yield from _models(folder, studies)
    yield from _training(folder)
    yield from _training_studies(folder, studies)
    yield from _sounds(folder)
    yield from _own_files(folder)


# Files that are read to their end, where those of the tests of damage are refused for another
# reason: a talk of 200 words, one caption per item, labels with scores, whole votes.
TALK, OTHER = (" ".join(" ".join(half).split()) for half in (
    list(TALKS.values())[::2], list(TALKS.values())[1::2]
))  # fmt: skip
LINES = "".join(json.dumps({"id": name, "text": text}) + "\n" for name, text in TALKS.items())
# Of these a document is a file: a noun's substitute comes from another one, which is whole.
DOCUMENTS = ("context: text", "context: talks", "context: recogniser", "context: CoNLL-U")
UNITS = "\n".join(part.strip() for text in TALKS.values() for part in text.split("."))
QUICK = {"captions: CSV": ("--metric", "rouge_l"), "captions: JSON lines": ("--metric", "rouge_l")}
VOTES = json.dumps(
    [
        {"references": ["a dog barks", "dogs bark"], "HC": ["a dog", "dogs", "a", "b", [1, 1, 0]]},
        {"references": ["rain falls", "it rains"], "HI": ["rain", "a car", "a", "b", [1, 0, 1]]},
    ]
)
WHOLE = {
    "captions: CSV": "item,caption\na,a dog barks\nb,dogs bark\n",
    "captions: benchmark": VOTES,
    "context: labels": '{"id": "a", "tokens": ["we"], "labels": [1], "scores": [0.9]}\n',
    "context: text": TALK,
    "context: JSON lines": LINES,
    "context: talks": f'<doc docid="1"><seg id="1">{TALK}</seg></doc>',
    "context: recogniser": json.dumps({"segments": [{"text": TALK}]}),
    "context: CoNLL-U": "".join(
        f"{n + 1}\t{word}\t{word}\tNOUN\tNN\t_\t0\troot\t_\t_\n"
        for n, word in enumerate(TALK.split())
    ) + "\n",
}  # fmt: skip


def _formats(folder: Path) -> Iterator[Reader]:
    for number, (name, (file, whole, _)) in enumerate(READERS.items()):
        place = folder / f"format-{number}"
        place.mkdir()
        path = place / file
        words = (*command(name, path), *QUICK.get(name, ()))
        new = place / "new" if "make" in words else None
        if name in DOCUMENTS:
            path = place / "texts" / file
            path.parent.mkdir()
            (path.parent / "other.txt").write_text(OTHER, encoding="utf-8")
            words = ("make", "context", str(new), "--text", str(path.parent))
        if name != "keywords: labels":
            yield Reader(name, path, WHOLE.get(name, whole).encode(), words, new)
    packed = gzip.compress(WHOLE["context: JSON lines"].encode())
    words = ("make", "context", str(folder / "unpacked"), "--text", str(folder / "t.jsonl.gz"))
    yield Reader("context: gz", folder / "t.jsonl.gz", packed, words, folder / "unpacked")
    sides = {"labels": "P1_test_labels.txt", "predictions": "P1_predictions.txt"}
    trials = b"a.wav 1\nb.wav 0\nc.wav 0\n"
    for side, file in sides.items():
        (folder / side).mkdir()
        (folder / side / file).write_bytes(trials)
    words = ("measure", "keywords", "--reference", str(folder / "labels"))
    words = (*words, "--output", str(folder / "predictions"))
    for side, file in sides.items():
        yield Reader(f"keywords: {side}", folder / side / file, trials, words)


def _answers(folder: Path, studies: dict[str, Study]) -> Iterator[Reader]:
    words: tuple[str, ...]
    for number, (name, (file, form)) in enumerate(ANSWER_FILES.items()):
        place, study = folder / f"answers-{number}", studies[name.partition(":")[0]]
        place.mkdir()
        whole = GOOD.get(name, form).format(unit=study.units()[0].id).encode()
        planned = _planned(study, place)
        words = ("ask", str(planned), "--import", str(place / file))
        yield Reader(f"{name}, --import", place / file, whole, words, planned)
        (place / f"good{Path(file).suffix}").write_bytes(whole)
        known = ("--import", str(place / f"good{Path(file).suffix}"), "--known", str(place / file))
        if name == "events: plain":
            words = ("ask", str(planned), *known)
            yield Reader(f"{name}, --known", place / file, whole, words, planned)
    for number, (name, (file, text)) in enumerate(OUTPUT_FILES.items()):
        place, study = folder / f"outputs-{number}", studies[name.partition(":")[0]]
        place.mkdir()
        words = ("run", str(study.folder), str(place / file))
        whole = _outputs(name, text, study).encode()
        yield Reader(f"{name}, run", place / file, whole, words, study.folder)
    crowd = folder / "crowd.toml"
    words = ("ask", str(studies["events"].folder), "--simulate", "--crowd", str(crowd))
    whole = b"people = 60\ncap = 1000\naudibility = 5.0\n"
    yield Reader("events: crowd", crowd, whole, words, studies["events"].folder)


GOOD = {
    "events: plain": "item,person,labels,seconds\n{unit},p,none,5\n",
    "events: Label Studio": '[{{"data": {{"item": "{unit}"}}, "annotations": [{{"completed_by": '
    '"p", "result": [{{"value": {{"choices": ["siren"]}}}}]}}]}}]',
}


def _outputs(name: str, text: str, study: Study) -> str:
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


def _planned(study: Study, place: Path) -> Path:
    """Return a copy of a study without its simulated answers."""
    copy = place / "study"
    shutil.copytree(study.folder, copy)
    Study.open(copy).forget("2-answers")
    Study.open(copy).ask()
    return copy


def _models(folder: Path, studies: dict[str, Study]) -> Iterator[Reader]:
    systems = {
        "boundaries": ("cnn", "cnn.safetensors"),
        "context": ("discourse", "discourse-speeches.npz"),
    }
    for task, (system, file) in systems.items():
        whole = files(f"earmark.tasks.{task}").joinpath("models", file).read_bytes()
        place, study = folder / f"model-{file}", studies[task].folder
        words = ("run", str(study), system, "--model", str(place))
        yield Reader(f"{task}: run --model", place, whole, words, study, takes_seconds=True)
    whole = files("earmark.tasks.keywords").joinpath("models", "auto.npz").read_bytes()
    study = studies["keywords"].folder
    words = ("run", str(study), "auto", "--model", str(folder / "model.npz"))
    model = folder / "model.npz"
    yield Reader("keywords: run --model", model, whole, words, study, takes_seconds=True)


def _training(folder: Path) -> Iterator[Reader]:
    place = folder / "train"
    place.mkdir()
    rows = "caption\n" + "".join(f"a dog barks {n} times\n" for n in range(120))
    few = ("--epochs", "1", "--made-captions", "5")
    cases = {
        "captions parser": ("--treebank", "t.conllu", CONLLU, few),
        "captions fluency": ("--captions", "c.csv", rows, ()),
        "captions listener": ("--benchmark", "b.json", VOTES, ()),
        "context tagger": ("--text", "t.conllu", CONLLU, ()),
        "boundaries cnn": ("--text", "t.txt", UNITS, (*SMALL, "--layers", "1")),
        "boundaries gru": ("--text", "t.txt", UNITS, (*SMALL, "--hidden", "4")),
    }  # fmt: skip
    for name, (flag, file, whole, more) in cases.items():
        path = place / f"{name.replace(' ', '-')}-{file}"
        out = str(place / name.replace(" ", "-"))  # some models are folders, some files
        words = ("train", *name.split(), flag, str(path), *more, "--out", out)
        yield Reader(f"train {name}", path, whole.encode(), words, takes_seconds=True)


SMALL = ("--epochs", "1", "--width", "8")
TINY = ("--epochs", "1", "--vocabulary", "50", "--embedding", "4", "--units", "4")


def _training_studies(folder: Path, studies: dict[str, Study]) -> Iterator[Reader]:
    """Yield the files of studies that systems learn from, and those that a threshold is from."""
    places = {task: folder / f"learn-{task}" for task in ("events", "keywords", "context")}
    for task in ("events", "context"):
        shutil.copytree(studies[task].folder, places[task])
    few: dict[str, Any] = {"own_words": 0, "impostors": 0, "strangers": 0, "near_misses": 0}
    given = folder / "keywords-input" / "recordings"
    Study.create(places["keywords"], task="keywords").make(recordings=given, positives=1, **few)
    developed = ("--develop", str(places["context"]))
    cases: dict[str, tuple[str, ...]] = {
        "events crnn": ("--epochs", "1"),
        "keywords auto": (),
        "context ngrams": (),
        "context discourse": ("--trees", "3"),
        "context classifier": TINY,
        "context language-model": TINY,
        "context discourse, develop": ("--trees", "3", *developed),
    }
    for name, more in cases.items():
        task, system = name.partition(",")[0].split()
        study = studies[task].folder if developed[0] in more else places[task]
        out = ("--out", str(folder / f"learned-{task}-{system}"), "--study", str(study))
        sounds = sorted((places[task] / "1-material").glob("sound/**/*.*"))[:1]
        items, truth = (places[task] / "1-material" / f"{one}.jsonl" for one in ("items", "truth"))
        for file in (items, truth, *sounds):
            words = ("train", task, system, *more, *out)
            label = f"train {name}: {file.suffix if file in sounds else file.name}"
            yield Reader(label, file, file.read_bytes(), words, places[task], takes_seconds=True)


def _sounds(folder: Path) -> Iterator[Reader]:
    import numpy as np
    import soundfile

    samples = np.sin(np.arange(16000) / 20).astype("float32") / 4
    for ending in ("wav", "flac", "ogg"):
        file = io.BytesIO()
        soundfile.write(file, samples, 16000, format=ending)
        place = folder / f"sounds-{ending}"
        (place / "dog").mkdir(parents=True)
        new, sound = folder / f"new-{ending}", place / "dog" / f"a.{ending}"
        for task, flags in _sound_options(place, folder):
            words = ("make", task, str(new), *flags)
            yield Reader(f"{task}: {flags[-2]} {ending}", sound, file.getvalue(), words, new)
    own = folder / "recordings"
    shutil.copytree(folder / "keywords-input" / "recordings", own)
    sound = sorted(own.rglob("*.wav"))[0]
    words = ("make", "keywords", str(folder / "new"), *COUNTS, "--recordings", str(own))
    yield Reader("keywords: --recordings", sound, sound.read_bytes(), words, folder / "new")


COUNTS = ("--positives", "1", "--own-words", "0", "--impostors", "0", "--strangers", "0",
          "--near-misses", "0")  # fmt: skip


def _sound_options(place: Path, folder: Path) -> Iterator[tuple[str, tuple[str, ...]]]:
    few = ("--recordings", "1", "--seconds", "10")
    yield "events", (*few, "--sounds", str(place))
    own = ("--recordings", str(folder / "keywords-input" / "recordings"))
    yield "keywords", (*COUNTS, *own, "--noises", str(place / "dog"))
    yield "keywords", (*COUNTS, *own, "--rooms", str(place / "dog"))


def _own_files(folder: Path) -> Iterator[Reader]:
    """Yield the files of a study itself, read by the verbs that follow."""
    study = small_study("boundaries", folder / "own").folder
    name = str(study)
    by_verb = {
        "study.toml": ("show", name),
        "1-material/items.jsonl": ("score", name, "--against", "panel", "--resamples", "5"),
        "1-material/truth.jsonl": ("score", name, "--against", "truth", "--resamples", "5"),
        "2-answers/units.jsonl": ("reconcile", name),
        "2-answers/answers.jsonl": ("reconcile", name),
        "3-references/panel.jsonl": ("score", name, "--against", "panel", "--resamples", "5"),
        "4-outputs/pauses/outputs.jsonl": ("score", name, "--against", "panel", "--resamples", "5"),
        "4-outputs/pauses/cost.json": ("run", name, "pauses"),
        "4-outputs/SHA256SUMS": ("run", name, "pauses"),
        "5-scores/board-panel.json": ("report", name),
        "5-scores/pauses--panel.json": ("report", name),
    }
    for file, words in by_verb.items():
        whole = (study / file).read_bytes()
        yield Reader(f"study: {file}", study / file, whole, words, study)
        check = ("verify", name)
        yield Reader(f"verify: {file}", study / file, whole, check, study, answers_no=True)
