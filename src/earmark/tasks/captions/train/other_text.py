"""Sentences that are no captions, for a detector that must not take the unusual for disfluent."""

import re
from collections.abc import Sequence
from pathlib import Path

from earmark.files.text import read_text
from earmark.stats.draw import stream
from earmark.tasks.captions.score.fluency.features import words_and_commas
from earmark.text.conllu import read_conllu
from earmark.values.errors import InputError

TREEBANK = ".conllu"
AFTER_SENTENCE = re.compile(r"(?<=[.!?])\s+")
# A caption is about as long; titles, lists and the long sentences of speeches are left out.
SHORTEST, LONGEST = 5, 25  # words
PLAIN_WORD = re.compile(r"[a-z']+")
# Sentences of one file that are used at most: a caption in five or six is no caption then, with
# the 45,000 of AudioCaps. By hand.
PER_FILE = 8000


def other_sentences(paths: Sequence[Path], *, seed: int) -> list[str]:
    """Return the sentences of files, CoNLL-U or plain text, that are as long as captions.

    They are in lower case, with commas. Raise InputError for a file without any.
    """
    sentences: list[str] = []
    for path in paths:
        usable = [
            " ".join(words) for words in map(words_and_commas, _sentences(path)) if _fit(words)
        ]
        if not usable:
            raise InputError(
                "a text to learn from must have sentences that are as long as captions",
                at=path,
                want=f"{SHORTEST} to {LONGEST} words in letters, ending in a full stop",
            )
        order = stream(seed, "other text", path.name).permutation(len(usable))
        sentences += [usable[k] for k in order[:PER_FILE].tolist()]
    return sentences


def _sentences(path: Path) -> list[str]:
    if path.suffix == TREEBANK:
        return [" ".join(word.form for word in one.words) for one in read_conllu(path)]
    return AFTER_SENTENCE.split(" ".join(read_text(path).split()))


def _fit(tokens: Sequence[str]) -> bool:
    words = [token for token in tokens if token != ","]
    return SHORTEST <= len(words) <= LONGEST and all(map(PLAIN_WORD.fullmatch, words))
