"""Sounds of every option, in every format that is read."""

import io
import shutil
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

from tests.torture.reader import Reader, Words

from earmark.study import Study

RATE = 16000
ENDINGS = ("wav", "flac", "ogg", "mp3")
COUNTS = ("--positives", "1", "--own-words", "0", "--impostors", "0", "--strangers", "0",
          "--near-misses", "0")  # fmt: skip


def sound_readers(folder: Path, studies: dict[str, Study]) -> Iterator[Reader]:
    """Yield the readers of sounds."""
    for ending in ENDINGS:
        yield from _of_options(folder, ending)
    yield from _recordings(folder)
    yield from _challenge(folder, studies["keywords"])
    yield from _takes(folder)


def tone(ending: str, seconds: float = 1.0) -> bytes:
    """Return a sound of a second."""
    import numpy as np
    import soundfile

    file = io.BytesIO()
    samples = np.sin(np.arange(int(RATE * seconds)) / 20).astype("float32") / 4
    soundfile.write(file, samples, RATE, format=ending)
    return file.getvalue()


def _of_options(folder: Path, ending: str) -> Iterator[Reader]:
    place, new = folder / f"sounds-{ending}", folder / f"new-{ending}"
    sound = place / "dog" / f"a.{ending}"
    sound.parent.mkdir(parents=True)
    captions = folder / f"heard-{ending}.csv"
    captions.write_text(f"item,caption,sound\na,a dog barks,a.{ending}\n", encoding="utf-8")
    own = ("--recordings", str(folder / "keywords-input" / "recordings"))
    options: tuple[Words, ...] = (
        ("events", "--recordings", "1", "--seconds", "10", "--sounds", str(place)),
        ("events", "--labels", "dog", "--audio", str(place)),
        ("captions", "--captions", str(captions), "--sounds", str(sound.parent)),
        ("keywords", *COUNTS, *own, "--noises", str(sound.parent)),
        ("keywords", *COUNTS, *own, "--rooms", str(sound.parent)),
    )
    for task, *flags in options:
        words = ("make", task, str(new), *flags)
        yield Reader(f"{task}: {flags[-2]} {ending}", sound, tone(ending), words, new)


def _recordings(folder: Path) -> Iterator[Reader]:
    own, new = folder / "recordings", folder / "new"
    shutil.copytree(folder / "keywords-input" / "recordings", own)
    sound = sorted(own.rglob("*.wav"))[0]
    words = ("make", "keywords", str(new), *COUNTS, "--recordings", str(own))
    yield Reader("keywords: --recordings", sound, sound.read_bytes(), words, new)
    listen = ("listen", str(sound.parent), str(sound))
    yield Reader("listen: a sound", sound, sound.read_bytes(), listen, takes_seconds=True)
    model = folder / "listen.npz"
    model.write_bytes(files("earmark.tasks.keywords").joinpath("models/auto.npz").read_bytes())
    by_model = (*listen, "--model", str(model))
    yield Reader("listen: --model", model, model.read_bytes(), by_model, takes_seconds=True)


def _challenge(folder: Path, study: Study) -> Iterator[Reader]:
    """Yield a challenge in its layout: sounds to enrol, to test, and labels."""
    out, new = folder / "exported-challenge", folder / "taken"
    study.export(out, "auto-kws")
    challenge, labels = out / "challenge", out / "labels"
    words = ("make", "keywords", str(new), "--enrolments", "1")
    whole = (*words, "--challenge", str(challenge), "--labels", str(labels))
    for part in ("enroll", "test"):
        sound = sorted(challenge.glob(f"*/{part}/*.*"))[0]
        yield Reader(f"keywords: --challenge {part}", sound, sound.read_bytes(), whole, new)
    file = sorted(labels.iterdir())[0]
    alone = ("make", "keywords", str(new), "--labels", str(labels))
    yield Reader("keywords: --labels", file, file.read_bytes(), whole, new, others=(alone,))


def _takes(folder: Path) -> Iterator[Reader]:
    """Yield what contributors send: a text to read, a table of recordings, and a recording."""
    prompts, study, new = folder / "prompts.txt", folder / "prompted", folder / "prompts-new"
    prompts.write_text("open sesame\nclose the door\n", encoding="utf-8")
    words: Words = ("make", "keywords", str(new), "--text", str(prompts))
    yield Reader("keywords: --text", prompts, prompts.read_bytes(), words, new)
    made = Study.create(study, task="keywords")
    made.make(text=prompts)
    made.ask(takes=1)
    place = folder / "takes"
    place.mkdir()
    (place / "a.wav").write_bytes(tone("wav"))
    table = place / "takes.csv"
    table.write_text(f"item,person,file,language\n{made.units()[0].id},ana,a.wav,English\n")
    words, whole = ("ask", str(study), "--import", str(table)), table.read_bytes()
    yield Reader("keywords: --import", table, whole, words, study)
    yield Reader("keywords: a take", place / "a.wav", tone("wav"), words, study)
    known = place / "known.csv"
    yield Reader("keywords: --known", known, whole, (*words, "--known", str(known)), study)
