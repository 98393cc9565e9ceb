"""A system's scores as lines of JSON: one per token of ours, or one per piece of another tokeniser.

A line is `{"id", "scores"}`. With `offsets`, the first character of each piece and the one after
its last, the scores may be of any pieces, as a subword tokeniser gives them: a token of ours takes
those of the pieces that overlap it. `logprobs` are natural logarithms of the probabilities of the
tokens or pieces; without `scores`, surprisal is the score.
"""

import math
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any, Literal

from earmark.task.options import option
from earmark.task.task import Json
from earmark.tasks.context.formats.lines import by_item
from earmark.tasks.context.formats.tokens import read_offsets
from earmark.tasks.context.values import Choice, Range, Scores
from earmark.values.errors import InputError

Aggregate = Literal["max", "mean", "sum"]
AGGREGATES: dict[Aggregate, Callable[[Sequence[float]], float]] = {
    "max": max,
    "mean": fmean,
    "sum": math.fsum,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreFileOptions:
    """How scores of pieces become scores of tokens."""

    aggregate: Aggregate = option(
        "max",
        "How a token's score comes from those of the pieces that overlap it, where a file has "
        "offsets; log probabilities are always summed.",
    )


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """One line of scores; `offsets` are those of the pieces that were scored, None for tokens."""

    at: str
    scores: tuple[float, ...]
    surprise: tuple[float, ...] | None = None
    offsets: tuple[Range, ...] | None = None
    threshold: float | None = None
    choices: tuple[Choice, ...] = ()

    def on_tokens(
        self, count: int, spans: tuple[Range, ...], how: ScoreFileOptions, *, of: str
    ) -> Scores:
        """Return one score per token; `spans` are their offsets, `of` says where tokens are.

        Raise InputError if there are more or fewer scores than tokens, or a token without a piece.
        """
        if self.offsets is None:
            if len(self.scores) != count:
                raise self._miscounted(count, of)
            return Scores(self.scores, self.threshold, self.surprise, self.choices)
        pieces = pieces_of(spans, self.offsets)
        self._refuse_uncovered(pieces, spans)
        rate = AGGREGATES[how.aggregate]
        scores = tuple(rate([self.scores[piece] for piece in own]) for own in pieces)
        surprise = None if self.surprise is None else _shared(self.surprise, pieces)
        return Scores(scores, self.threshold, surprise, self.choices)

    def _miscounted(self, count: int, of: str) -> InputError:
        return InputError(
            "there must be one score for every token",
            at=self.at,
            got=f"{len(self.scores)} scores, {count} tokens",
            want=f"the tokens of {of}",
            fix='score those tokens, or add the characters that each score is of: "offsets": '
            "[[0, 2], ...]",
        )

    def _refuse_uncovered(self, pieces: list[list[int]], spans: tuple[Range, ...]) -> None:
        bare = [token for token, own in enumerate(pieces) if not own]
        if bare:
            start, end = spans[bare[0]]
            last = max((one[1] for one in self.offsets or ()), default=0)
            raise InputError(
                "every token must overlap a piece that was scored",
                at=self.at,
                got=f"{len(bare)} of {len(spans)} tokens without a score, the first from character "
                f"{start} to {end}; the scores go to character {last} of {spans[-1][1]}",
                fix="score the whole text, a long one in parts; offsets are in characters of it",
            )


def read_score_rows(path: Path) -> dict[str, ScoreRow]:
    """Return the lines of a file of scores by item."""
    return by_item(path, _row)


def pieces_of(tokens: Sequence[Range], offsets: Sequence[Range]) -> list[list[int]]:
    """Return for each token which pieces overlap it; an empty piece overlaps none.

    Examples
    --------
    >>> pieces_of([(0, 2), (3, 7)], [(0, 0), (0, 2), (3, 5), (5, 7)])
    [[1], [2, 3]]
    """
    ends = [end for _, end in tokens]
    pieces: list[list[int]] = [[] for _ in tokens]
    for piece, (start, end) in enumerate(offsets):
        token = bisect_right(ends, start)
        while start < end and token < len(tokens) and tokens[token][0] < end:
            pieces[token].append(piece)
            token += 1
    return pieces


def _shared(surprise: Sequence[float], pieces: list[list[int]]) -> tuple[float, ...]:
    """Return the summed surprisal of each token; a piece of several tokens is shared equally."""
    uses: dict[int, int] = {}
    for own in pieces:
        for piece in own:
            uses[piece] = uses.get(piece, 0) + 1
    return tuple(math.fsum(surprise[piece] / uses[piece] for piece in own) for own in pieces)


def _row(row: Json, at: str) -> ScoreRow:
    surprise = _surprise(row, at)
    if row.get("scores") is None and surprise is not None:
        scores = surprise
    else:
        scores = _numbers(row, "scores", at)
    for name, numbers in (("scores", scores), ("surprise", surprise or ())):
        for token, number in enumerate(numbers):
            if not math.isfinite(number):
                raise InputError(
                    f"{'a score' if name == 'scores' else 'a surprisal'} must be a finite number",
                    at=f"{at}, token {token}",
                    fix="give every token a finite score",
                )
    given = row.get("offsets", row.get("offset_mapping"))  # the second is a tokeniser's own name
    offsets = read_offsets(given, at=at) if given is not None else None
    for what, many in (("offsets", offsets), ("log probabilities", surprise)):
        if many is not None and len(many) != len(scores):
            raise InputError(
                f"there must be as many {what} as scores",
                at=at,
                got=f"{len(scores)} scores, {len(many)} {what}",
            )
    return ScoreRow(at, scores, surprise, offsets, *_extras(row, at))


def _extras(row: Json, at: str) -> tuple[float | None, tuple[Choice, ...]]:
    threshold = row.get("threshold")
    if threshold is not None and not (_is_number(threshold) and math.isfinite(threshold)):
        raise InputError("a threshold must be a finite number", at=at, got=threshold)
    try:
        return threshold, tuple(Choice(**choice) for choice in row.get("choices", ()))
    except TypeError as error:
        raise InputError(
            "a choice must compare two words",
            at=at,
            got=error,
            want='{"at", "first", "second"}',
            fix="give log probabilities of both words",
        ) from error


def _surprise(row: Json, at: str) -> tuple[float, ...] | None:
    """Return surprisals in nats, from `logprobs` or from `surprise`; None if there are neither."""
    if row.get("logprobs") is not None:
        numbers = _numbers(row, "logprobs", at)
        if any(number > 0 for number in numbers):
            raise InputError(
                "log probabilities must not be positive",
                at=at,
                got=max(numbers),
                want="natural logarithms of probabilities, at most 0",
            )
        return tuple(-number for number in numbers)
    return None if row.get("surprise") is None else _numbers(row, "surprise", at)


def _numbers(row: Json, name: str, at: str) -> tuple[float, ...]:
    numbers = row.get(name)
    if not isinstance(numbers, list) or not all(map(_is_number, numbers)):
        empty = isinstance(numbers, list) and any(number is None for number in numbers)
        raise InputError(
            f"{name} must be a list of numbers",
            at=at,
            got="null among them" if empty else ", ".join(row),
            want='{"id", "scores"}, with "offsets" if they are not of our tokens, or "logprobs"',
            fix="begin the text with a start token, so that the first word has a probability too"
            if empty and name == "logprobs"
            else None,
        )
    return tuple(map(float, numbers))


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
