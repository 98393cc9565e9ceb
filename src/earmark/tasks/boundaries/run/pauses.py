"""A sentence ends where the speaker pauses: needs words with times, and nothing else."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from earmark.stats.rates import f1
from earmark.task.options import option
from earmark.task.task import Training
from earmark.tasks.boundaries.values import Boundaries, Transcript, panel_of, transcript_of
from earmark.values.counts import Hits
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.output import Output

PAUSE = 0.5  # seconds; chosen by hand, not tuned


@dataclass(frozen=True, slots=True, kw_only=True)
class PauseOptions:
    """How long a pause ends a sentence."""

    pause: float | None = option(
        None,
        "Seconds of silence that end a sentence; by default half a second, or, when there is a "
        "reference to learn from, what has the best F1 on it.",
    )

    def __post_init__(self) -> None:
        if self.pause is not None and self.pause < 0:
            raise InputError("pause must be >= 0 seconds", got=self.pause)


def pauses(
    items: Iterable[Item],
    options: PauseOptions = PauseOptions(),
    *,
    train_on: Training | None,
    seed: int,
) -> Iterator[Output[Boundaries]]:
    """Yield boundaries wherever nothing is said for long enough."""
    del seed
    if options.pause is not None:
        pause = options.pause
    else:
        pause = learn_pause(train_on) if train_on else PAUSE
    for item in items:
        gaps = silences(transcript_of(item), at=item.id)
        after = frozenset(word for word, gap in enumerate(gaps) if gap >= pause)
        yield Output("pauses", item.id, Boundaries(len(gaps) + 1, after).with_final())


def silences(transcript: Transcript, *, at: str) -> list[float]:
    """Return the seconds between each word and the next; raise InputError without times."""
    if transcript.times is None:
        raise InputError(
            "pauses need words with times",
            at=f"item {at}",
            got="words without times",
            fix="make the study from a format with times, or run cnn or gru",
        )
    ends = [end for _, end in transcript.times]
    starts = [start for start, _ in transcript.times]
    return [round(start - end, 6) for end, start in zip(ends, starts[1:], strict=False)]


def learn_pause(train_on: Training) -> float:
    """Return the pause with the best F1 against the first reference of each item.

    Pauses are read from the longest on; each rank at which the next pause is shorter is a possible
    threshold, and everything read so far would be marked.
    """
    rows: list[tuple[float, bool]] = []
    for item in train_on.items:
        right = panel_of(train_on.reference.values[item.id]).references[0]
        gaps = silences(transcript_of(item), at=item.id)
        rows += [(gap, word in right.after) for word, gap in enumerate(gaps)]
    rows.sort(key=lambda row: -row[0])
    ends = sum(is_end for _, is_end in rows)
    best_f1, best_pause, true_positives = -1.0, PAUSE, 0
    for rank, (gap, is_end) in enumerate(rows, start=1):
        true_positives += is_end
        is_tied = rank < len(rows) and rows[rank][0] == gap
        value = f1(Hits(true_positives, ends - true_positives, rank - true_positives))
        if not is_tied and value > best_f1:
            best_f1, best_pause = value, gap
    return best_pause
