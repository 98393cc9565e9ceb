"""The second verb: unit questions, batches and price; answers imported or simulated."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from earmark.ask.batch import batches
from earmark.ask.crowd import read_crowd
from earmark.ask.terms import Terms, mark_trials, over_cap, plan
from earmark.files import jsonl
from earmark.study.live import LIVE_FILES, is_live, left_out_file, read_live
from earmark.study.places import ANSWERS, MATERIAL, header, input_digests, packed_lines
from earmark.study.record import write_place
from earmark.study.snapshot import Snapshot
from earmark.task.options import call_with, option, options_of
from earmark.task.progress import notes_to
from earmark.task.task import Json, Question
from earmark.values import checks
from earmark.values.answer import Answer, Ballots
from earmark.values.errors import InputError, StudyError
from earmark.values.item import Item
from earmark.values.names import some

SIMULATED = "simulated"
Answers = tuple[Answer[Any], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AskOptions(Terms):
    """The terms of asking, and where answers come from; with no source, `ask` only plans."""

    import_from: Path | None = option(
        None, "Take answers that people gave elsewhere; `live` are those of serve.", flag="import"
    )
    simulate: bool = option(False, "Answer with a simulated crowd.")
    crowd: Path | None = option(
        None, "What the simulated crowd is like; its cap and trial hold unless given here."
    )
    database: str | None = option(None, "With --import live: the database.  [the study's own]")
    more: int | None = option(
        None, "Ask again about N questions, where the uncertainty is greatest."
    )

    def __post_init__(self) -> None:
        Terms.__post_init__(self)
        checks.at_least(self.more, 1, what="--more")


@dataclass(frozen=True, slots=True)
class NewAnswers:
    """Answers that came in: those that count, those that a failed trial leaves out, and why."""

    counted: Answers = ()
    left_out: Answers = ()
    failed: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def summary(self) -> Json:
        """Return what to report of those who failed, and of what was left out of the file."""
        notes = {"notes": list(self.notes)} if self.notes else {}
        if not self.failed:
            return notes
        failed = {"failed_trial": dict(self.failed), "answers_left_out": len(self.left_out)}
        return {**notes, **failed}


def ask(study: Snapshot, question: Question, options: Mapping[str, Any]) -> Json:
    """Plan the questions, and take answers from a file or from a simulated crowd.

    `options` are those of `AskOptions`, of the task's `units` and of its `read_answers`; the result
    says what was planned, what it costs, and how many answers there are now.
    """
    own, reading = {one.name for one in fields(AskOptions)}, options_of(question.read_answers)
    how = AskOptions(**{name: value for name, value in options.items() if name in own})
    read_with = {name: value for name, value in options.items() if name in reading}
    cutting = {n: value for n, value in options.items() if n not in own and n not in reading}
    if how.import_from is not None or how.more or how.simulate:
        cutting = {**_as_planned(study, question), **cutting}
    units = _units(study, question, cutting)
    crowd: dict[str, Any] = {**question.crowd, **read_crowd(how.crowd, question)}
    terms = how.completed(crowd)
    asked = _most_uncertain(study, question, units, how.more) if how.more else units
    earlier = _earlier_answers(study, how)
    _check_same_questions(study, units, earlier)
    live = read_live(study, question, units, how.database) if is_live(how.import_from) else None
    if live is not None:
        # the database knows better what its people said, and who has withdrawn
        earlier, new = live.without(earlier), NewAnswers(live.counted)
    elif how.import_from is not None:
        new = _imported(question, units, how.import_from, terms, read_with)
    else:
        new = _simulated(study, question, asked, crowd, how)
    counted = _renamed(new.counted, earlier) if how.more else new.counted
    answers = Ballots(units, (*earlier, *counted)).answers
    recipe = {"people": terms.people, **how.distance(), "seed": study.seed, **cutting}
    simulated = how.simulate or answered_by_whom(study) == SIMULATED
    left_out = left_out_file(live) if live else _left_out(new.left_out, how.import_from)
    opinions = len(asked) * (1 if how.more else terms.people or 1)
    over = over_cap(answers, terms.cap)
    planned = plan(question, asked, opinions, terms)
    # last, so that a failure above leaves the study as it was
    origin = (simulated, LIVE_FILES if live else ())
    _write(study, {**recipe, **how.for_crowd()}, units, answers, left_out, origin)
    return {
        **planned,
        "answers": len(answers),
        "answered_by": len({answer.person for answer in answers}),
        "unanswered": len(units) - len({answer.item for answer in answers}),
        **new.summary(),
        **({"over_cap": over} if over else {}),
        **({"next": [unit.id for unit in asked]} if how.more else {}),
    }


def _units(study: Snapshot, question: Question, cutting: Mapping[str, Any]) -> tuple[Item, ...]:
    """Return the questions, each once; raise StudyError if there is nothing to ask."""
    units = tuple(call_with(question.units, study.items(), options=cutting, what="asking"))
    checks.unique((unit.id for unit in units), what="unit")
    if not units:
        raise StudyError(
            "there is nothing to ask about this material",
            at=study.name,
            got=f"0 questions from {some([item.id for item in study.items()])}",
            want=question.prompt,
            fix="make a study of material that people are asked about",
        )
    return units


def _as_planned(study: Snapshot, question: Question) -> dict[str, Any]:
    """Return the options that the questions were cut with: answers are about those questions."""
    path = study.folder / ANSWERS / "units.jsonl"
    recipe = jsonl.header(path).get("recipe", {}) if path.exists() else {}
    return {name: recipe[name] for name in options_of(question.units) if name in recipe}


def _check_same_questions(study: Snapshot, units: tuple[Item, ...], earlier: Answers) -> None:
    """Raise StudyError if a question that was answered has the same id but asks something else."""
    before = {unit.id: (unit.span, unit.text) for unit in study.units()} if earlier else {}
    now = {unit.id: (unit.span, unit.text) for unit in units}
    changed = sorted({a.item for a in earlier if before.get(a.item) != now.get(a.item)})
    if changed:
        raise StudyError(
            "answers that are there would be about other questions",
            at=study.name,
            got=f"{some(changed, 'answered question')} cut otherwise",
            fix="ask with the same options as then, or use a copy of the study",
        )


def _most_uncertain(
    study: Snapshot, question: Question, units: tuple[Item, ...], count: int
) -> tuple[Item, ...]:
    """Return the units to ask about again."""
    if question.more is None:
        raise StudyError(f"{study.task.name} cannot rank its units by uncertainty", at=study.name)
    ranked = [item for item, _ in question.more(study.answers(), seed=study.seed)]
    by_id = {unit.id: unit for unit in units}
    return tuple(by_id[item] for item in ranked[:count])


def _earlier_answers(study: Snapshot, how: AskOptions) -> Answers:
    """Return the answers that stay; a simulated crowd's are made anew unless more is asked."""
    origin = answered_by_whom(study)
    if origin is None or (origin == SIMULATED and how.simulate and not how.more):
        return ()
    imports = how.import_from is not None
    if (how.simulate and origin != SIMULATED) or (imports and origin == SIMULATED):
        raise StudyError(
            "people's answers and a simulated crowd's would mix",
            at=study.name,
            got=f"answers of {'people' if how.simulate else 'a simulated crowd'} are there already",
            fix="keep them apart: use a copy of the study",
        )
    ballots = study.ballots()
    return ballots.answers if ballots else ()


