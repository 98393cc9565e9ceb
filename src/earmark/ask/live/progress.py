"""How far asking is: answers, hours, money, people; for the organiser."""

import csv
import io
from collections import Counter, defaultdict
from collections.abc import Sequence
from statistics import median
from typing import Any

from sqlalchemy import Connection, case, func, select

from earmark.ask.live.answers import AGAIN, LATE, NOT_ASKED
from earmark.ask.live.shared import PAUSED, read_shared
from earmark.ask.live.tables import (
    ANSWERS,
    LEASES,
    OPEN,
    PEOPLE,
    UNITS,
    WITHDRAWALS,
    DatabaseRow,
)
from earmark.ask.live.terms import LiveTerms
from earmark.files.jsonl import dump
from earmark.stats.rates import proportion

HOUR = 3600.0
HOURS_SHOWN = 48
RECENT = 600.0  # s, within which somebody is said to be there
SHORTEST_SPAN = 60.0  # seconds over which a rate is taken at least
# Fewer answers than this say nothing of a person's habits.
ENOUGH = 8
# Whose answers take less than this share of the usual time did not listen. Chosen by hand.
FAST_SHARE = 0.3
# Nearly always the same answer, one that others give far less often. Chosen by hand.
ALIKE_SHARE, USUAL_SHARE = 0.95, 0.8
GOLD_ENOUGH, GOLD_SHARE = 3, 0.5


def progress(connection: Connection, terms: LiveTerms, *, now: float) -> dict[str, Any]:
    """Return how far asking is, in numbers."""
    options = terms.options
    units, counted, unsettled = connection.execute(
        select(
            func.count(),
            func.coalesce(func.sum(UNITS.c.counted), 0),
            func.coalesce(func.sum(case((_is_unsettled(terms), 1), else_=0)), 0),
        )
    ).one()
    reasons = select(ANSWERS.c.why, func.count()).group_by(ANSWERS.c.why)
    kinds = {why or "counted": count for why, count in connection.execute(reasons).all()}
    hours = _hours(connection, now)
    hourly = _hourly(connection, now)
    most = units * options.people
    wanted = most if options.answers is None else min(options.answers, most)
    return {
        "units": units,
        "settled": units - unsettled,
        "wanted": wanted,
        "counted": counted,
        "extra": sum(kinds.get(why, 0) for why in (LATE, AGAIN, NOT_ASKED)),
        "by_reason": kinds,
        "by_hour": hours,
        "an_hour": hourly,
        "hours_left": max(wanted - counted, 0) / hourly if hourly else None,
        "money": _money(terms, sum(kinds.values()), wanted),
        "people": _count(connection, PEOPLE.c.id.is_not(None)),
        "active": _recent(connection, now),
        "withdrawn": _count(connection, WITHDRAWALS.c.person.is_not(None)),
        "open": _count(connection, LEASES.c.state == OPEN),
        "paused": bool(read_shared(connection, PAUSED, False)),
        "ask": options.ask,
    }


def _is_unsettled(terms: LiveTerms) -> Any:
    """Return the rule for units that need further answers."""
    open_units = UNITS.c.counted < terms.options.people
    if terms.options.ask == "random":
        return open_units
    return open_units & (UNITS.c.gain.is_(None) | (UNITS.c.gain >= terms.options.settled))


def _count(connection: Connection, rule: Any) -> int:
    return int(connection.execute(select(func.count()).where(rule)).scalar_one())


def _recent(connection: Connection, now: float) -> int:
    """Return how many people answered, or were given something to answer, a short while ago."""
    people = select(func.count(LEASES.c.person.distinct())).where(LEASES.c.given > now - RECENT)
    return int(connection.execute(people).scalar_one())


