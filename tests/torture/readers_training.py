"""What `train` learns from: text, captions, votes, and the material of studies."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.files.test_hostile_files import CONLLU
from tests.torture.reader import Reader, Words
from tests.torture.readers_formats import UNITS, VOTES
from tests.torture.readers_sounds import tone

from earmark.study import Study

SPEECH = "We meet here today, with open hearts and open doors.\n"
SMALL = ("--epochs", "1", "--width", "8")
TINY = ("--epochs", "1", "--vocabulary", "50", "--embedding", "4", "--units", "4")


def training_readers(folder: Path, studies: dict[str, Study]) -> Iterator[Reader]:
    """Yield the readers of what systems learn from."""
    yield from _texts(folder)
    yield from _clips(folder)
    yield from _studies(folder, studies)


def _texts(folder: Path) -> Iterator[Reader]:
    place = folder / "train"
    place.mkdir()
    (place / "good.conllu").write_text(CONLLU, encoding="utf-8")
    rows = "caption\n" + "".join(f"a dog barks {n} times\n" for n in range(120))
    captions = str(place / "good.csv")
    Path(captions).write_text(rows, encoding="utf-8")
    (place / "good.txt").write_text(UNITS, encoding="utf-8")
    few, good = ("--epochs", "1", "--made-captions", "5"), str(place / "good.conllu")
    known = ("--text", str(place / "good.txt"))
    cases: dict[str, tuple[str, str, str, Words]] = {
        "captions parser": ("--treebank", "t.conllu", CONLLU, few),
        "captions parser, dev": ("--dev", "d.conllu", CONLLU, (*few, "--treebank", good)),
        "captions fluency": ("--captions", "c.csv", rows, ()),
        "captions fluency, text": ("--text", "t.txt", SPEECH, ("--captions", captions)),
        "captions listener": ("--benchmark", "b.json", VOTES, ()),
        "context tagger": ("--text", "t.conllu", CONLLU, ()),
        "context tagger, test": ("--test", "e.conllu", CONLLU, ("--text", good)),
        "boundaries cnn": ("--text", "t.txt", UNITS, (*SMALL, "--layers", "1")),
        "boundaries gru": ("--text", "t.txt", UNITS, (*SMALL, "--hidden", "4")),
        "boundaries cnn, develop": ("--develop", "d.txt", UNITS, (*SMALL, *known)),
        "boundaries gru, develop": ("--develop", "d.txt", UNITS, (*SMALL, *known)),
    }
    for name, (flag, file, whole, more) in cases.items():
        task, system = name.partition(",")[0].split()
        path = place / f"{task}-{system}-{file}"
        out = str(place / f"{task}-{system}-{flag.strip('-')}")  # a folder, or a file
        words = ("train", task, system, flag, str(path), *more, "--out", out)
        yield Reader(f"train {name}", path, whole.encode(), words, takes_seconds=True)


def _clips(folder: Path) -> Iterator[Reader]:
    """Yield clips that soundscapes to learn from are mixed of."""
    place = folder / "train-clips"
    for label in ("cat", "dog"):
        (place / label).mkdir(parents=True)
        for number in range(2):
            (place / label / f"{number}.wav").write_bytes(tone("wav"))
    sound, out = place / "dog" / "0.wav", str(folder / "train-clips.model")
    words: Words = (
        "train",
        "events",
        "crnn",
        "--sounds",
        str(place),
        "--epochs",
        "1",
        "--nets",
        "1",
    )
    words = (*words, "--out", out)
    yield Reader("train events crnn: --sounds", sound, tone("wav"), words, takes_seconds=True)


def _studies(folder: Path, studies: dict[str, Study]) -> Iterator[Reader]:
    """Yield the files of studies that systems learn from, and those that a threshold is from."""
    places = {task: folder / f"learn-{task}" for task in ("keywords", "context")}
    shutil.copytree(studies["context"].folder, places["context"])
    places["events"] = folder / "learn-events"
    Study.create(places["events"], task="events").make(recordings=2, seconds=10.0)
    few: dict[str, Any] = {"own_words": 1, "impostors": 1, "strangers": 0, "near_misses": 0}
    given = folder / "keywords-input" / "recordings"
    Study.create(places["keywords"], task="keywords").make(recordings=given, positives=1, **few)
    developed = ("--develop", str(places["context"]))
    places["boundaries"] = folder / "learn-boundaries"
    shutil.copytree(studies["boundaries"].folder, places["boundaries"])
    places["captions"], table = folder / "learn-captions", folder / "learn-captions.csv"
    rows = "".join(f"s{n % 25},a dog barks {n} times\n" for n in range(125))
    table.write_text(f"item,caption\n{rows}", encoding="utf-8")
    Study.create(places["captions"], task="captions").make(captions=table)
    cases: dict[str, Words] = {
        "boundaries cnn": (*SMALL, "--layers", "1"),
        "captions fluency": (),
        "events crnn": ("--epochs", "1"),
        "events energy": (),
        "events frequent": (),
        "events loud": (),
        "keywords auto": (),
        "context ngrams": (),
        "context discourse": ("--trees", "3"),
        "context classifier": TINY,
        "context language-model": TINY,
        "context discourse, develop": ("--trees", "3", *developed),
        # the same documents: refused, after both were read
        "context discourse, also": ("--trees", "3", "--also", str(places["context"])),
        "context ngrams, develop": developed,
        "context classifier, develop": (*TINY, *developed),
        "context language-model, develop": (*TINY, *developed),
    }
    for name, more in cases.items():
        task, system = name.partition(",")[0].split()
        study = studies[task].folder if str(places[task]) in more else places[task]
        out = ("--out", str(folder / f"learned-{task}-{system}"), "--study", str(study))
        sounds = sorted((places[task] / "1-material").glob("sound/**/*.*"))[:1]
        items, truth = (places[task] / "1-material" / f"{one}.jsonl" for one in ("items", "truth"))
        for file in (items, truth, *sounds):
            words = ("train", task, system, *more, *out)
            label = f"train {name}: {file.suffix if file in sounds else file.name}"
            yield Reader(label, file, file.read_bytes(), words, places[task], takes_seconds=True)
