"""Budget: what one step of a submission may use, from the table [budget] of study.toml."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from earmark.values import checks
from earmark.values.errors import InputError

MEGABYTE = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """Seconds, megabytes and processes of each step; limits are per step, none is shared.

    The times are the challenge's (Wang et al. 2021, section 2.1); its kit gives prediction .25 s
    for each second of test audio and 60 s beside. There the 60 s are for all speakers together;
    here each speaker has them, as each call loads its model anew.
    """

    initialise_seconds: float = 1800.0
    enrol_seconds: float = 300.0
    real_time_factor: float = 0.25
    slack_seconds: float = 60.0
    # Room for a speech network and torch, on a laptop that runs nothing else.
    memory_megabytes: float = 4096.0
    # Threads count too: libraries of linear algebra start one per core, twice over.
    processes: int = 512
    disk_megabytes: float = 2048.0
    # A line per clip is about 20 bytes: this is a hundred thousand clips, many times over.
    output_megabytes: float = 16.0
    log_megabytes: float = 1.0

    @classmethod
    def of(cls, table: Mapping[str, Any], *, at: str = "study.toml, [budget]") -> "Budget":
        """Return the budget of a table; raise InputError for a name or a value that cannot be."""
        if not isinstance(table, Mapping):
            raise InputError("a budget is a table of numbers", at=at, got=table)
        kinds = {field.name: field.type for field in fields(cls)}
        for name, value in table.items():
            checks.one_of(name, kinds, what="limit", at=at)
            whole = kinds[name] is int
            if isinstance(value, bool) or not isinstance(value, int if whole else int | float):
                want = "a whole number" if whole else "a number"
                raise InputError(f"the limit {name} must be {want}", at=at, got=repr(value))
            least = 0.0 if name in ("slack_seconds", "real_time_factor") else 0.001
            if not least <= value < float("inf"):
                raise InputError(f"the limit {name} must be above 0 and finite", at=at, got=value)
        return cls(**table)

    def prediction_seconds(self, sound: float | None) -> float:
        """Return how long a prediction may take, for so many seconds of sound (None: no sound).

        Items without sound have no real time; they get what enrolment gets.

        Examples
        --------
        >>> Budget().prediction_seconds(866.0), Budget().prediction_seconds(None)
        (276.5, 300.0)
        """
        if sound is None:
            return self.enrol_seconds
        return self.real_time_factor * sound + self.slack_seconds

    def as_json(self) -> dict[str, float]:
        """Return the limits by name."""
        return asdict(self)