def _hours(connection: Connection, now: float) -> list[dict[str, float]]:
    """Return answers by hour of the clock, the last two days, the oldest first."""
    last = now // HOUR
    since = (last - HOURS_SHOWN + 1) * HOUR
    times = connection.execute(select(ANSWERS.c.given).where(ANSWERS.c.given >= since)).scalars()
    counts = Counter(int(given // HOUR) for given in times)
    first = min(counts, default=int(last))
    return [{"from": hour * HOUR, "answers": counts[hour]} for hour in range(first, int(last) + 1)]


def _hourly(connection: Connection, now: float) -> float | None:
    """Return the answers an hour of the last hour, or since the first answer if that is less."""
    recent = select(func.count(), func.min(ANSWERS.c.given)).where(ANSWERS.c.given > now - HOUR)
    count, first = connection.execute(recent).one()
    return None if not count else count * HOUR / max(now - first, SHORTEST_SPAN)


def _money(terms: LiveTerms, given: int, wanted: int) -> dict[str, Any]:
    """Return what answers cost so far, and what all of them were to cost."""
    each = terms.options.pay * (1 + terms.options.fee)
    return {
        "spent": round(given * each, 2),
        "planned": round(wanted * each, 2),
        "currency": terms.options.currency,
    }


def people_list(connection: Connection, terms: LiveTerms) -> list[dict[str, Any]]:
    """Return everybody with what they gave, and what is odd about it."""
    columns = (ANSWERS.c.person, ANSWERS.c.value, ANSWERS.c.seconds, ANSWERS.c.why)
    answers = connection.execute(select(*columns)).all()
    by_person: dict[str, list[DatabaseRow]] = defaultdict(list)
    for answer in answers:
        by_person[answer.person].append(answer)
    usual = Counter(dump(answer.value) for answer in answers)
    times = [answer.seconds for answer in answers if answer.seconds is not None]
    typical = median(times) if times else None
    return [
        _person(row, by_person[row.id], usual, typical, terms)
        for row in connection.execute(select(PEOPLE).order_by(PEOPLE.c.joined))
    ]


def _person(
    row: DatabaseRow,
    answers: Sequence[DatabaseRow],
    usual: "Counter[str]",
    typical: float | None,
    terms: LiveTerms,
) -> dict[str, Any]:
    seconds = [answer.seconds for answer in answers if answer.seconds is not None]
    reasons = Counter(answer.why for answer in answers if answer.why)
    return {
        "person": row.id,
        "market": row.market,
        "outside": row.outside,
        "joined": row.joined,
        "consent": row.consent,
        "excluded": row.state != "active",
        "why": row.why,
        "code": row.code,
        "answers": len(answers),
        "counted": len(answers) - sum(reasons.values()),
        "not_counted": dict(reasons),
        "seconds": median(seconds) if seconds else None,
        "trials": row.trials,
        "trials_right": row.trials_right,
        "gold": row.gold,
        "gold_right": row.gold_right,
        "pay": round(len(answers) * terms.options.pay, 2),
        "flags": _flags(row, answers, usual, typical, terms),
    }


def _flags(
    row: DatabaseRow,
    answers: Sequence[DatabaseRow],
    usual: "Counter[str]",
    typical: float | None,
    terms: LiveTerms,
) -> list[str]:
    """Return what is odd about somebody's answers: fast, alike, gold, trial."""
    odd = []
    seconds = [answer.seconds for answer in answers if answer.seconds is not None]
    if typical and len(seconds) >= ENOUGH and median(seconds) < FAST_SHARE * typical:
        odd.append("fast")
    if len(answers) >= ENOUGH:
        (value, count), *_ = Counter(dump(answer.value) for answer in answers).most_common(1)
        others = usual.total() - len(answers)
        is_usual = proportion(usual[value] - count, of=others) >= USUAL_SHARE
        if proportion(count, of=len(answers)) >= ALIKE_SHARE and others and not is_usual:
            odd.append("alike")
    if row.gold >= GOLD_ENOUGH and proportion(row.gold_right, of=row.gold) < GOLD_SHARE:
        odd.append("gold")
    right = proportion(row.trials_right, of=row.trials)
    if terms.trials and row.trials >= terms.trials and right < terms.options.pass_share:
        odd.append("trial")
    return odd


PAY_COLUMNS = ("person", "market", "outside", "code", "excluded", "answers", "counted", "pay")
# What a spreadsheet would take for a formula; ids of people come from outside.
FORMULA = ("=", "+", "-", "@", "\t", "\r")


def pay_table(rows: Sequence[dict[str, Any]]) -> str:
    """Return a CSV of whom to pay how much; no cell is a formula to a spreadsheet."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(PAY_COLUMNS)
    for row in rows:
        cells = ["" if row[name] is None else str(row[name]) for name in PAY_COLUMNS]
        writer.writerow(["'" + cell if cell.startswith(FORMULA) else cell for cell in cells])
    return out.getvalue()
