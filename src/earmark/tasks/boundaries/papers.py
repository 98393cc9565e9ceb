"""What the paper's own tables show when they are computed again."""

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from earmark.files.json_text import read_json
from earmark.stats.draw import stream
from earmark.stats.rates import mean_defined
from earmark.tasks.boundaries.survey import pearson
from earmark.values.errors import InputError

TABLES = "paper_tables.json"
RESAMPLES = 10_000  # of the bootstrap
ROUNDING = 0.0015  # means of three figures of three digits may differ by this much in print
NORMAL_95 = 1.959964  # the 97.5 % quantile of the normal distribution


def rebuild(data: Path) -> Iterator[str]:
    """Yield lines about tables 4 to 6; `data` is the folder or file of the tables as JSON."""
    tables = read_tables(data)
    yield from correlation_lines(tables["table6"]["RGAR"], tables["table6"]["kappa"])
    for name, metric in (("WiSeBE", "WiSeBE"), ("F1mean", "mean F1"), ("F1RW", "window F1")):
        yield difference_line(metric, tables["table5"][name])
    yield from product_lines(tables["table5"])
    yield from mean_lines(tables["table4"])


def read_tables(data: Path) -> dict[str, Any]:
    """Return the tables; raise InputError if they are not there."""
    places = [data, data / TABLES, data / "boundaries" / TABLES]
    path = next((place for place in places if place.is_file()), None)
    if path is None:
        raise InputError("the paper's tables are needed", at=data, want=TABLES)
    tables: dict[str, Any] = read_json(path)
    return tables


def correlation_lines(agreement: Sequence[float], kappa: Sequence[float]) -> Iterator[str]:
    """Yield how far the agreement ratio follows Fleiss' kappa in table 6."""
    value = pearson(list(agreement), list(kappa))
    low, high = fisher_interval(value, len(kappa))
    yield (
        f"boundaries, table 6: correlation of R_GAR and kappa {value:.3f} "
        f"[{low:.3f}, {high:.3f}] over {len(kappa)} videos; the paper prints .890"
    )


def fisher_interval(value: float, size: int) -> tuple[float, float]:
    """Return the 95 % interval of a correlation, by Fisher's transformation.

    Examples
    --------
    >>> tuple(round(end, 3) for end in fisher_interval(0.8904, 10))
    (0.594, 0.974)
    """
    middle, half = math.atanh(value), NORMAL_95 / math.sqrt(size - 3)
    return math.tanh(middle - half), math.tanh(middle + half)


def difference_line(metric: str, pairs: Sequence[Sequence[float]]) -> str:
    """Return whether table 5 shows that S2 is better than S1, beyond chance."""
    result = paired_difference([first for first, _ in pairs], [second for _, second in pairs])
    verdict = "not shown" if result.low <= 0 <= result.high else "shown"
    return (
        f"boundaries, table 5: S2 - S1 by {metric} {result.mean:+.4f} "
        f"[{result.low:+.4f}, {result.high:+.4f}], t test p = {result.p:.2f}: "
        f"that S2 is better is {verdict} by {len(pairs)} videos"
    )


class PairedDifference(NamedTuple):
    """A mean difference, its bootstrap interval over texts, and p of the paired t test."""

    mean: float
    low: float
    high: float
    p: float


def paired_difference(first: Sequence[float], second: Sequence[float]) -> PairedDifference:
    """Return the mean of second less first, with its interval and p."""
    import numpy as np
    from scipy.stats import ttest_rel

    differences = np.asarray(second) - np.asarray(first)  # (texts,)
    size = len(differences)
    draws = stream(0, "papers", "boundaries").integers(size, size=(RESAMPLES, size))
    low, high = np.quantile(differences[draws].mean(axis=1), [0.025, 0.975])
    test = ttest_rel(second, first)
    return PairedDifference(float(differences.mean()), float(low), float(high), float(test.pvalue))


def product_lines(table: Mapping[str, Any]) -> Iterator[str]:
    """Yield whether WiSeBE in table 5 is the product of its two printed parts."""
    gaps = [
        abs(f1 * agreement - wisebe)
        for row, agreement, products in zip(
            table["F1RW"], table["RGAR"], table["WiSeBE"], strict=True
        )
        for f1, wisebe in zip(row, products, strict=True)
    ]
    yield (
        f"boundaries, table 5: F1_RW x R_GAR equals the printed WiSeBE within {max(gaps):.4f} "
        f"in all {len(gaps)} rows"
    )


def mean_lines(table: Sequence[Any]) -> Iterator[str]:
    """Yield the means in table 4 that the three references beside them do not give."""
    for video, systems in enumerate(table, start=1):
        for system, rows in zip(("S1", "S2"), systems, strict=True):
            *references, printed = [row[2] for row in rows]
            mean = mean_defined(references)
            if abs(mean - printed) > ROUNDING:
                yield (
                    f"boundaries, table 4: {system} on v{video} prints a mean F1 of {printed:.3f}, "
                    f"but its three references give {mean:.3f}"
                )
