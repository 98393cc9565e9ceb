"""METEOR, by the authors' Java program when the user has it.

The program aligns the words; what it counts is summed and rated here, so that a score over many
items is the one that pycocoevalcap prints, and can be resampled like any other.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from earmark.score.metric import Metric
from earmark.stats.rates import proportion
from earmark.tasks.captions.score.java.jars import METEOR_JAR, NEEDS, find_jar, need_jar, run_java
from earmark.tasks.captions.score.ngrams.blocks import only
from earmark.tasks.captions.score.ngrams.tokens import tokenise
from earmark.tasks.captions.values import Captions

MODULES = (1.0, 0.6, 0.8, 0.6)  # the same word, the same stem, a synonym, a paraphrase
ALPHA, BETA, GAMMA, DELTA = 0.85, 0.2, 0.6, 0.75
FIELDS = 23
Row = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Aligned:
    """What METEOR counts, in the order of its program.

    Lengths of candidate and reference, function words of both; for each module the matched content
    words of both and function words of both; chunks; matched words of both. `undefined` counts
    items that could not be aligned.
    """

    counts: Row = (0.0,) * FIELDS
    undefined: float = 0

    def __add__(self, other: "Aligned") -> "Aligned":
        rows = zip(self.row(), other.row(), strict=True)
        return Aligned.from_row(tuple(a + b for a, b in rows))

    def row(self) -> Row:
        """All numbers."""
        return (*self.counts, self.undefined)

    @classmethod
    def from_row(cls, row: Row) -> "Aligned":
        """The counts of a row."""
        return cls(tuple(row[:-1]), row[-1])

    @classmethod
    def told(cls, line: str) -> "Aligned":
        """The counts in a line of the program. A perfect match has no chunks that could disturb."""
        row = [float(number) for number in line.split()]
        if row[-3] == 1 and (row[-2], row[-1]) == (row[0], row[1]):
            row[-3] = 0.0
        return cls(tuple(row))


def meteor(*, jars: Path | None = None) -> Metric:
    """METEOR 1.5: matched words, stems, synonyms and paraphrases, in how many pieces.

    Parameters
    ----------
    jars
        Folder that holds meteor-1.5.jar; otherwise $EARMARK_JARS. pycocoevalcap brings one.

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
    Denkowski and Lavie 2014, English; the same numbers as pycocoevalcap 1.2. Higher is better; 0
    to 1.
    """

    def count_all(
        references: Mapping[str, Captions], outputs: Mapping[str, Captions]
    ) -> dict[str, Aligned]:
        jar = find_jar(METEOR_JAR, jars)
        if jar is None:
            return dict.fromkeys(references, Aligned(undefined=1))
        return _aligned(jar, references, outputs)

    return Metric(
        task="captions",
        name="meteor",
        count=lambda reference, output: count_all({"item": reference}, {"item": output})["item"],
        count_all=count_all,
        rate=rate,
        undefined=NEEDS.format(jar=METEOR_JAR),
        check_installed=partial(need_jar, "meteor", METEOR_JAR, jars),
    )


def rate(counts: Aligned) -> float:
    """METEOR of summed counts.

    Examples
    --------
    >>> row = [4.0, 4, 2, 2] + [1, 1, 2, 2] + [0] * 12 + [2, 3, 3]
    >>> round(rate(Aligned(tuple(row))), 4)
    0.2792
    """
    if counts.undefined:
        return float("nan")
    row = counts.counts
    chunks, *matched = row[-3:]
    precision, recall = (_found(row, side) for side in (0, 1))
    if not precision or not recall:
        return 0.0
    both = precision * recall / (ALPHA * precision + (1 - ALPHA) * recall)
    apart: float = proportion(chunks, of=sum(matched) / 2) ** BETA
    return both * (1 - GAMMA * apart)


def _found(row: Row, side: int) -> float:
    """The weighted share of words that are matched: of the candidate (0) or the reference (1)."""
    content, function = row[4 + side : 20 : 4], row[6 + side : 20 : 4]
    matched = sum(
        weight * (DELTA * a + (1 - DELTA) * b)
        for weight, a, b in zip(MODULES, content, function, strict=True)
    )
    length, little = row[side], row[2 + side]
    return (
        proportion(matched, of=DELTA * (length - little) + (1 - DELTA) * little) if length else 0.0
    )


def _aligned(
    jar: Path, references: Mapping[str, Captions], outputs: Mapping[str, Captions]
) -> dict[str, Aligned]:
    items = list(references)
    asked = "".join(
        " ||| ".join(["SCORE", *map(_cut, references[item].texts), _cut(only(outputs[item], item))])
        + "\n"
        for item in items
    )
    command = ["-Xmx2G", "-jar", jar.name, "-", "-", "-stdio", "-l", "en", "-norm"]
    lines = run_java(command, folder=jar.parent, given=asked).splitlines()
    return {item: Aligned.told(line) for item, line in zip(items, lines, strict=True)}


def _cut(text: str) -> str:
    return " ".join(tokenise(text))
