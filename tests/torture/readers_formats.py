"""Formats that `measure`, `make`, `audit` and `reconcile` read: a whole file of each."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path

from tests.files.test_hostile_files import READERS, SRT, VTT, command
from tests.torture.reader import Reader, Words

from earmark.study import Study
from earmark.tasks.context.talks import TALKS

# Files that are read to their end, where those of the tests of damage are refused for another
# reason: a talk of 200 words, one caption per item, labels with scores, whole votes.
TALK, OTHER = (" ".join(" ".join(half).split()) for half in (
    list(TALKS.values())[::2], list(TALKS.values())[1::2]
))  # fmt: skip
LINES = "".join(json.dumps({"id": name, "text": text}) + "\n" for name, text in TALKS.items())
# Of these a document is a file: a noun's substitute comes from another one, which is whole.
DOCUMENTS = {
    "context: text", "context: talks", "context: recogniser", "context: CoNLL-U", "context: SRT",
    "context: VTT",
}  # fmt: skip
UNITS = "\n".join(part.strip() for text in TALKS.values() for part in text.split("."))
QUICK = {"captions: CSV": ("--metric", "rouge_l"), "captions: JSON lines": ("--metric", "rouge_l")}
VOTES = json.dumps(
    [
        {"references": ["a dog barks", "dogs bark"], "HC": ["a dog", "dogs", "a", "b", [1, 1, 0]]},
        {"references": ["rain falls", "it rains"], "HI": ["rain", "a car", "a", "b", [1, 0, 1]]},
    ]
)
WHOLE = {
    "context: SRT": SRT.replace("we are here", TALK),
    "context: VTT": VTT.replace("we are here", TALK),
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


def format_readers(folder: Path, studies: dict[str, Study]) -> Iterator[Reader]:
    """Yield the readers of files that need no study."""
    yield from _formats(folder)
    yield from _exported(folder, studies)


def _formats(folder: Path) -> Iterator[Reader]:
    every = {**READERS, "context: SRT": ("t.srt", SRT, ()), "context: VTT": ("t.vtt", VTT, ())}
    for number, (name, (file, whole, _)) in enumerate(every.items()):
        place = folder / f"format-{number}"
        place.mkdir()
        path = place / file
        words: tuple[str, ...] = ()
        new = place / "new" if name.startswith("context") and name != "context: labels" else None
        if name in READERS:
            words = (*command(name, path), *QUICK.get(name, ()))
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


# What a study exports is what `measure` reads: format to the ending of the file that is changed.
EXPORTED = {
    "events": {
        "jams": ".jams", "audacity": ".txt", "textgrid": ".TextGrid", "elan": ".eaf",
        "rttm": ".rttm", "csv": ".csv", "parquet": ".parquet",
    },
    "boundaries": {
        "text": ".txt", "labels": ".tsv", "seg": ".seg", "textgrid": ".TextGrid", "elan": ".eaf",
        "rttm": ".rttm", "srt": ".srt", "vtt": ".vtt",
    },
}  # fmt: skip
MORE = {"text": ("--units", "marks")}


def _exported(folder: Path, studies: dict[str, Study]) -> Iterator[Reader]:
    """Yield the formats that studies export, each measured against itself."""
    words: Words
    for task, endings in EXPORTED.items():
        for to, ending in endings.items():
            out = folder / f"exported-{task}-{to}"
            studies[task].export(out, to, what="references", reference="truth")
            file = sorted(path for path in out.rglob("*") if path.name.endswith(ending))[0]
            side = file if file.parent == out else file.parent
            words = ("measure", task, "--reference", str(side), "--output", str(side))
            yield Reader(
                f"{task}: exported {to}", file, file.read_bytes(), (*words, *MORE.get(to, ()))
            )
    out, new = folder / "exported-boundaries-ctm", folder / "new-ctm"
    studies["boundaries"].export(out, "ctm")
    file = sorted(out.rglob("*.ctm"))[0]
    words = ("make", "boundaries", str(new), "--text", str(file))
    yield Reader("boundaries: exported ctm", file, file.read_bytes(), words, new)