def answered_by_whom(study: Snapshot) -> str | None:
    """Return who gave the answers that are there: people, or a simulated crowd."""
    path = study.folder / ANSWERS / "answers.jsonl"
    return jsonl.header(path).get("recipe", {}).get("answers") if path.exists() else None


def _imported(
    question: Question,
    units: tuple[Item, ...],
    path: Path,
    terms: Terms,
    read_with: Mapping[str, Any],
) -> NewAnswers:
    """Return the answers of a file."""
    notes: list[str] = []
    with notes_to(notes.append):
        answers = tuple(call_with(question.read_answers, path, units, options=read_with))
    if not answers:
        raise InputError("a file of answers must hold at least one", at=path)
    return NewAnswers(*mark_trials(question, units, answers, terms), tuple(notes))


def _simulated(
    study: Snapshot,
    question: Question,
    asked: tuple[Item, ...],
    crowd: Mapping[str, Any],
    how: AskOptions,
) -> NewAnswers:
    """Return the answers of a simulated crowd; none when only a plan is wanted."""
    terms = how.completed(crowd)
    if not how.simulate:
        return NewAnswers()
    opinions = {"opinions": 1 if how.more else terms.people} if "opinions" in crowd else {}
    wanted = {**how.for_crowd(), **opinions}
    return NewAnswers(tuple(_simulate(study, question, asked, crowd, wanted)))


def _simulate(
    study: Snapshot,
    question: Question,
    units: tuple[Item, ...],
    crowd: Mapping[str, Any],
    wanted: Mapping[str, Any],
) -> Iterable[Answer[Any]]:
    """Return the answers of the task's crowd; what the command wants wins over the crowd's file."""
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


def _renamed(new: Answers, earlier: Answers) -> Answers:
    """Return a further round's answers under new names: they come from other simulated people."""
    known = {answer.person for answer in earlier}
    rounds = 2
    while any(f"{answer.person}-{rounds}" in known for answer in new):
        rounds += 1
    return tuple(replace(answer, person=f"{answer.person}-{rounds}") for answer in new)


def _write(
    study: Snapshot,
    recipe: Mapping[str, Any],
    units: tuple[Item, ...],
    answers: Answers,
    left_out: Mapping[str, str],
    origin: tuple[bool, tuple[str, ...]],
) -> None:
    """Write units, batches and answers together.

    `origin` is whether a simulated crowd answered, and the files that go if they are not written.
    """
    simulated, stale = origin
    made_by = header("ask", recipe, inputs=input_digests(study.folder, MATERIAL))
    files = {"units.jsonl": packed_lines(made_by, map(study.relative, units)), **left_out}
    if units and units[0].span:
        groups = batches(units, apart=float(recipe["apart"]), counted_from=recipe["apart_from"])
        rows = [{"batch": k, "units": [units[n].id for n in row]} for k, row in enumerate(groups)]
        files["batches.jsonl"] = packed_lines(made_by, rows)
    if answers:
        whose = SIMULATED if simulated else "people"
        files["answers.jsonl"] = packed_lines(header("ask", {"answers": whose}), answers)
    # Batches of an earlier plan would contradict units that have none.
    gone = ("batches.jsonl", *stale)
    write_place(study.folder / ANSWERS, files, drop=lambda name: name in gone)


def _left_out(answers: Answers, source: Path | None) -> dict[str, str]:
    """Return the file of those who failed the trial, by name: not counted, not lost."""
    if not answers or source is None:
        return {}
    name = re.sub(r"[^\w.-]", "-", source.stem)
    made_by = header("ask", {"answers": "failed the trial"})
    return {f"left-out-{name}.jsonl": packed_lines(made_by, answers)}
