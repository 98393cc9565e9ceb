"""The fourth maker: passages that somebody labelled already, taken as they are."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from earmark.task.options import option
from earmark.task.task import Json, Made
from earmark.tasks.context.files import read_truth
from earmark.tasks.context.formats.lines import by_item, is_from_study
from earmark.tasks.context.formats.tokens import PlacedTokens, placed_tokens
from earmark.tasks.context.make.corrupted import existing_path, passage_item
from earmark.values.errors import InputError


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledOptions:
    """Which passages are taken."""

    reference: Path | None = option(
        None,
        'Passages with labels, taken as they are: JSONL of id, tokens and labels, "changes" if '
        "known, text and offsets if the tokens are not to be joined by blanks.",
    )


def make_labelled(
    source: Path | None = None, options: LabelledOptions = LabelledOptions(), *, seed: int = 0
) -> Iterator[Made]:
    """Take labelled passages as they are; their labels, and changes if known, are the truth."""
    del seed
    path = existing_path(options.reference or source)
    passages = by_item(path, _passage)
    truth = read_truth(path)
    for name, (text, offsets) in sorted(passages.items()):
        flat = np.array(offsets, dtype=np.int32).reshape(-1)
        yield Made(passage_item(name, text, flat), truth[name])


def _passage(row: Json, at: str) -> PlacedTokens:
    if is_from_study(row):
        raise InputError(
            "a study's truth.jsonl has no text",
            at=at,
            want='{"id", "tokens", "labels"} on every line',
            fix="rebuild it: --text ORIGINALS --changes truth.jsonl; or export it: earmark export "
            "STUDY DIR --to truth",
        )
    return placed_tokens(row, at=at)
