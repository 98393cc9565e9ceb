"""Tables of asking people live: units, people, leases, answers, withdrawals, what servers share."""

import sqlalchemy as sa
from alembic import op

revision = "people_0001"
down_revision = None
branch_labels = ("people",)
depends_on = None


def _text(name: str, **more: object) -> sa.Column[str]:
    return sa.Column(name, sa.String(), **{"nullable": False, **more})  # type: ignore[arg-type]


def _number(name: str, **more: object) -> sa.Column[float]:
    return sa.Column(name, sa.Float(), **{"nullable": False, **more})  # type: ignore[arg-type]


def _count(name: str, **more: object) -> sa.Column[int]:
    more = {"nullable": False, "server_default": "0", **more}
    return sa.Column(name, sa.Integer(), **more)  # type: ignore[arg-type]


def _partial(name: str, table: str, columns: list[str], where: str, *, unique: bool) -> None:
    rule = sa.text(where)
    op.create_index(name, table, columns, unique=unique, sqlite_where=rule, postgresql_where=rule)


def upgrade() -> None:
    """Make the tables."""
    _units()
    _people()
    _leases()
    _answers()
    op.create_table(
        "live_withdrawals",
        _text("person", primary_key=True),
        _number("withdrawn"),
        _count("answers", server_default=None),
    )
    op.create_table(
        "live_shared",
        _text("name", primary_key=True),
        sa.Column("value", sa.JSON(), nullable=False),
    )
    op.create_table(
        "live_sessions", _text("digest", primary_key=True), _number("started"), _number("expires")
    )


def _units() -> None:
    op.create_table(
        "live_units",
        _text("id", primary_key=True),
        _text("digest"),
        _text("recording"),
        _number("start"),
        _number("finish"),
        _count("batch"),
        _number("draw"),
        _count("need", server_default=None),
        _count("counted"),
        sa.Column("is_known", sa.Boolean(), nullable=False, server_default=sa.text("false")),
        _number("gain", nullable=True),
    )
    _partial("live_units_needed", "live_units", ["draw", "id"], "need > 0", unique=False)


def _people() -> None:
    op.create_table(
        "live_people",
        _text("id", primary_key=True),
        _number("joined"),
        _text("consent"),
        _text("market", server_default=""),
        _text("outside", nullable=True),
        sa.Column("details", sa.JSON(), nullable=False),
        _text("state", server_default="active"),
        _text("why", server_default=""),
        _text("code"),
        _count("answers"),
        _count("trials"),
        _count("trials_right"),
        _count("gold"),
        _count("gold_right"),
        sa.UniqueConstraint("market", "outside"),
    )


def _leases() -> None:
    op.create_table(
        "live_leases",
        _text("id", primary_key=True),
        _text("unit"),
        _text("person"),
        _text("role"),
        _number("given"),
        _number("expires"),
        _text("state"),
    )
    live = "state IN ('open', 'answered')"
    _partial("live_leases_once", "live_leases", ["unit", "person"], live, unique=True)
    op.create_index("live_leases_of", "live_leases", ["person", "given"])
    _partial("live_leases_open", "live_leases", ["expires"], "state = 'open'", unique=False)


def _answers() -> None:
    op.create_table(
        "live_answers",
        sa.Column("number", sa.Integer(), primary_key=True, autoincrement=True),
        _text("unit"),
        _text("person"),
        _text("key"),
        _text("role"),
        sa.Column("value", sa.JSON(), nullable=False),
        _number("seconds", nullable=True),
        _number("given"),
        sa.Column("counts", sa.Boolean(), nullable=False),
        _text("why", server_default=""),
        sa.Column("is_right", sa.Boolean(), nullable=True),
        sa.UniqueConstraint("person", "key"),
    )
    op.create_index("live_answers_unit", "live_answers", ["unit"])
    op.create_index("live_answers_given", "live_answers", ["given"])


def downgrade() -> None:
    """Remove the tables and everything in them."""
    for name in ("sessions", "shared", "withdrawals", "answers", "leases", "people", "units"):
        op.drop_table(f"live_{name}")
