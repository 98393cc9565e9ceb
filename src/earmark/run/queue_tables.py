"""The tables of a challenge: teams, their submissions, steps that ran, events, acts, boards.

Times are seconds since 1970 by the database's clock. The migration `submissions_0001` makes these
tables; a test compares the two.
"""

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
)

METADATA = MetaData()

TEAMS = Table(
    "teams",
    METADATA,
    Column("name", String(64), primary_key=True),
    Column("token_hash", String(64), nullable=False, unique=True),
    Column("created", Float, nullable=False),
    Column("withdrawn", Float),
)

SUBMISSIONS = Table(
    "submissions",
    METADATA,
    Column("id", String(16), primary_key=True),
    Column("team", String(64), ForeignKey("teams.name"), nullable=False),
    Column("phase", String(64), nullable=False),
    Column("file", Text, nullable=False),  # the name that the team gave it
    Column("bytes", Integer, nullable=False),
    Column("submitted", Float, nullable=False),
    # submitted, checked, running, scored, failed
    Column("state", String(16), nullable=False),
    Column("reason", Text, nullable=False),
    # whether it is one of the team's tries; a failure of ours is none
    Column("is_try", Boolean, nullable=False),
    Column("digest", String(64)),  # of the content that was submitted
    Column("key", String(64)),  # of everything that the scores follow from
    Column("reused_from", String(16)),
    # the worker that has it, until when, and how often one had it without a step being done
    Column("owner", Text),
    Column("lease_until", Float),
    Column("not_before", Float, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("trouble", Text),  # the last failure of ours, for the organiser
    Column("steps", Integer),  # how many there are
    Column("parts", Integer),
    Column("unit", String(32)),  # what a part is called: speaker
    Column("seconds_at_most", Float),  # the sum of the steps' time budgets
    Column("started", Float),
    Column("ended", Float),
    Column("withdrawn", Float),
    Column("result", JSON),  # run.json without its steps
    Column("scores", JSON),
    Index("submissions_waiting", "state", "not_before"),
    Index("submissions_of_a_team", "team", "phase", "submitted"),
    Index("submissions_by_key", "key"),
)

STEPS = Table(
    "submission_steps",
    METADATA,
    Column("submission", String(16), ForeignKey("submissions.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("ended", Float, nullable=False),
    Column("result", JSON, nullable=False),
)

EVENTS = Table(
    "submission_events",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("submission", String(16), ForeignKey("submissions.id"), nullable=False, index=True),
    Column("time", Float, nullable=False),
    Column("event", String(16), nullable=False),
    Column("detail", Text, nullable=False),
)

# What the organiser did and when: unblinding a phase.
ACTS = Table(
    "phase_acts",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("phase", String(64), nullable=False),
    Column("act", String(16), nullable=False),
    Column("time", Float, nullable=False),
    Column("name", Text, nullable=False),
)

BOARDS = Table(
    "phase_boards",
    METADATA,
    Column("phase", String(64), primary_key=True),
    Column("key", String(64), nullable=False),  # of the submissions that it counts
    Column("made", Float, nullable=False),
    Column("document", JSON, nullable=False),
)
