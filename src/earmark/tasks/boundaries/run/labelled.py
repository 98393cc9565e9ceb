"""Texts to learn from: words, and what comes after each."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from earmark.stats.rates import proportion
from earmark.task.task import Training
from earmark.tasks.boundaries.formats import ENDS, LINE, MarkedText, Units, read_texts
from earmark.tasks.boundaries.score.pairs import consensus
from earmark.tasks.boundaries.values import panel_of, transcript_of
from earmark.values.errors import InputError

# The classes that the networks learn, those of the IWSLT punctuation task; only the last two are
# sentence ends.
NONE, COMMA, FULL_STOP, QUESTION = 0, 1, 2, 3
CLASSES = ("", ",", ".", "?")
SENTENCE_ENDS = (FULL_STOP, QUESTION)
# Besides the marks that end a unit, an ellipsis: in running text it ends a sentence.
ENDING_MARKS = f"{ENDS}…"

# Share of the words that choose the epoch and the threshold; of many texts every 14th. Chosen by
# hand; not tuned.
HELD_OUT = 0.07
FEWEST_TEXTS = 10  # from this many on, whole texts are held out
FEWEST_ENDS = 10  # with fewer sentence ends, training is refused
# Running text has a sentence end about every 15 words (TED talks: 14.5); with fewer than one in 200
# its marks are stray, and its lines are taken for units.
WORDS_PER_END = 200


@dataclass(frozen=True, slots=True)
class LabelledText:
    """One text to learn from: its words, and the class of the mark after each."""

    words: Sequence[str]
    classes: Sequence[int]


def labelled_from_study(train_on: Training) -> list[LabelledText]:
    """Return a study's texts with sentence ends only; of a panel, those that half of it marked."""
    texts = []
    for item in train_on.items:
        panel = panel_of(train_on.reference.values[item.id])
        ends = set(consensus(panel, share=0.5, final=True).tolist())
        words = transcript_of(item).words
        classes = [FULL_STOP if word in ends else NONE for word in range(len(words))]
        texts.append(LabelledText(words, classes))
    return texts


def labelled_from_files(
    paths: Sequence[Path], *, units: Units | None, encoding: str
) -> list[LabelledText]:
    """Return the texts of files; `units` None means what each text's punctuation suggests."""
    texts = []
    for path in paths:
        for people in read_texts(path, encoding=encoding).values():
            text = next(iter(people.values())).only_words()
            texts.append(labelled(text, units or likely_units(text)))
    return texts


def labelled(text: MarkedText, units: Units) -> LabelledText:
    """Return the words with the class of the mark after each."""
    return LabelledText(text.words, [class_of(mark, units) for mark in text.marks])


def likely_units(text: MarkedText) -> Units:
    """Return what ends a sentence in running text: its marks, unless it has hardly any."""
    ends = sum(any(sign in ENDS for sign in mark) for mark in text.marks)
    return "marks" if ends * WORDS_PER_END >= len(text.words) else "lines"


def class_of(mark: str, units: Units) -> int:
    """Return the class of what comes after a word.

    Examples
    --------
    >>> [class_of(mark, "marks") for mark in ("", ",", "?", ";", ".")]
    [0, 1, 3, 2, 2]
    """
    is_end = LINE in mark if units == "lines" else any(sign in ENDING_MARKS for sign in mark)
    if is_end:
        return QUESTION if "?" in mark else FULL_STOP
    return COMMA if "," in mark or ":" in mark else NONE


def require_ends(texts: Sequence[LabelledText]) -> None:
    """Raise InputError if the texts have too few sentence ends to learn from."""
    ends = sum(label in SENTENCE_ENDS for text in texts for label in text.classes)
    if ends < FEWEST_ENDS:
        raise InputError(
            "there are too few sentence ends to learn from",
            got=f"{ends} ends in {sum(len(text.words) for text in texts)} words",
            fix="check --units, or name more text",
        )


@dataclass(frozen=True, slots=True)
class HeldOutSplit:
    """The texts to train on, and those that choose the epoch and the threshold."""

    training: list[LabelledText]
    held_out: list[LabelledText]


def split_held_out(texts: Sequence[LabelledText]) -> HeldOutSplit:
    """Hold out every 14th of many texts, else the end of each text.

    Where there is too little to hold anything out, both sides are the same.
    """
    if len(texts) >= FEWEST_TEXTS:
        every = round(proportion(1, of=HELD_OUT))
        training = [text for k, text in enumerate(texts) if k % every != every // 2]
        held_out = [text for k, text in enumerate(texts) if k % every == every // 2]
        return HeldOutSplit(training, held_out)
    cuts = [max(1, round(len(text.words) * (1 - HELD_OUT))) for text in texts]
    training = [
        LabelledText(text.words[:cut], text.classes[:cut])
        for text, cut in zip(texts, cuts, strict=True)
    ]
    held_out = [
        LabelledText(text.words[cut:], text.classes[cut:])
        for text, cut in zip(texts, cuts, strict=True)
        if cut < len(text.words)
    ]
    return HeldOutSplit(training, held_out or training)
