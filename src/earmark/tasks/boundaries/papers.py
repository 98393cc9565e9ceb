"""What the paper's own tables say when they are asked again."""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from earmark.stats.draw import stream
from earmark.tasks.boundaries.score.panels import pearson
from earmark.values.errors import InputError

TABLES = "paper_tables.json"
RESAMPLES = 10_000
ROUNDING = 0.0015


def rebuild(data: Path) -> Iterator[str]:
    """Lines about tables 4 to 6; `data` is the folder (or the file) of the tables as JSON."""
    tables = read_tables(data)
    yield from correlation_lines(tables["table6"]["RGAR"], tables["table6"]["kappa"])
    for name, metric in (("WiSeBE", "WiSeBE"), ("F1mean", "mean F1"), ("F1RW", "window F1")):
        yield difference_line(metric, tables["table5"][name])
    yield from product_lines(tables["table5"])
    yield from mean_lines(tables["table4"])


def read_tables(data: Path) -> dict[str, Any]:
    """The tables."""
    places = [data, data / TABLES, data / "boundaries" / TABLES]
    path = next((place for place in places if place.is_file()), None)
    if path is None:
        raise InputError("the paper's tables are needed", at=data, want=TABLES)
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def correlation_lines(agreement: Sequence[float], kappa: Sequence[float]) -> Iterator[str]:
    """Table 6: how far the agreement ratio follows Fleiss' kappa."""
    value = pearson(list(agreement), list(kappa))
    low, high = fisher_interval(value, len(kappa))
    yield (
        f"boundaries, table 6: correlation of R_GAR and kappa {value:.3f} "
        f"[{low:.3f}, {high:.3f}] over {len(kappa)} videos; the paper prints .890"
    )


def fisher_interval(value: float, size: int) -> tuple[float, float]:
    """The 95 % interval of a correlation, by Fisher's transformation.

    Examples
    --------
    >>> tuple(round(end, 3) for end in fisher_interval(0.8904, 10))
    (0.594, 0.974)
    """
    middle, half = math.atanh(value), 1.959964 / math.sqrt(size - 3)
    return math.tanh(middle - half), math.tanh(middle + half)


def difference_line(metric: str, pairs: Sequence[Sequence[float]]) -> str:
    """Table 5: whether S2 is better than S1, or it is luck."""
    found = paired_difference([first for first, _ in pairs], [second for _, second in pairs])
    said = "not shown" if found["low"] <= 0 <= found["high"] else "shown"
    return (
        f"boundaries, table 5: S2 - S1 by {metric} {found['mean']:+.4f} "
        f"[{found['low']:+.4f}, {found['high']:+.4f}], t test p = {found['p']:.2f}: "
        f"that S2 is better is {said} by {len(pairs)} videos"
    )


def paired_difference(first: Sequence[float], second: Sequence[float]) -> Mapping[str, float]:
    """Mean of second less first, its bootstrap interval over texts, and the paired t test."""
    import numpy as np
    from scipy.stats import ttest_rel

    apart = np.asarray(second) - np.asarray(first)
    draws = stream(0, "papers", "boundaries").integers(len(apart), size=(RESAMPLES, len(apart)))
    low, high = np.quantile(apart[draws].mean(axis=1), [0.025, 0.975])
    test = ttest_rel(second, first)
    return {
        "mean": float(apart.mean()),
        "low": float(low),
        "high": float(high),
        "p": float(test.pvalue),
    }


def product_lines(table: Mapping[str, Any]) -> Iterator[str]:
    """Table 5: whether WiSeBE is the product of its two printed parts."""
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
    """Table 4: the means that the three references beside them do not give."""
    for video, systems in enumerate(table, start=1):
        for system, rows in zip(("S1", "S2"), systems, strict=True):
            *references, printed = [row[2] for row in rows]
            found = math.fsum(references) / len(references)
            if abs(found - printed) > ROUNDING:
                yield (
                    f"boundaries, table 4: {system} on v{video} prints a mean F1 of {printed:.3f}, "
                    f"but its three references give {found:.3f}"
                )
