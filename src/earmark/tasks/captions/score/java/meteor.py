"""METEOR, by the authors' Java program when the user has it.

The program aligns the words; what it counts is summed and rated here, so that a score over many
items is the one that pycocoevalcap prints, and can be resampled like any other.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from earmark.score.metric import Metric
from earmark.stats.rates import proportion
from earmark.task.options import changed
from earmark.tasks.captions.score.java.jars import (
    METEOR_JAR,
    NEEDS,
    JarOptions,
    find_jar,
    require_jar,
    run_java,
)
from earmark.tasks.captions.score.ngrams.tokens import tokenise
from earmark.tasks.captions.values import Captions, single_caption

# METEOR 1.5's own parameters for English. Weights: same word, same stem, synonym, paraphrase.
MODULES = (1.0, 0.6, 0.8, 0.6)
ALPHA, BETA, GAMMA, DELTA = 0.85, 0.2, 0.6, 0.75
FIELDS = 23  # numbers in a line of the program
Row = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class MeteorCounts:
    """What METEOR counts, in the order of its program.

    Lengths of candidate and reference, function words of both; for each module the matched content
    words of both and function words of both; chunks; matched words of both. `undefined` counts
    items that could not be aligned.
    """

    counts: Row = (0.0,) * FIELDS
    undefined: float = 0

    def __add__(self, other: "MeteorCounts") -> "MeteorCounts":
        rows = zip(self.row(), other.row(), strict=True)
        return MeteorCounts.from_row(tuple(a + b for a, b in rows))

    def row(self) -> Row:
        """Return all numbers in a row."""
        return (*self.counts, self.undefined)

    @classmethod
    def from_row(cls, row: Row) -> "MeteorCounts":
        """Return the counts that a row holds."""
        return cls(tuple(row[:-1]), row[-1])

    @classmethod
    def from_line(cls, line: str) -> "MeteorCounts":
        """Return the counts in a line of the program; a perfect match counts as without chunks."""
        row = [float(number) for number in line.split()]
        if row[-3] == 1 and (row[-2], row[-1]) == (row[0], row[1]):
            row[-3] = 0.0
        return cls(tuple(row))


def meteor(options: JarOptions = JarOptions(), **changes: Any) -> Metric:
    """Build METEOR 1.5: matched words, stems, synonyms and paraphrases, in how many chunks.

    Definition
    ----------
    F (1 - .6 (chunks / matched words)^.2), F = P R / (.85 P + .15 R); P and R weigh the same word
    1, the same stem .6, a synonym .8, a paraphrase .6, and content words three times function
    words. Counts are summed over items before they are divided.

    Undefined
    ---------
    Without Java or without the jar, which Earmark does not ship.

    Notes
    -----
    Denkowski and Lavie 2014, English; the same numbers as pycocoevalcap 1.2, which brings the jar.
    Higher is better; 0 to 1.
    """
    jars = changed(options, changes).jars

    def count_all(
        references: Mapping[str, Captions], outputs: Mapping[str, Captions]
    ) -> dict[str, MeteorCounts]:
        jar = find_jar(METEOR_JAR, jars)
        if jar is None:
            return dict.fromkeys(references, MeteorCounts(undefined=1))
        return _aligned(jar, references, outputs)

    return Metric(
        task="captions",
        name="meteor",
        count=lambda reference, output: count_all({"item": reference}, {"item": output})["item"],
        count_all=count_all,
        rate=rate,
        undefined=NEEDS.format(jar=METEOR_JAR),
        check_installed=partial(require_jar, "meteor", METEOR_JAR, jars),
    )


def rate(counts: MeteorCounts) -> float:
    """Return METEOR of summed counts.

    Examples
    --------
    >>> row = [4.0, 4, 2, 2] + [1, 1, 2, 2] + [0] * 12 + [2, 3, 3]
    >>> round(rate(MeteorCounts(tuple(row))), 4)
    0.2792
    """
    if counts.undefined:
        return float("nan")
    row = counts.counts
    chunks, *matched = row[-3:]
    precision, recall = (_matched_share(row, side) for side in (0, 1))
    if not precision or not recall:
        return 0.0
    both = precision * recall / (ALPHA * precision + (1 - ALPHA) * recall)
    fragmentation: float = proportion(chunks, of=sum(matched) / 2) ** BETA
    return both * (1 - GAMMA * fragmentation)


def _matched_share(row: Row, side: int) -> float:
    """Return the weighted share of matched words: of the candidate (0) or the reference (1)."""
    content, function = row[4 + side : 20 : 4], row[6 + side : 20 : 4]
    matched = sum(
        weight * (DELTA * a + (1 - DELTA) * b)
        for weight, a, b in zip(MODULES, content, function, strict=True)
    )
    length, function_words = row[side], row[2 + side]
    return (
        proportion(matched, of=DELTA * (length - function_words) + (1 - DELTA) * function_words)
        if length
        else 0.0
    )


def _aligned(
    jar: Path, references: Mapping[str, Captions], outputs: Mapping[str, Captions]
) -> dict[str, MeteorCounts]:
    items = list(references)
    requests = "".join(
        " ||| ".join(
            [
                "SCORE",
                *map(_tokens, references[item].texts),
                _tokens(single_caption(outputs[item], item)),
            ]
        )
        + "\n"
        for item in items
    )
    command = ["-Xmx2G", "-jar", jar.name, "-", "-", "-stdio", "-l", "en", "-norm"]
    lines = run_java(command, folder=jar.parent, stdin=requests).splitlines()
    return {item: MeteorCounts.from_line(line) for item, line in zip(items, lines, strict=True)}


def _tokens(text: str) -> str:
    return " ".join(tokenise(text))
