"""Statements that run thousands of times a second: compiled once, handed to SQLite's own driver.

SQLAlchemy spends several times longer on running a statement than SQLite does on the statement
itself. On PostgreSQL, where the server and the network take that time anyway, and in several
processes, it runs them as ever.
"""

from collections import namedtuple
from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import Connection, Delete, Insert, Select, Update

from earmark.ask.live.tables import DatabaseRow

Processor = Callable[[Any], Any]
Statement = Select[Any] | Insert | Update | Delete


class HotStatement:
    """A statement whose parameters have names, for one transaction after another.

    Values and rows are those that SQLAlchemy would take and return: its types convert them.
    """

    def __init__(self, statement: Statement, columns: Sequence[str] = ()) -> None:
        self._statement = statement
        self._columns = list(columns) or None  # that an INSERT fills
        self._plan: _SqlitePlan | None = None

    def all(self, connection: Connection, **values: Any) -> Sequence[DatabaseRow]:
        """Return the rows."""
        if connection.dialect.name != "sqlite":
            return connection.execute(self._statement, values).all()
        plan, cursor = self._run(connection, values)
        return [plan.row(cells) for cells in cursor.fetchall()]

    def first(self, connection: Connection, **values: Any) -> DatabaseRow | None:
        """Return the first row, or None."""
        return next(iter(self.all(connection, **values)), None)

    def change(self, connection: Connection, **values: Any) -> int:
        """Return how many rows were changed."""
        if connection.dialect.name != "sqlite":
            return int(connection.execute(self._statement, values).rowcount)
        return int(self._run(connection, values)[1].rowcount)

    def insert(self, connection: Connection, **values: Any) -> Any:
        """Return the new row's primary key; on SQLite its number."""
        if connection.dialect.name != "sqlite":
            result: Any = connection.execute(self._statement, values)
            return result.inserted_primary_key[0]
        return self._run(connection, values)[1].lastrowid

    def _run(self, connection: Connection, values: dict[str, Any]) -> tuple["_SqlitePlan", Any]:
        if self._plan is None:
            compiled = self._statement.compile(connection, column_keys=self._columns)
            self._plan = _SqlitePlan(self._statement, compiled, values)
        driver: Any = connection.connection.driver_connection
        return self._plan, driver.execute(self._plan.text, self._plan.parameters(values))


class _SqlitePlan:
    """A statement as text, and how its parameters and rows are converted."""

    def __init__(self, statement: Any, compiled: Any, values: dict[str, Any]) -> None:
        dialect, state = compiled.dialect, compiled.construct_expanded_state(values)
        self.text: str = state.statement
        self._fixed = {k: one for k, one in state.parameters.items() if k not in values}
        kinds = {name: bind.type for name, bind in compiled.binds.items()}
        self._order = [
            (name, _to_database(kinds[name], dialect) if name in kinds else None)
            for name in state.positiontup
        ]
        chosen = list(statement.selected_columns) if isinstance(statement, Select) else []
        processors = [_from_database(column.type, dialect) for column in chosen]
        self._convert = [(k, one) for k, one in enumerate(processors) if one is not None]
        names = [column.key or f"column_{k}" for k, column in enumerate(chosen)]
        rows_with: Any = namedtuple  # of names that are known only now
        self._row = rows_with("HotRow", names, rename=True)._make

    def parameters(self, values: dict[str, Any]) -> list[Any]:
        """Return the parameters in the order of the text."""
        fixed = self._fixed
        parameters = []
        for name, convert in self._order:
            value = values[name] if name in values else fixed[name]
            parameters.append(value if convert is None else convert(value))
        return parameters

    def row(self, cells: Sequence[Any]) -> Any:
        """Return a row with names."""
        if self._convert:
            cells = list(cells)
            for k, convert in self._convert:
                cells[k] = convert(cells[k])
        return self._row(cells)


def _to_database(kind: Any, dialect: Any) -> Processor | None:
    processor: Processor | None = kind.dialect_impl(dialect).bind_processor(dialect)
    return processor


def _from_database(kind: Any, dialect: Any) -> Processor | None:
    processor: Processor | None = kind.dialect_impl(dialect).result_processor(dialect, None)
    return processor
