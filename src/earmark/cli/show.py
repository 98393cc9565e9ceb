"""earmark show, verify, cite and tasks."""

from collections.abc import Iterator
from typing import Any

from earmark import __version__, tasks
from earmark.cli.commands import command, study_argument
from earmark.cli.terminal import DONE, NO, Terminal
from earmark.task.task import Json, Task
from earmark.values.names import counted


def run_show(terminal: Terminal, values: dict[str, Any], options: dict[str, Any]) -> None:
    """Print what is done and what is next."""
    from earmark.study import Study
    from earmark.study.show import show as summary

    result = summary(Study.open(values["study"], seed=values["seed"]).snapshot())

    def lines() -> Iterator[str]:
        items = counted(result.get("items", 0), "item")
        yield f"{result['study']}: {result['task']}, seed {result['seed']}, {items}"
        for place, names in result["places"].items():
            mark = "x" if names else " "
            yield f"  [{mark}] {place:<14} {', '.join(names)}"
        for name in result["stale"]:
            yield f"  stale: {name} was made from something that has changed since"
        yield f"next: {result['next']}"

    terminal.result(result, lines)


def run_verify(terminal: Terminal, values: dict[str, Any], options: dict[str, Any]) -> int:
    """Check every file, and compute every stored number again."""
    from earmark.study.verify import verify as check

    result = check(values["study"])

    def lines() -> Iterator[str]:
        for problem in result["problems"]:
            yield f"{problem['file']}: {problem['problem']}"
        for note in result["notes"]:
            yield f"note: {note}"
        if result["other_versions"]:
            versions = ", ".join(result["other_versions"])
            yield f"note: counted by Earmark {__version__}; the files are of version {versions}"
        differences = counted(len(result["problems"]), "difference")
        verdict = "all as stored" if result["ok"] else differences
        numbers, files = counted(result["checked"], "number"), counted(result["files"], "file")
        yield f"{numbers} counted again, {files} compared: {verdict}"

    terminal.result(result, lines)
    return DONE if result["ok"] else NO


def run_cite(terminal: Terminal, values: dict[str, Any], options: dict[str, Any]) -> None:
    """Print what to cite."""
    from earmark.study import Study
    from earmark.study.show import cite as bibtex

    text = bibtex(Study.open(values["study"], seed=values["seed"]).snapshot())
    terminal.result({"bibtex": text}, lambda: iter([text]))


def describe(task: Task) -> Json:
    """Return what a task has, verb by verb; empty verbs are left out."""
    entries: Json = {"title": task.title, "asks": task.asks, "paper": str(task.paper)}
    for verb in ("make", "reconcile", "run", "train", "score", "report", "export"):
        names = list(getattr(task, verb))
        if names:
            entries[verb] = names
    return entries


def run_tasks(terminal: Terminal, values: dict[str, Any], options: dict[str, Any]) -> None:
    """Print what there is."""
    described = {name: describe(tasks.load(name)) for name in tasks.names()}

    def lines() -> Iterator[str]:
        for name, task in described.items():
            yield f"{name}: {task['title']}"
            yield f"  paper      {task['paper']}"
            for verb in ("make", "reconcile", "run", "train", "score", "export"):
                if verb in task:
                    yield f"  {verb:<10} {', '.join(task[verb])}"

    terminal.result({"tasks": described}, lines)


show = command(
    "show",
    "What is done in a study, and what is next.",
    "earmark show street",
    params=[study_argument()],
    handler=run_show,
)
verify = command(
    "verify",
    "Count every stored number again, references from their answers and boards from their outputs, "
    "and compare every file with its digest. Exit code 1, with the file and both values, when one "
    "differs, is gone or extra, or was made from something that has changed since.",
    "earmark verify street",
    params=[study_argument()],
    handler=run_verify,
)
cite = command(
    "cite",
    "BibTeX of what a study stands on.",
    "earmark cite street > street.bib",
    params=[study_argument()],
    handler=run_cite,
)
tasks_command = command(
    "tasks",
    "What there is: tasks, makers, systems, metrics, with papers.",
    "earmark tasks --json",
    params=[],
    handler=run_tasks,
)
