"""The second verb: unit questions, batches and price; answers taken or simulated."""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from earmark.ask.batch import batches
from earmark.ask.price import price
from earmark.files import jsonl
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


@dataclass(frozen=True, slots=True)
class Terms:
    """How asking is arranged and paid."""

    people: int | None = None
    apart: float = 15.0
    pay: float = 0.10
    fee: float = 0.20


def ask(  # noqa: PLR0913
    study: "Study",
    question: Question,
    *,
    terms: Terms,
    import_from: Path | None = None,
    simulate: bool = False,
    crowd: Path | None = None,
    more: int = 0,
    **options: Any,
) -> Json:
    """Plan the questions, and take answers from a file or from a simulated crowd.

    `terms` says how many opinions a unit gets, how far apart neighbours of one batch lie, and
    what an answer is paid. `more` asks again about that many units, where the doubt is greatest.
    """
    must_take(question.units, options, what="asking")
    units = tuple(question.units(study.items(), **options))
    checks.unique((unit.id for unit in units), what="unit")
    settings: dict[str, Any] = {**question.crowd, **read_crowd(crowd, question)}
    people = terms.people or int(settings.get("opinions", OPINIONS))
    kept = _kept(study, simulate=simulate, imports=import_from is not None, more=more)
    asked = _doubtful(study, question, units, more) if more else units
    new: tuple[Answer[Any], ...] = ()
    if import_from is not None:
        new = tuple(question.read_answers(import_from, units))
    elif simulate:
        if "opinions" in question.crowd:
            settings["opinions"] = 1 if more else people
        new = tuple(_simulated(study, question, asked, settings))
    answers = Ballots(units, (*kept, *_newcomers(new, kept, again=bool(more)))).answers
    recipe = {"people": people, "apart": terms.apart, "seed": study.seed, **options}
    _write(study, recipe, units, answers, simulate=simulate)
    opinions = len(asked) * (1 if more else people)
    return {
        **plan(question, asked, opinions, terms),
        "answers": len(answers),
        "answered_by": len({answer.person for answer in answers}),
        **({"next": [unit.id for unit in asked]} if more else {}),
    }


def plan(question: Question, units: tuple[Item, ...], opinions: int, terms: Terms) -> Json:
    """How much work and money it is, before anyone is asked."""
    cost = price(opinions, people=1, seconds=question.seconds, pay=terms.pay, fee=terms.fee)
    groups = batches(units, apart=terms.apart) if units and units[0].span else ()
    return {
        "units": len(units),
        "opinions": opinions,
        "batches": len(groups) or 1,
        "hours": cost.hours,
        "money": cost.total,
    }


def _write(
    study: "Study",
    recipe: Mapping[str, Any],
    units: tuple[Item, ...],
    answers: tuple[Answer[Any], ...],
    *,
    simulate: bool,
) -> None:
    """Units, batches and answers: the last is only ever added to."""
    place = study.folder / ANSWERS
    made_by = header("ask", recipe, inputs=checking.inputs(study, MATERIAL))
    write_lines(place / "units.jsonl", made_by, map(study.relative, units))
    if units and units[0].span:
        groups = batches(units, apart=float(recipe["apart"]))
        rows = [{"batch": k, "units": [units[n].id for n in row]} for k, row in enumerate(groups)]
        write_lines(place / "batches.jsonl", made_by, rows)
    if answers:
        origin = SIMULATED if simulate or _origin(study) == SIMULATED else "people"
        write_lines(place / "answers.jsonl", header("ask", {"answers": origin}), answers)


def _doubtful(
    study: "Study", question: Question, units: tuple[Item, ...], count: int
) -> tuple[Item, ...]:
    """The units to ask about again."""
    if question.more is None:
        raise StudyError(f"{study.task.name} cannot say yet where its doubt is", at=study.name)
    ranked = [item for item, _ in question.more(study.need_ballots(), seed=study.seed)]
    by_id = {unit.id: unit for unit in units}
    return tuple(by_id[item] for item in ranked[:count])


def _newcomers(
    new: tuple[Answer[Any], ...], kept: tuple[Answer[Any], ...], *, again: bool
) -> tuple[Answer[Any], ...]:
    """Simulated people of a further round are other people than those of the rounds before."""
    if not again:
        return new
    known = {answer.person for answer in kept}
    rounds = 2
    while any(f"{answer.person}-{rounds}" in known for answer in new):
        rounds += 1
    return tuple(replace(answer, person=f"{answer.person}-{rounds}") for answer in new)


def _origin(study: "Study") -> str | None:
    """Who gave the answers that are there: people, or a simulated crowd."""
    path = study.folder / ANSWERS / "answers.jsonl"
    return jsonl.header(path).get("recipe", {}).get("answers") if path.exists() else None


def _kept(study: "Study", *, simulate: bool, imports: bool, more: int) -> tuple[Answer[Any], ...]:
    """The answers that are there; a simulated crowd's are made anew unless more is asked."""
    origin = _origin(study)
    if origin is None or (origin == SIMULATED and simulate and not more):
        return ()
    if (simulate and origin != SIMULATED) or (imports and origin == SIMULATED):
        raise StudyError(
            "people's answers and a simulated crowd's would mix",
            at=study.name,
            got=f"answers of {'people' if simulate else 'a simulated crowd'} are there already",
            fix="keep them apart: use a copy of the study",
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
