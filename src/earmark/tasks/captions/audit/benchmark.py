"""A benchmark of preferences in the format of FENSE: pairs of captions that people compared."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from earmark.files.json_text import read_json
from earmark.tasks.captions.values import KINDS
from earmark.values.errors import InputError

PAIR_KEY = re.compile(r"(HC|HI|HM|MM)(?:_(\d+))?")
LEFT_OUT = 4  # references left of five, as in FENSE's protocol
VOTES = (-1, 0, 1)


@dataclass(frozen=True, slots=True)
class Contest:
    """Two captions of one sound, what each is compared with, and what people said.

    `votes` holds 1 where a judge preferred the first, -1 the second, 0 neither.
    """

    sound: str
    kind: str
    captions: tuple[str, str]
    references: tuple[tuple[str, ...], tuple[str, ...]]
    votes: tuple[int, ...]

    @property
    def preferred(self) -> int:
        """The sum of the votes: positive for the first, negative for the second, 0 for neither."""
        return sum(self.votes)


def read_benchmark(path: Path) -> tuple[Contest, ...]:
    """Read the contests of a file: all HC, then HI, HM, and MM sound by sound."""
    sounds = _load(path)
    contests = [c for number, sound in enumerate(sounds) for c in _contests(sound, number, path)]
    if not contests:
        raise InputError(
            "a benchmark needs at least one pair", at=path, want="keys HC, HI, HM, MM_1"
        )
    order = {kind: rank for rank, kind in enumerate(KINDS)}
    return tuple(sorted(contests, key=lambda contest: order[contest.kind]))


def _load(path: Path) -> list[dict[str, Any]]:
    sounds = read_json(path, what="a benchmark is a JSON file")
    if not isinstance(sounds, list) or not all(isinstance(sound, dict) for sound in sounds):
        raise InputError("a benchmark is a list of sounds", at=path, want='[{"references": [...]}]')
    return sounds


def _contests(sound: Mapping[str, Any], number: int, path: Path) -> Iterator[Contest]:
    name = str(sound.get("audio_id") or sound.get("raw_name") or number)
    where = f"{path}, sound {number} ({name})"
    references = sound.get("references")
    if not isinstance(references, list) or not all(isinstance(r, str) for r in references):
        raise InputError("a sound has a list of references", at=where, got=references)
    keys = [(match, key) for key in sound if (match := PAIR_KEY.fullmatch(key)) and sound[key]]
    # The place in the list keeps apart two clips of one recording, or sounds without a name.
    for match, key in sorted(keys, key=lambda pair: (pair[0][1], int(pair[0][2] or 0))):
        pair = _checked(sound[key], f"{where}, {key}")
        captions = (pair[0], pair[1])
        yield Contest(
            sound=f"{number:05d} {name}",
            kind=match[1],
            captions=captions,
            references=_compared_with(match[1], captions, tuple(references)),
            votes=tuple(pair[-1]),
        )


def _checked(pair: Any, where: str) -> list[Any]:
    fits = isinstance(pair, list) and len(pair) >= 3
    if not fits or not all(isinstance(caption, str) for caption in pair[:2]):
        raise InputError("a pair is two captions, their sources and the votes", at=where, got=pair)
    votes = pair[-1]
    if not isinstance(votes, list) or not votes or any(one not in VOTES for one in votes):
        raise InputError("votes are 1, -1 or 0", at=where, got=votes)
    return list(pair)


def _compared_with(
    kind: str, captions: tuple[str, str], references: tuple[str, ...]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    if kind == "MM":
        return references, references
    if kind == "HC":
        return without(references, captions[0]), without(references, captions[1])
    own = captions[0] if captions[0] in references or captions[1] not in references else captions[1]
    left = without(references, own)
    return left, left


def without(references: tuple[str, ...], caption: str) -> tuple[str, ...]:
    """Return the references that differ from the caption, repeated from the start up to four.

    Examples
    --------
    >>> without(("a", "b", "a", "c"), "a")
    ('b', 'c', 'b', 'c')
    """
    left = tuple(reference for reference in references if reference != caption)
    if not left:
        return references
    times = -(-LEFT_OUT // len(left))
    return left if len(left) >= LEFT_OUT else (left * times)[:LEFT_OUT]


def leave_one_out(references: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Return each choice of all references but one; in MM, n-gram metrics average over them."""
    if len(references) <= LEFT_OUT:
        return (references,)
    return tuple(references[:k] + references[k + 1 :] for k in range(len(references)))
