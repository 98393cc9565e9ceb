"""Live answers as the other verbs know them: values of the task, one per person and unit."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, select

from earmark.ask.live.tables import ANSWERS, PEOPLE, WITHDRAWALS
from earmark.values.answer import Answer
from earmark.values.item import Item

Read = Callable[[Item, dict[str, Any]], Any]  # a filled form as a value of the task


@dataclass(frozen=True, slots=True)
class LiveAnswers:
    """Answers that count, answers that do not, and everybody whom the database knows.

    `people` are all who ever joined, those who withdrew among them: whatever else a study has from
    them is out of date.
    """

    counted: tuple[Answer[Any], ...]
    left_out: tuple[tuple[Answer[Any], str], ...]  # with the reason
    people: frozenset[str]

    def without(self, answers: Iterable[Answer[Any]]) -> tuple[Answer[Any], ...]:
        """Return those of other answers that are not from people whom the database knows."""
        return tuple(answer for answer in answers if answer.person not in self.people)


def live_answers(connection: Connection, units: Mapping[str, Item], read: Read) -> LiveAnswers:
    """Return all live answers, in the order in which they came."""
    counted, left_out = [], []
    for row in connection.execute(select(ANSWERS).order_by(ANSWERS.c.number)):
        if row.unit not in units:
            continue
        answer = _answer(row, units[row.unit], read)
        if row.counts:
            counted.append(answer)
        else:
            left_out.append((answer, row.why))
    known = [*connection.execute(select(PEOPLE.c.id)).scalars()]
    gone = [*connection.execute(select(WITHDRAWALS.c.person)).scalars()]
    return LiveAnswers(tuple(counted), tuple(left_out), frozenset([*known, *gone]))


def counted_answers(
    connection: Connection, units: Mapping[str, Item], read: Read, *, after: int = 0
) -> Iterator[tuple[int, Answer[Any]]]:
    """Yield the answers that count with a number above `after`, with their numbers."""
    rows = select(ANSWERS).where(ANSWERS.c.number > after, ANSWERS.c.counts.is_(True))
    for row in connection.execute(rows.order_by(ANSWERS.c.number)):
        if row.unit in units:
            yield row.number, _answer(row, units[row.unit], read)


def _answer(row: Any, unit: Item, read: Read) -> Answer[Any]:
    given = datetime.fromtimestamp(row.given, UTC).isoformat(timespec="milliseconds")
    return Answer(row.unit, row.person, read(unit, row.value), row.seconds, given)
