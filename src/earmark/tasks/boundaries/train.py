"""Training the two networks, from a study or from text named on the command line."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from earmark.task.options import described_like
from earmark.task.task import Json, Training
from earmark.tasks.boundaries.formats import LINE, MarkedText, Units, read_texts
from earmark.tasks.boundaries.make import transcript_of
from earmark.tasks.boundaries.score.pairs import consensus
from earmark.tasks.boundaries.values import panel_of
from earmark.values.errors import InputError

if TYPE_CHECKING:
    from earmark.learn.fit import TrainingPlan, TrainingResult
    from earmark.tasks.boundaries.run.learned import Learned, Lesson, Shape

SIZES: Mapping[str, Mapping[str, float]] = {
    "cnn": {"width": 128, "layers": 4, "dropout": 0.4},
    "gru": {"width": 128, "hidden": 96, "dropout": 0.4},
}
HELD_OUT = 0.07
MANY = 10


def train_cnn(  # noqa: PLR0913
    train_on: Training | None,
    *,
    out: Path,
    seed: int,
    text: tuple[Path, ...] = (),
    units: Units | None = None,
    encoding: str = "utf-8",
    epochs: int = 10,
    width: int = 128,
    layers: int = 4,
    dropout: float = 0.4,
    vocabulary: int = 100_000,
    cpu_seconds: float | None = None,
) -> Json:
    """Train the convolution on text with marks, or on a study.

    Parameters
    ----------
    text
        A file, or a folder of files, in any format that `measure` reads.
    units
        What ends a sentence in the text: its lines or its marks; by default what the format means.
    encoding
        How plain text is written that is not UTF-8: latin-1, cp1252 ...
    epochs
        How often all of the text is read.
    width
        Length of a word's vector, and channels of each layer.
    layers
        Layers; the window holds twice as many words and one.
    dropout
        Share of numbers that are dropped while training.
    vocabulary
        The most words that have a vector of their own; they must occur twice.
    cpu_seconds
        Stop after the epoch in which so much processor time was used.
    """
    shape = _shape("cnn", {"width": width, "layers": layers, "dropout": dropout}, vocabulary)
    lessons = _lessons(train_on, text, units, encoding)
    return _train(lessons, shape, out=out, seed=seed, plan=_plan(epochs, cpu_seconds))


@described_like(train_cnn)
def train_gru(  # noqa: PLR0913
    train_on: Training | None,
    *,
    out: Path,
    seed: int,
    text: tuple[Path, ...] = (),
    units: Units | None = None,
    encoding: str = "utf-8",
    epochs: int = 10,
    width: int = 128,
    hidden: int = 96,
    dropout: float = 0.4,
    vocabulary: int = 100_000,
    cpu_seconds: float | None = None,
) -> Json:
    """Train the reader with attention on text with marks, or on a study.

    Parameters
    ----------
    width
        Length of a word's vector.
    hidden
        Size of each GRU and of the attention.
    """
    shape = _shape("gru", {"width": width, "hidden": hidden, "dropout": dropout}, vocabulary)
    lessons = _lessons(train_on, text, units, encoding)
    return _train(lessons, shape, out=out, seed=seed, plan=_plan(epochs, cpu_seconds))


def _shape(kind: str, sizes: Mapping[str, float], vocabulary: int = 100_000) -> "Shape":
    from earmark.tasks.boundaries.run.learned import Shape

    return Shape(kind, dict(sizes), vocabulary=vocabulary)


def _train(
    lessons: "list[Lesson]", shape: "Shape", *, out: Path, seed: int, plan: "TrainingPlan"
) -> Json:
    from earmark.tasks.boundaries.run.learned import learn, write

    training, held_out = split(lessons)
    model, done = learn(training, held_out, shape=shape, plan=plan, seed=seed)
    model.card = card_of(model, done, lessons, seed)
    write(model, out)
    return model.card


def learn_from(kind: str, lessons: "list[Lesson]", *, seed: int) -> "Learned":
    """The network trained on lessons, part of which choose the epoch and the threshold."""
    from earmark.tasks.boundaries.run.learned import learn

    training, held_out = split(lessons)
    return learn(
        training, held_out, shape=_shape(kind, SIZES[kind]), plan=_plan(10, None), seed=seed
    )[0]


def _plan(epochs: int, cpu_seconds: float | None) -> "TrainingPlan":
    from earmark.learn.fit import TrainingPlan

    return TrainingPlan(epochs=epochs, rate=3e-3, smoothing=0.98, cpu_seconds=cpu_seconds)


def card_of(model: "Learned", done: "TrainingResult", lessons: "list[Lesson]", seed: int) -> Json:
    """What was trained, on how much, and how well it did on what was held out."""
    return {
        "system": model.shape.kind,
        "sizes": dict(model.shape.sizes),
        "parameters": sum(part.numel() for part in model.net.parameters()),
        "vocabulary": len(model.vocabulary.words),
        "texts": len(lessons),
        "words": sum(len(lesson.words) for lesson in lessons),
        "held_out_share": HELD_OUT,
        "held_out_f1": done.best,
        "threshold": model.threshold,
        "epochs": len(done.log),
        "best_epoch": done.best_epoch + 1,
        "cpu_seconds": round(done.cpu_seconds, 1),
        "seed": seed,
        "log": [asdict_rounded(row) for row in done.log],
    }


def asdict_rounded(row: Mapping[str, float]) -> dict[str, float]:
    """A row of the log with four digits."""
    return {name: round(value, 4) for name, value in row.items()}


def split(lessons: "list[Lesson]") -> "tuple[list[Lesson], list[Lesson]]":
    """What is trained on, and what is held out: every 14th of many texts, else the end of each.

    Where there is too little to hold anything out, both are the same.
    """
    from earmark.tasks.boundaries.run.learned import Lesson

    if len(lessons) >= MANY:
        every = round(1 / HELD_OUT)
        held = [lesson for at, lesson in enumerate(lessons) if at % every == every // 2]
        kept = [lesson for at, lesson in enumerate(lessons) if at % every != every // 2]
        return kept, held
    cuts = [max(1, round(len(lesson.words) * (1 - HELD_OUT))) for lesson in lessons]
    kept = [
        Lesson(lesson.words[:cut], lesson.classes[:cut])
        for lesson, cut in zip(lessons, cuts, strict=True)
    ]
    held = [
        Lesson(lesson.words[cut:], lesson.classes[cut:])
        for lesson, cut in zip(lessons, cuts, strict=True)
        if cut < len(lesson.words)
    ]
    return kept, held or kept


def _lessons(
    train_on: Training | None, text: tuple[Path, ...], units: Units | None, encoding: str
) -> "list[Lesson]":
    if train_on is None and not text:
        raise InputError("training needs text", fix="name a file with --text, or a --study")
    lessons = lessons_of(train_on) if train_on else []
    for path in text:
        for people in read_texts(path, encoding=encoding).values():
            marked = next(iter(people.values())).only_words()
            lessons.append(lesson_from(marked, units or marked_units(path, marked)))
    ends = sum(one in (2, 3) for lesson in lessons for one in lesson.classes)
    if ends < MANY:
        raise InputError(
            "there are too few sentence ends to learn from",
            got=f"{ends} ends in {sum(len(lesson.words) for lesson in lessons)} words",
            fix="check --units, or name more text",
        )
    return lessons


def marked_units(path: Path, marked: MarkedText) -> Units:
    """Running text is read by its marks, unless it has none."""
    ends = sum(any(mark in ".?!;" for mark in found) for found in marked.marks)
    return "marks" if ends * 200 >= len(marked.words) else "lines"


def lesson_from(marked: MarkedText, units: Units) -> "Lesson":
    """Words with the class of the mark after each: none, comma, full stop, question."""
    from earmark.tasks.boundaries.run.learned import Lesson

    return Lesson(marked.words, [class_of(mark, units) for mark in marked.marks])


def class_of(mark: str, units: Units) -> int:
    """The class of what stands after a word.

    Examples
    --------
    >>> [class_of(mark, "marks") for mark in ("", ",", "?", ";", ".")]
    [0, 1, 3, 2, 2]
    """
    ended = LINE in mark if units == "lines" else any(sign in ".!;?…" for sign in mark)
    if ended:
        return 3 if "?" in mark else 2
    return 1 if "," in mark or ":" in mark else 0


def lessons_of(train_on: Training) -> "list[Lesson]":
    """What a study teaches: sentence ends only; of a panel, those that half of it marked."""
    from earmark.tasks.boundaries.run.learned import Lesson

    lessons: list[Lesson] = []
    for item in train_on.items:
        panel = panel_of(train_on.reference.values[item.id])
        ends = set(consensus(panel, share=0.5, final=True).tolist())
        words = transcript_of(item).words
        classes: Sequence[int] = [2 if at in ends else 0 for at in range(len(words))]
        lessons.append(Lesson(words, classes))
    return lessons
