"""The published figures that can be rebuilt: the survey of Huber et al. (2018), table 1."""

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from earmark.files.json_text import read_json
from earmark.stats.rates import f1, mean_defined
from earmark.values.counts import Hits
from earmark.values.errors import InputError
from earmark.values.paper import Paper

PAPER = Paper(
    key="huber2018automated",
    authors="Patrick Huber and Jan Niehues and Alex Waibel",
    title="Automated Evaluation of Out-of-Context Errors",
    venue="Proceedings of LREC 2018",
    year=2018,
)


def survey(path: Path) -> dict[str, Any]:
    """Return the human baseline on the systems' scale, from each subject's right and wrong marks.

    The file holds `subjects` with `correct` and `incorrect`, and `reported.words_replaced`. The
    paper's 28.53 % is the macro mean over subjects (unrounded 28.536 %, printed truncated).
    """
    published = read_json(path, what="a survey must be JSON")
    try:
        swapped = int(published["reported"]["words_replaced"])
        marks = [(int(s["correct"]), int(s["incorrect"])) for s in published["subjects"]]
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(
            "a survey must list subjects with their marks", at=path, got=error
        ) from error
    hits = [Hits(right, swapped - right, wrong) for right, wrong in marks]
    each = [f1(one) for one in hits]
    pooled = Hits(*(math.fsum(column) for column in zip(*(h.row() for h in hits), strict=True)))
    return {"subjects": each, "macro": mean_defined(each), "micro": f1(pooled)}


def papers(data: Path) -> Iterator[str]:
    """Yield the row of the paper's table 1 that its published data rebuilds, as lines of text."""
    rebuilt = survey(data / "human_baseline.json")
    yield "Huber et al. 2018, table 1, human survey: F* 28.53 % published"
    each = ", ".join(f"{100 * f:.2f}" for f in rebuilt["subjects"])
    yield f"  rebuilt from {len(rebuilt['subjects'])} subjects: {each}"
    yield f"  macro mean {100 * rebuilt['macro']:.3f} %, micro {100 * rebuilt['micro']:.2f} %"
