"""Recordings of words, who said which, and how their speakers are divided into phases."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from earmark.stats.draw import stream
from earmark.tasks.keywords.files import sound_files
from earmark.values.errors import InputError

# Word to the files in which one speaker says it.
Words = Mapping[str, tuple[Path, ...]]


def read_recordings(folder: Path) -> dict[str, Words]:
    """Return each speaker's words and their files, from <speaker>/<word>/<take>.wav."""
    if not folder.is_dir():
        raise InputError("there is no such folder of recordings", at=folder)
    speakers = {
        place.name: {w.name: sound_files(w) for w in sorted(place.iterdir()) if sound_files(w)}
        for place in sorted(folder.iterdir())
        if place.is_dir()
    }
    speakers = {name: words for name, words in speakers.items() if words}
    if len(speakers) < 2:
        raise InputError(
            "a challenge needs at least two speakers: one is an impostor to the other",
            at=folder,
            got=f"{len(speakers)} speakers with sound files",
            want="<speaker>/<word>/<take>.wav",
        )
    return {**speakers}


def divide_speakers(speakers: Sequence[str], phases: str, *, seed: int) -> dict[str, str]:
    """Return each speaker's phase, drawn by weight; every phase has at least two speakers."""
    weights = _phase_weights(phases)
    total = sum(weights.values())
    if total <= 0 or len(speakers) < 2 * len(weights):
        raise InputError(
            "every phase needs two speakers, who are impostors to each other",
            got=f"{len(speakers)} speakers for {len(weights)} phases",
        )
    sizes = {n: max(2, round(weight / total * len(speakers))) for n, weight in weights.items()}
    # Rounding may give a few speakers too many or too few: the largest phase evens that out.
    while sum(sizes.values()) != len(speakers):
        step = 1 if sum(sizes.values()) < len(speakers) else -1
        largest = max(sizes, key=lambda name: (sizes[name], name))
        sizes[largest] += step
    order = [speakers[k] for k in stream(seed, "phases").permutation(len(speakers))]
    phase_of = [name for name, size in sizes.items() for _ in range(size)]
    return dict(sorted(zip(order, phase_of, strict=True)))


def _phase_weights(phases: str) -> dict[str, float]:
    """Parse phase:weight pairs; a phase without a weight weighs 1."""
    weights = {}
    for part in phases.split(","):
        name, _, weight = part.strip().partition(":")
        if not name or (weight and not weight.replace(".", "", 1).isdigit()):
            raise InputError("phases are phase:weight pairs", got=part, want="train:5,practice:1")
        weights[name] = float(weight or 1)
    return weights


def choose_keyword(
    own: Words,
    others: Mapping[str, Words],
    rng: np.random.Generator,
    *,
    enrolments: int,
    at: Path,
) -> str:
    """Draw a word that the speaker said more than `enrolments` times.

    Words that other speakers said too are preferred: those speakers can be impostors.
    """
    enough = [word for word, paths in sorted(own.items()) if len(paths) > enrolments]
    if not enough:
        raise InputError(
            "a keyword needs more recordings than the enrolment uses",
            at=at,
            got=f"at most {max(map(len, own.values()))} recordings of a word",
            want=f"{enrolments + 1} or more",
        )
    shared = [word for word in enough if any(word in words for words in others.values())]
    words = shared or enough
    return str(words[rng.integers(len(words))])
