"""The steps of a submission: what is to be run, and what came of it."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal, get_args

from earmark.values import checks
from earmark.values.errors import InputError

StepName = Literal["initialize", "enroll", "predict"]
StepStatus = Literal["ok", "error", "timeout", "memory", "disk", "processes", "output"]
# What run.json has of a step, in this order; the rest belongs to whoever runs it.
RECORDED = (
    *("step", "part", "status", "reason", "seconds", "cpu_seconds", "megabytes"),
    *("real_time_factor", "disk_megabytes", "isolation"),
)
# Bytes of a log's end that a page shows.
LOG_SHOWN = 4096


@dataclass(frozen=True, slots=True)
class StepPlan:
    """One call of a script: which step, for which part of the material, within how many seconds."""

    step: StepName
    part: str
    seconds: float
    sound: float | None = None  # seconds of sound to be judged, for the real-time factor


@dataclass(frozen=True, slots=True)
class StepResult:
    """What came of one step: how it ended, why, and what it used."""

    step: StepName
    part: str
    status: StepStatus = "ok"
    reason: str = ""
    seconds: float = 0.0
    cpu_seconds: float | None = None
    megabytes: float | None = None
    real_time_factor: float | None = None
    disk_megabytes: float | None = None
    isolation: str = ""
    log: str = ""

    @property
    def is_ok(self) -> bool:
        """Whether the step did what it should."""
        return self.status == "ok"

    def as_json(self) -> dict[str, Any]:
        """Return every field by name; `from_json` reads it."""
        return asdict(self)

    def recorded(self) -> dict[str, Any]:
        """Return what run.json has of the step."""
        values = asdict(self)
        return {name: _rounded(values[name]) for name in RECORDED}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> "StepResult":
        """Return the result that `as_json` wrote; raise InputError for anything else."""
        known = [field.name for field in fields(cls)]
        if not isinstance(values, Mapping) or set(values) - set(known):
            raise InputError("a step is an object of known fields", got=values, want=known)
        checks.one_of(str(values.get("step")), get_args(StepName), what="step")
        checks.one_of(str(values.get("status")), get_args(StepStatus), what="status")
        return cls(**values)


def _rounded(value: Any) -> Any:
    """Return a number with the digits that a measurement has."""
    return round(value, 4) if isinstance(value, float) else value
