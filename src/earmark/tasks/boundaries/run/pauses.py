"""A sentence ends where the speaker pauses: needs words with times, and nothing else."""

from collections.abc import Iterable, Iterator

from earmark.stats.rates import f1
from earmark.task.task import Training
from earmark.tasks.boundaries.make import transcript_of
from earmark.tasks.boundaries.values import Boundaries, Transcript, panel_of
from earmark.values.counts import Hits
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.output import Output

PAUSE = 0.5


def pauses(
    items: Iterable[Item], *, train_on: Training | None, seed: int, pause: float | None = None
) -> Iterator[Output[Boundaries]]:
    """Boundaries wherever nothing is said for long enough.

    Parameters
    ----------
    pause
        Seconds of silence that end a sentence; by default half a second, or, when there is a
        reference to learn from, what has the best F1 on it.
    """
    del seed
    if pause is not None and pause < 0:
        raise InputError("a pause is a number of seconds", got=pause, want="0 or more")
    least = pause if pause is not None else learn_pause(train_on) if train_on else PAUSE
    for item in items:
        gaps = silences(transcript_of(item), at=item.id)
        after = frozenset(at for at, gap in enumerate(gaps) if gap >= least)
        yield Output("pauses", item.id, Boundaries(len(gaps) + 1, after).with_final())


def silences(transcript: Transcript, *, at: str) -> list[float]:
    """Seconds between each word and the next."""
    if transcript.times is None:
        raise InputError(
            "pauses are heard between words with times",
            at=f"item {at}",
            got="words without times",
            fix="make the study from a format with times, or run cnn or gru",
        )
    ends = [end for _, end in transcript.times]
    starts = [start for start, _ in transcript.times]
    return [round(start - end, 6) for end, start in zip(ends, starts[1:], strict=False)]


def learn_pause(train_on: Training) -> float:
    """The pause with the best F1 against the first reference of each item."""
    rows: list[tuple[float, bool]] = []
    for item in train_on.items:
        right = panel_of(train_on.reference.values[item.id]).references[0]
        gaps = silences(transcript_of(item), at=item.id)
        rows += [(gap, at in right.after) for at, gap in enumerate(gaps)]
    rows.sort(key=lambda row: -row[0])
    total = sum(end for _, end in rows)
    best, best_pause, found = -1.0, PAUSE, 0
    for rank, (gap, end) in enumerate(rows, start=1):
        found += end
        tied = rank < len(rows) and rows[rank][0] == gap
        value = f1(Hits(found, total - found, rank - found))
        if not tied and value > best:
            best, best_pause = value, gap
    return best_pause
