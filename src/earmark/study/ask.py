"""The second verb: unit questions, batches and price; answers taken or simulated."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from earmark.ask.batch import batches
from earmark.ask.terms import Terms, over_cap, plan, sat_trial
from earmark.files import jsonl
from earmark.files.text import read_text
from earmark.study import verify
from earmark.study.places import ANSWERS, MATERIAL, header, write_lines
from earmark.task.options import call_with
from earmark.task.task import Json, Question
from earmark.values import checks
from earmark.values.answer import Answer, Ballots
from earmark.values.errors import InputError, StudyError
from earmark.values.item import Item

if TYPE_CHECKING:
    from earmark.study.study import Study

SIMULATED = "simulated"


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

    `terms` says how many opinions a unit gets, how far apart neighbours of one batch lie, what an
    answer is paid, and who may answer. `more` asks again about that many units, where the doubt is
    greatest.
    """
    units = tuple(call_with(question.units, study.items(), options=options, what="asking"))
    checks.unique((unit.id for unit in units), what="unit")
    settings: dict[str, Any] = {**question.crowd, **read_crowd(crowd, question)}
    agreed = terms.over(settings)
    kept = _kept(study, simulate=simulate, imports=import_from is not None, more=more)
    asked = _doubtful(study, question, units, more) if more else units
    taken = Taken()
    if import_from is not None:
        read = tuple(question.read_answers(import_from, units))
        taken = Taken(*sat_trial(question, units, read, agreed))
    elif simulate:
        opinions = {"opinions": 1 if more else agreed.people} if "opinions" in settings else {}
        wanted = {**terms.of_crowd(), **opinions}
        taken = Taken(tuple(_simulated(study, question, asked, settings, wanted)))
    new = _newcomers(taken.answers, kept, again=bool(more))
    answers = Ballots(units, (*kept, *new)).answers
    recipe = {"people": agreed.people, "apart": terms.apart, "seed": study.seed, **options}
    _write(study, recipe | terms.of_crowd(), units, answers, simulate=simulate)
    _write_left_out(study, taken.left_out, import_from)
    return {
        **plan(question, asked, len(asked) * (1 if more else agreed.people or 1), agreed),
        "answers": len(answers),
        "answered_by": len({answer.person for answer in answers}),
        "unanswered": len(units) - len({answer.item for answer in answers}),
        **taken.told(),
        **({"over_cap": over} if (over := over_cap(answers, agreed.cap)) else {}),
        **({"next": [unit.id for unit in asked]} if more else {}),
    }


@dataclass(frozen=True, slots=True)
class Taken:
    """New answers, those that a failed trial leaves out, and who gave them."""

    answers: tuple[Answer[Any], ...] = ()
    left_out: tuple[Answer[Any], ...] = ()
    failed: Mapping[str, str] = field(default_factory=dict)

    def told(self) -> Json:
        """What to say of those who failed."""
        if not self.failed:
            return {}
        return {"failed_trial": dict(self.failed), "answers_left_out": len(self.left_out)}


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
    made_by = header("ask", recipe, inputs=verify.inputs(study, MATERIAL))
    write_lines(place / "units.jsonl", made_by, map(study.relative, units))
    if units and units[0].span:
        groups = batches(units, apart=float(recipe["apart"]))
        rows = [{"batch": k, "units": [units[n].id for n in row]} for k, row in enumerate(groups)]
        write_lines(place / "batches.jsonl", made_by, rows)
    if answers:
        origin = SIMULATED if simulate or _origin(study) == SIMULATED else "people"
        write_lines(place / "answers.jsonl", header("ask", {"answers": origin}), answers)


def _write_left_out(
    study: "Study", answers: tuple[Answer[Any], ...], came_from: Path | None
) -> None:
    """Answers of people who failed the trial: not counted, not lost."""
    if answers and came_from is not None:
        name = re.sub(r"[^\w.-]", "-", came_from.stem)
        path = study.folder / ANSWERS / f"left-out-{name}.jsonl"
        write_lines(path, header("ask", {"answers": "failed the trial"}), answers)


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
    study: "Study",
    question: Question,
    units: tuple[Item, ...],
    crowd: Mapping[str, Any],
    wanted: Mapping[str, Any],
) -> Iterable[Answer[Any]]:
    """Answers of the task's crowd; what is wanted of it wins over its file."""
    for name in wanted:
        checks.one_of(name, crowd, what="property of this task's simulated crowd")
    truth = study.truth()
    if question.simulate is None or truth is None:
        raise StudyError(
            "a simulated crowd needs a task that can simulate, and a known truth",
            at=study.name,
            fix="import answers with --import FILE",
        )
    return question.simulate(units, truth, crowd={**crowd, **wanted}, seed=study.seed)


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
