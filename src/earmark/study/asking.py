"""The second verb: unit questions, batches and price; answers taken or simulated."""

import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from earmark.files.text import read_text
from earmark.study import checking
from earmark.study.places import ANSWERS, MATERIAL, header, write_lines
from earmark.values import checks
from earmark.values.answer import Answer, Ballots
from earmark.values.errors import InputError, StudyError
from earmark.values.item import Item
from earmark.values.options import must_take
from earmark.values.task import Json, Question

if TYPE_CHECKING:
    from earmark.study.study import Study

SIMULATED = "simulated"
OPINIONS = 5


def ask(
    study: "Study",
    question: Question,
    *,
    people: int | None = None,
    import_from: Path | None = None,
    simulate: bool = False,
    crowd: Path | None = None,
    **options: Any,
) -> Json:
    """Plan the questions, and take answers from a file or from a simulated crowd.

    Parameters
    ----------
    people
        Opinions wanted for every unit question; by default what the crowd says, or 5.
    import_from
        A file of answers people gave elsewhere.
    simulate
        Answer with a simulated crowd instead of people.
    crowd
        A TOML file that changes the simulated crowd.
    """
    must_take(question.units, options, what="asking")
    units = tuple(question.units(study.items(), **options))
    checks.unique((unit.id for unit in units), what="unit")
    settings: dict[str, Any] = {**question.crowd, **read_crowd(crowd, question)}
    people = people or int(settings.get("opinions", OPINIONS))
    recipe = {"people": people, "seed": study.seed, **options}
    made_by = header("ask", recipe, inputs=checking.inputs(study, MATERIAL))
    new: tuple[Answer[Any], ...] = ()
    if import_from is not None:
        new = tuple(question.read_answers(import_from, units))
    elif simulate:
        if "opinions" in question.crowd:
            settings["opinions"] = people
        new = tuple(_simulated(study, question, units, settings))
    kept = _kept(study, simulate=simulate)
    answers = Ballots(units, (*kept, *new)).answers
    write_lines(study.folder / ANSWERS / "units.jsonl", made_by, map(study.relative, units))
    if answers:
        write_lines(study.folder / ANSWERS / "answers.jsonl", _origin(simulate), answers)
    return plan(question, units, people=people) | {
        "answers": len(answers),
        "answered_by": len({answer.person for answer in answers}),
    }


def plan(question: Question, units: tuple[Item, ...], *, people: int) -> Json:
    """How much work it is, before anyone is asked."""
    opinions = len(units) * people
    return {
        "units": len(units),
        "opinions": opinions,
        "hours": round(opinions * question.seconds / 3600, 2),
    }


def _origin(simulate: bool) -> dict[str, object]:
    return header("ask", {"answers": SIMULATED if simulate else "people"})


def _kept(study: "Study", *, simulate: bool) -> tuple[Answer[Any], ...]:
    """The answers that are there already: people's are kept, simulated ones are made anew."""
    from earmark.files import jsonl

    path = study.folder / ANSWERS / "answers.jsonl"
    if not path.exists():
        return ()
    origin = jsonl.header(path).get("recipe", {}).get("answers")
    if origin == SIMULATED:
        return ()
    if simulate:
        raise StudyError(
            "people have answered this study; a simulated crowd would mix with them",
            at=study.name,
            fix="simulate in a copy of the study",
        )
    ballots = study.ballots()
    return ballots.answers if ballots else ()


def _simulated(
    study: "Study", question: Question, units: tuple[Item, ...], crowd: Mapping[str, Any]
) -> Iterable[Answer[Any]]:
    truth = study.truth()
    if question.simulate is None or truth is None:
        raise StudyError(
            "a simulated crowd needs a task that can simulate, and a known truth",
            at=study.name,
            fix="import answers with --import FILE",
        )
    return question.simulate(units, truth, crowd=crowd, seed=study.seed)


def read_crowd(path: Path | None, question: Question) -> dict[str, Any]:
    """A crowd file: TOML with the names of the task's own crowd."""
    if path is None:
        return {}
    try:
        found = tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise InputError("a crowd file must be TOML", at=path, got=error) from error
    for name in found:
        checks.one_of(name, question.crowd, what="property of the crowd", at=str(path))
    return found
