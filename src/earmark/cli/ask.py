"""earmark ask."""

from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

from earmark.cli.commands import Offer, command, study_argument, task_among
from earmark.cli.options import existing
from earmark.cli.terminal import Terminal
from earmark.task.options import fields_of, merged
from earmark.task.task import Json
from earmark.values.names import counted

PEOPLE_NAMED = 8  # a line or two; --json has them all


def run_ask(terminal: Terminal, values: dict[str, Any], options: dict[str, Any]) -> None:
    """Plan the questions; take or simulate answers."""
    from earmark.study import Study
    from earmark.study.ask import AskOptions
    from earmark.study.live import is_live

    study = Study.open(values["study"], seed=values["seed"])
    for name in (field.name for field in fields(AskOptions)):
        if isinstance(options.get(name), Path) and not is_live(options[name]):
            existing(options[name])
    result = study.ask(**options)
    terminal.result({"study": str(study.folder), **result}, lambda: _lines(result))


def _lines(result: Json) -> Iterator[str]:
    questions, opinions = (
        counted(result["units"], "question"),
        counted(result["opinions"], "opinion"),
    )
    currency, hours = result["currency"], f"{result['hours']} hours"
    yield f"{questions}, {opinions}, {hours}"
    batches = counted(result["batches"], "batch", "batches")
    yield f"{batches}; {result['money']:.2f} {currency} with the market's fee"
    least = counted(result["people_at_least"], "person", "people")
    if "cap" in result:
        yield f"at most {counted(result['cap'], 'answer')} each: at least {least}"
    if "trials" in result:
        trials = f"{counted(result['trials'], 'trial question')} each, for {least}"
        failure = f"{result['each_failure']:.2f} {currency}"
        yield f"{trials}, are in it; everyone who fails adds {failure}"
    people = counted(result["answered_by"], "person", "people")
    yield f"{counted(result['answers'], 'answer')} from {people}"
    yield from result.get("notes", ())
    if result["answers"] and result["unanswered"]:
        yield f"questions that nobody has answered yet: {result['unanswered']}"
    if "failed_trial" in result:
        yield f"left out, {counted(result['answers_left_out'], 'answer')}: " + _named(
            "failed the trial", result["failed_trial"]
        )
    if "over_cap" in result:
        yield _named("gave more answers than the cap, which count all the same", result["over_cap"])


def _named(what: str, people: dict[str, Any]) -> str:
    """Return how many people did what, and the first of them by name."""
    names = [f"{name} ({count})" for name, count in people.items()]
    more = f" and {len(names) - PEOPLE_NAMED} more" if len(names) > PEOPLE_NAMED else ""
    return (
        f"{counted(len(names), 'person', 'people')} {what}: {', '.join(names[:PEOPLE_NAMED])}{more}"
    )


def offer(words: list[str]) -> Offer:
    """Return the options of asking, and those of the study's task: for cutting, for importing."""
    from earmark.study.ask import AskOptions

    task = task_among(words)
    functions = [task.ask.units, task.ask.read_answers] if task and task.ask else []
    return Offer("asking", {**fields_of(AskOptions), **merged(functions)})


ask = command(
    "ask",
    "Cut the material into unit questions; say what asking costs; take or simulate answers. "
    "Without --import or --simulate it asks nobody: it plans.",
    "earmark ask street --people 5\nearmark ask street --simulate --seed 7\n"
    "earmark ask street --import answers.csv\n"
    "earmark ask street --import live\n"
    "earmark ask street --import results.csv --columns item=Input.audio_url,labels=Answer.tags",
    params=[study_argument()],
    handler=run_ask,
    offer=offer,
)
