"""The tables of asking people live, as SQLAlchemy sees them; `people_0001` makes them.

`need` of a unit is how many more times it may be handed out: the opinions wanted, less the answers
that count, less the leases that are open. It keeps a unit at exactly its number of opinions:
handing out takes one from it, a lease that runs out gives one back.
"""

from typing import Any

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Float,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    UniqueConstraint,
    text,
)

METADATA = MetaData()
DatabaseRow = Any  # a row of one of these tables; its columns are its attributes

# Lease states. A person has one live lease per unit: open, or answered.
OPEN, ANSWERED, EXPIRED, CLOSED = "open", "answered", "expired", "closed"
LIVE = text("state IN ('open', 'answered')")

UNITS = Table(
    "live_units",
    METADATA,
    Column("id", String, primary_key=True),
    Column("digest", String, nullable=False),  # of what is asked: the same id asks the same thing
    Column("recording", String, nullable=False),
    Column("start", Float, nullable=False),
    Column("finish", Float, nullable=False),
    Column("batch", Integer, nullable=False, server_default="0"),
    Column("draw", Float, nullable=False),  # the order in which units are looked at
    Column("need", Integer, nullable=False),
    Column("counted", Integer, nullable=False, server_default="0"),
    Column("is_known", Boolean, nullable=False, server_default=text("false")),
    Column("gain", Float),  # bits that one more answer is expected to tell; unknown at first
    Index("live_units_needed", "draw", "id", postgresql_where=text("need > 0"),
          sqlite_where=text("need > 0")),
)  # fmt: skip

PEOPLE = Table(
    "live_people",
    METADATA,
    Column("id", String, primary_key=True),
    Column("joined", Float, nullable=False),
    Column("consent", String, nullable=False),  # the version of the text that was agreed to
    Column("market", String, nullable=False, server_default=""),
    Column("outside", String),  # the market's id of this person, for payment
    Column("details", JSON, nullable=False),  # STUDY_ID, SESSION_ID, ...
    Column("state", String, nullable=False, server_default="active"),  # active, excluded
    Column("why", String, nullable=False, server_default=""),
    Column("code", String, nullable=False),  # of completion
    Column("answers", Integer, nullable=False, server_default="0"),  # counted, trials left out
    Column("trials", Integer, nullable=False, server_default="0"),
    Column("trials_right", Integer, nullable=False, server_default="0"),
    Column("gold", Integer, nullable=False, server_default="0"),
    Column("gold_right", Integer, nullable=False, server_default="0"),
    UniqueConstraint("market", "outside"),
)

LEASES = Table(
    "live_leases",
    METADATA,
    Column("id", String, primary_key=True),
    Column("unit", String, nullable=False),
    Column("person", String, nullable=False),
    Column("role", String, nullable=False),  # question, trial, gold
    Column("given", Float, nullable=False),
    Column("expires", Float, nullable=False),
    Column("state", String, nullable=False),
    Index("live_leases_once", "unit", "person", unique=True, postgresql_where=LIVE,
          sqlite_where=LIVE),
    Index("live_leases_of", "person", "given"),
    Index("live_leases_open", "expires", postgresql_where=text("state = 'open'"),
          sqlite_where=text("state = 'open'")),
)  # fmt: skip

ANSWERS = Table(
    "live_answers",
    METADATA,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("unit", String, nullable=False),
    Column("person", String, nullable=False),
    Column("key", String, nullable=False),
    Column("role", String, nullable=False),
    Column("value", JSON, nullable=False),  # the form as it was sent
    Column("seconds", Float),
    Column("given", Float, nullable=False),
    Column("counts", Boolean, nullable=False),
    Column("why", String, nullable=False, server_default=""),  # it does not count
    Column("is_right", Boolean),  # of an answer to a question with a known answer
    UniqueConstraint("person", "key"),
    Index("live_answers_unit", "unit"),
    Index("live_answers_given", "given"),
)

# Who took back their consent, and when; what they had answered is gone.
WITHDRAWALS = Table(
    "live_withdrawals",
    METADATA,
    Column("person", String, primary_key=True),
    Column("withdrawn", Float, nullable=False),
    Column("answers", Integer, nullable=False),
)

# What several server processes share: the key that signs tokens, whether asking is paused, ...
SHARED = Table(
    "live_shared",
    METADATA,
    Column("name", String, primary_key=True),
    Column("value", JSON, nullable=False),
)

SESSIONS = Table(
    "live_sessions",
    METADATA,
    Column("digest", String, primary_key=True),  # of the cookie; the cookie itself is not kept
    Column("started", Float, nullable=False),
    Column("expires", Float, nullable=False),
)
