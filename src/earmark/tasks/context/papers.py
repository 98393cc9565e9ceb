"""The published figures that can be rebuilt: the survey of Huber et al. (2018), table 1."""

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from earmark.files.text import read_text
from earmark.stats.rates import f1
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
    """The human baseline on the scale of the systems, from each subject's right and wrong marks.

    The file holds `subjects` with `correct` and `incorrect`, and `reported.words_replaced`. The
    paper's 28.53 % is the macro mean over subjects (unrounded 28.536 %, printed truncated).
    """
    text = read_text(path)
    try:
        told = json.loads(text)
        swapped = int(told["reported"]["words_replaced"])
        marks = [(int(s["correct"]), int(s["incorrect"])) for s in told["subjects"]]
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(
            "the survey lists subjects with their marks", at=path, got=error
        ) from error
    hits = [Hits(right, swapped - right, wrong) for right, wrong in marks]
    each = [f1(one) for one in hits]
    pooled = Hits(*(math.fsum(column) for column in zip(*(h.row() for h in hits), strict=True)))
    return {"subjects": each, "macro": math.fsum(each) / len(each), "micro": f1(pooled)}


def papers(data: Path) -> Iterator[str]:
    """Table 1 of the paper, the row that its published data rebuilds."""
    found = survey(data / "human_baseline.json")
    yield "Huber et al. 2018, table 1, human survey: F* 28.53 % published"
    each = ", ".join(f"{100 * f:.2f}" for f in found["subjects"])
    yield f"  rebuilt from {len(found['subjects'])} subjects: {each}"
    yield f"  macro mean {100 * found['macro']:.3f} %, micro {100 * found['micro']:.2f} %"
