"""The answers that a study asks for in all, and what people are told when they are in."""

from sqlalchemy import Connection, func, select

from earmark.ask.live.tables import ANSWERS, LEASES, OPEN, UNITS
from earmark.ask.live.terms import LiveTerms

LOCK = 7254323  # of PostgreSQL's advisory locks: whoever compares with the budget owns it

# One statement, that is, one moment: an answer that arrives between two would be in neither.
# What somebody is answering now counts against the budget.
_ANSWERS = select(
    select(func.coalesce(func.sum(UNITS.c.counted), 0)).scalar_subquery().label("counted"),
    select(func.count())
    .select_from(LEASES)
    .where(LEASES.c.state == OPEN, LEASES.c.role == "question")
    .scalar_subquery()
    .label("expected"),
)


def spent(connection: Connection, terms: LiveTerms) -> str:
    """Return "" if a question more is within the budget; "wait" or "finished" if it is not.

    "wait" while answers are expected that may not come. Nobody else compares, or hands out, before
    the transaction ends.
    """
    budget = terms.options.answers
    if budget is None:
        return ""
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(LOCK)))
    now = connection.execute(_ANSWERS).one()
    if now.counted >= budget:
        return "finished"
    return "wait" if now.counted + now.expected >= budget else ""


def ending_of(connection: Connection, person: str, state: str) -> str:
    """Return "closed" in place of "finished" for somebody who gave no answer, not even a late one.

    Whoever comes when nothing is left has completed nothing.
    """
    if state != "finished":
        return state
    given = select(ANSWERS.c.key).where(ANSWERS.c.person == person).limit(1)
    return "closed" if connection.execute(given).first() is None else state
