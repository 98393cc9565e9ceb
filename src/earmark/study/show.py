"""What is done in a study, what is next, and what to cite."""

import shlex

from earmark.files import jsonl
from earmark.study.places import (
    ANSWERS,
    MATERIAL,
    OUTPUTS,
    REFERENCES,
    REPORT,
    SCORES,
    output_files,
)
from earmark.study.snapshot import Snapshot
from earmark.study.stale import stale
from earmark.task.task import Json

EARMARK = """@software{earmark,
  author = {{The Earmark authors}},
  title  = {Earmark: an evaluation workbench for machine listening},
  year   = {2026}
}"""


def show(study: Snapshot) -> Json:
    """Return what each place holds, what is stale, and the next command."""
    places = {
        MATERIAL: _names(study, MATERIAL, "items.jsonl"),
        ANSWERS: _names(study, ANSWERS, "*.jsonl"),
        REFERENCES: _names(study, REFERENCES, "*.jsonl"),
        OUTPUTS: sorted(path.parent.name for path in output_files(study.folder)),
        SCORES: _names(study, SCORES, "*.json"),
        REPORT: _names(study, REPORT, "*.html"),
    }
    counts = {"items": len(study.items())} if places[MATERIAL] else {}
    return {
        "study": study.name,
        "task": study.task.name,
        "seed": study.seed,
        "places": places,
        **counts,
        "stale": [problem["file"] for problem in stale(study.folder)],
        "next": next_step(study, places),
    }


def _names(study: Snapshot, place: str, pattern: str) -> list[str]:
    return sorted(path.name for path in (study.folder / place).glob(pattern))


def next_step(study: Snapshot, places: Json) -> str:
    """Return the command that brings the study one step further."""
    name, task = shlex.quote(study.name), study.task
    steps = [
        (MATERIAL, f"earmark make {task.name} {name}", bool(task.make)),
        (ANSWERS, f"earmark ask {name}", task.ask is not None and study.truth() is None),
        (REFERENCES, f"earmark ask {name} --import FILE", places[ANSWERS] and not _answered(study)),
        (REFERENCES, f"earmark reconcile {name}", bool(task.reconcile) and bool(places[ANSWERS])),
        (OUTPUTS, f"earmark run {name} {_system(study)}", True),
        (SCORES, f"earmark score {name}", True),
        (REPORT, f"earmark report {name} --open", True),
    ]
    for place, command, applies in steps:
        if applies and not places[place]:
            return command
    return "nothing left to do"


def _answered(study: Snapshot) -> bool:
    ballots = study.ballots()
    return ballots is not None and bool(ballots.answers)


def _system(study: Snapshot) -> str:
    """Return the first built-in system; FILE if there is none, or nothing for it to look at."""
    silent = not any(item.media or item.text for item in study.items())
    return "FILE" if silent else next(iter(study.task.run), "FILE")


def cite(study: Snapshot) -> str:
    """Return BibTeX of the task, and of the metrics and methods that this study used."""
    used = {metric for row in study.scores() for metric in row["scores"]}
    references = (study.folder / REFERENCES).glob("*.jsonl")
    used |= {str(jsonl.header(path).get("recipe", {}).get("by")) for path in references}
    papers = [
        study.task.paper,
        *(study.task.cites[n] for n in sorted(used & set(study.task.cites))),
    ]
    return "\n\n".join([*dict.fromkeys(paper.bibtex() for paper in papers), EARMARK])
