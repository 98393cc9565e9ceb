"""earmark show, verify, cite and tasks."""

from collections.abc import Iterator
from typing import Any

from earmark import tasks
from earmark.cli.commands import command, study_argument
from earmark.cli.talk import DONE, NO, Voice
from earmark.task.task import Json, Task


def show_handler(voice: Voice, values: dict[str, Any]) -> None:
    """What is done and what is next."""
    from earmark.study import Study, verify

    study = Study.open(values["study"], seed=values["seed"])
    told = verify.show(study)

    def lines() -> Iterator[str]:
        yield f"{told['study']}: {told['task']}, seed {told['seed']}, {told.get('items', 0)} items"
        for place, names in told["places"].items():
            mark = "x" if names else " "
            yield f"  [{mark}] {place:<14} {', '.join(names)}"
        for name in told["stale"]:
            yield f"  stale: {name} was made from something that has changed since"
        yield f"next: {told['next']}"

    voice.result(told, lines)


def verify_handler(voice: Voice, values: dict[str, Any]) -> int:
    """Count every stored number again."""
    from earmark.study import Study, verify

    told = verify.verify(Study.open(values["study"], seed=values["seed"]))

    def lines() -> Iterator[str]:
        for problem in told["problems"]:
            yield f"{problem['file']}: {problem['problem']}"
        verdict = "all as stored" if told["ok"] else f"{len(told['problems'])} differences"
        yield f"{told['checked']} numbers counted again: {verdict}"

    voice.result(told, lines)
    return DONE if told["ok"] else NO


def cite_handler(voice: Voice, values: dict[str, Any]) -> None:
    """What to cite."""
    from earmark.study import Study, verify

    text = verify.cite(Study.open(values["study"], seed=values["seed"]))
    voice.result({"bibtex": text}, lambda: iter([text]))


def describe(task: Task) -> Json:
    """What a task has, verb by verb; empty verbs are left out."""
    found: Json = {"title": task.title, "asks": task.asks, "paper": str(task.paper)}
    for verb in ("make", "reconcile", "run", "train", "score", "report"):
        names = list(getattr(task, verb))
        if names:
            found[verb] = names
    return found


def tasks_handler(voice: Voice, values: dict[str, Any]) -> None:
    """What there is."""
    told = {name: describe(tasks.load(name)) for name in tasks.names()}

    def lines() -> Iterator[str]:
        for name, task in told.items():
            yield f"{name}: {task['title']}"
            yield f"  paper      {task['paper']}"
            for verb in ("make", "reconcile", "run", "train", "score"):
                if verb in task:
                    yield f"  {verb:<10} {', '.join(task[verb])}"

    voice.result({"tasks": told}, lines)


show = command(
    "show",
    "What is done in a study, and what is next.",
    "earmark show street",
    params=[study_argument()],
    handler=show_handler,
)
verify = command(
    "verify",
    "Count every stored number again from the stored references and outputs. Exit code 1 when one "
    "differs or was made from something that has changed since.",
    "earmark verify street",
    params=[study_argument()],
    handler=verify_handler,
)
cite = command(
    "cite",
    "BibTeX of what a study stands on.",
    "earmark cite street > street.bib",
    params=[study_argument()],
    handler=cite_handler,
)
tasks_command = command(
    "tasks",
    "What there is: tasks, makers, systems, metrics, with papers.",
    "earmark tasks --json",
    params=[],
    handler=tasks_handler,
)
