"""What a team sees of its own submission, by the rules of its phase.

A submission's log, its progress and its times are ways out for what its program saw. Where a phase
shows scores, everything is shown. Where it shows a verdict, a team learns whether its submission
passes and which kind of limit it met, in words of ours. Where it shows nothing, a team learns that
its submission was taken and that it ended; once the phase is unblinded, scores and reasons, but
never the log, which may hold private data.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from earmark.run.phases import ENDED, Phase

Json = dict[str, Any]
HIDDEN_OF_STEPS = ("log",)
AGAIN = (
    "something of ours failed; it is tried again, and is none of your tries if it fails for good"
)
# The kinds of failure, in words that say nothing of the data.
VERDICTS = {
    "error": "a {step} step ended with an error",
    "timeout": "a {step} step used more time than its budget",
    "memory": "a {step} step used more memory than its budget",
    "disk": "a {step} step wrote more than its budget",
    "processes": "a {step} step started more processes than its budget",
    "output": "a {step} step wrote no output that can be read",
}


def view(
    row: Mapping[str, Any], steps: Sequence[Mapping[str, Any]], phase: Phase, *, unblinded: bool
) -> Json:
    """Return what its team may see of a submission now."""
    document = _facts(row)
    if row["state"] not in ENDED and row["trouble"] and row["owner"] is None:
        return {**document, "reason": AGAIN}
    if phase.shows == "scores" or (phase.is_blind and unblinded):
        return {**document, **_open(row, steps, log=phase.shows == "scores")}
    ended = row["state"] in ENDED
    if phase.shows == "verdict":
        return {**document, **(_verdict(row, steps) if ended else _waiting(row))}
    if row["state"] == "failed" and not row["is_try"]:  # it never ran, or the failure is ours
        return {**document, "reason": row["reason"]}
    if ended:
        return {**document, "state": "finished", "reason": "results are shown when unblinded"}
    return {**document, **_waiting(row)}


def _facts(row: Mapping[str, Any]) -> Json:
    """Return what the team knows anyway: what it handed in, when, and how long it may take."""
    return {
        "id": row["id"],
        "team": row["team"],
        "phase": row["phase"],
        "file": row["file"],
        "bytes": row["bytes"],
        "submitted": row["submitted"],
        "withdrawn": row["withdrawn"],
        "is_try": row["is_try"],
        "digest": row["digest"],
        "seconds_at_most": row["seconds_at_most"],
        "state": row["state"],
    }


def _waiting(row: Mapping[str, Any]) -> Json:
    return {"state": row["state"], "reason": "", "started": row["started"]}


def _verdict(row: Mapping[str, Any], steps: Sequence[Mapping[str, Any]]) -> Json:
    """Return whether a submission passed: every step ended well and its outputs were scored."""
    bad = next((step for step in steps if step["status"] != "ok"), None)
    if row["state"] == "scored" and bad is None:
        return {"state": "passed", "reason": "every step ended well"}
    if bad is not None:
        words = VERDICTS.get(bad["status"], VERDICTS["error"])
        return {"state": "failed", "reason": words.format(step=bad["step"])}
    # it never ran: the reason is about the file that was handed in, or a failure of ours
    return {"state": "failed", "reason": row["reason"]}


def _open(row: Mapping[str, Any], steps: Sequence[Mapping[str, Any]], *, log: bool) -> Json:
    result = row["result"] or {}
    shown = [
        {name: value for name, value in step.items() if log or name not in HIDDEN_OF_STEPS}
        for step in steps
    ]
    return {
        "state": row["state"],
        "reason": row["reason"],
        "started": row["started"],
        "ended": row["ended"],
        "progress": progress(row, steps),
        "reused": row["reused_from"] is not None,
        "status": result.get("status"),
        "isolation": result.get("isolation"),
        "cost": result.get("cost"),
        "scores": row["scores"],
        "steps": shown,
        **({"log": last_lines(steps)} if log else {}),
    }


def progress(row: Mapping[str, Any], steps: Sequence[Mapping[str, Any]]) -> str:
    """Return how far a submission is, in words."""
    if row["state"] != "running" or not row["steps"]:
        return ""
    done, parts = len(steps), row["parts"] or 1
    # every part has equally many steps; there may be one before all of them
    each = max(1, row["steps"] // parts)
    first = row["steps"] - each * parts
    if parts == 1 or done < first:
        return f"step {min(done + 1, row['steps'])} of {row['steps']}"
    return f"{row['unit'] or 'part'} {min((done - first) // each + 1, parts)} of {parts}"


def last_lines(steps: Sequence[Mapping[str, Any]], lines: int = 40) -> str:
    """Return the last log lines of the last step that wrote any; of a failed one first."""
    bad = [step for step in steps if step["status"] != "ok" and step.get("log")]
    logs = bad or [step for step in steps if step.get("log")]
    return "\n".join(str(logs[-1]["log"]).splitlines()[-lines:]) if logs else ""
