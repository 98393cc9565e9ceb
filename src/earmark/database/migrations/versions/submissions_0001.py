"""The tables of a challenge: teams, submissions, their steps and events, acts, boards."""

import sqlalchemy as sa
from alembic import op

revision = "submissions_0001"
down_revision = None
branch_labels = ("submissions",)
depends_on = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "teams",
        sa.Column("name", sa.String(64), primary_key=True),
        sa.Column("token_hash", sa.String(64), nullable=False, unique=True),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("withdrawn", sa.Float),
    )
    _make_submissions()
    op.create_table(
        "submission_steps",
        sa.Column("submission", sa.String(16), sa.ForeignKey("submissions.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("ended", sa.Float, nullable=False),
        sa.Column("result", sa.JSON, nullable=False),
    )
    op.create_table(
        "submission_events",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("submission", sa.String(16), sa.ForeignKey("submissions.id"), nullable=False),
        sa.Column("time", sa.Float, nullable=False),
        sa.Column("event", sa.String(16), nullable=False),
        sa.Column("detail", sa.Text, nullable=False),
    )
    op.create_index("ix_submission_events_submission", "submission_events", ["submission"])
    op.create_table(
        "phase_acts",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("phase", sa.String(64), nullable=False),
        sa.Column("act", sa.String(16), nullable=False),
        sa.Column("time", sa.Float, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
    )
    op.create_table(
        "phase_boards",
        sa.Column("phase", sa.String(64), primary_key=True),
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("made", sa.Float, nullable=False),
        sa.Column("document", sa.JSON, nullable=False),
    )


def _make_submissions() -> None:
    op.create_table(
        "submissions",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("team", sa.String(64), sa.ForeignKey("teams.name"), nullable=False),
        sa.Column("phase", sa.String(64), nullable=False),
        sa.Column("file", sa.Text, nullable=False),
        sa.Column("bytes", sa.Integer, nullable=False),
        sa.Column("submitted", sa.Float, nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("is_try", sa.Boolean, nullable=False),
        sa.Column("digest", sa.String(64)),
        sa.Column("key", sa.String(64)),
        sa.Column("reused_from", sa.String(16)),
        sa.Column("owner", sa.Text),
        sa.Column("lease_until", sa.Float),
        sa.Column("not_before", sa.Float, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("trouble", sa.Text),
        sa.Column("steps", sa.Integer),
        sa.Column("parts", sa.Integer),
        sa.Column("unit", sa.String(32)),
        sa.Column("seconds_at_most", sa.Float),
        sa.Column("started", sa.Float),
        sa.Column("ended", sa.Float),
        sa.Column("withdrawn", sa.Float),
        sa.Column("result", sa.JSON),
        sa.Column("scores", sa.JSON),
    )
    op.create_index("submissions_waiting", "submissions", ["state", "not_before"])
    op.create_index("submissions_of_a_team", "submissions", ["team", "phase", "submitted"])
    op.create_index("submissions_by_key", "submissions", ["key"])


def downgrade() -> None:
    """Remove the tables."""
    for table in (
        "phase_boards",
        "phase_acts",
        "submission_events",
        "submission_steps",
        "submissions",
        "teams",
    ):
        op.drop_table(table)
