"""From a study and the words of a command to a server that runs; and back to the study's files."""

import secrets
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from earmark.ask.batch import batches
from earmark.ask.live import organisers
from earmark.ask.live.terms import LiveOptions, LiveTerms
from earmark.study import Study
from earmark.study.ask import SIMULATED, answered_by_whom
from earmark.study.live import LIVE
from earmark.task.task import Json
from earmark.values import checks
from earmark.values.errors import InputError, StudyError
from earmark.web.app import build_app
from earmark.web.live import Live
from earmark.web.server import listen, refuse_open_door, run_server
from earmark.web.settings import ServeOptions
from earmark.web.shown import study_document
from earmark.web.texts import QUESTION_FILE, page_folder

TABLE = "serve"  # of study.toml


@dataclass(frozen=True, slots=True, kw_only=True)
class Serving:
    """Where and how to serve: address, database, the organiser's password, right answers."""

    host: str = "127.0.0.1"
    port: int = 8000
    database: str | None = None
    password: str | None = None
    known: Path | None = None


def serve(
    study: Study,
    serving: Serving,
    options: Mapping[str, Any],
    *,
    started: Callable[[str], None] = lambda line: None,
) -> Json:
    """Serve a study until the process is asked to stop; then take the answers into its files."""
    refuse_open_door(serving.host, serving.password)
    password = serving.password or secrets.token_urlsafe(9)
    with closing(listen(serving.host, serving.port)) as sock:
        live = open_live(study, serving, options)
        try:
            study_document(live)  # examples may have to be synthesised: not while somebody waits
            with live.engine.begin() as connection:
                organisers.set_password(connection, password)
            host = f"[{serving.host}]" if ":" in serving.host else serving.host
            address = f"http://{host}:{sock.getsockname()[1]}"

            def announce() -> None:
                if live.units:
                    started(f"people: {address}/")
                shown = "" if serving.password else f"  password: {password}"
                started(f"organiser: {address}/organiser{shown}")
                if is_challenge(study):
                    started(f"teams: {address}/team  board: {address}/board")
                started("stop with Ctrl-C")

            run_server(build_app(live), sock, started=announce)
        finally:
            live.close()
    return _into_the_study(study, serving) if live.units else {"answers": 0, "why": "nobody asked"}


def _into_the_study(study: Study, serving: Serving) -> Json:
    """Take the answers from the database into the study's files; return how many count."""
    try:
        result = study.ask(import_from=LIVE, database=serving.database)
    except InputError as error:
        # they are safe in the database: say why they are not in the files too
        return {"answers": 0, "why": str(error).partition("\n")[0]}
    return {"answers": result["answers"], "answered_by": result["answered_by"]}


def open_live(study: Study, serving: Serving, options: Mapping[str, Any]) -> Live:
    """Return what a server serves; questions are cut as planned, or by default if never planned."""
    terms, own = chosen_options(study, options)
    if is_challenge(study) and not _was_planned(study):
        # teams come and the board shows; people are asked if the organiser planned questions
        return Live.open(study, LiveTerms(terms), own, database=serving.database, asks=False)
    _refuse_without_page(study)
    if terms.ask == "doubt" and study.question().more is None:
        raise InputError(
            f"{study.task.name} cannot rank its units by uncertainty", fix="leave out --ask doubt"
        )
    if answered_by_whom(study.snapshot()) == SIMULATED:
        raise StudyError(
            "people's answers and a simulated crowd's would mix",
            at=study.name,
            fix="keep them apart: serve a copy of the study without 2-answers/answers.jsonl",
        )
    if not study.snapshot().units():
        study.ask(people=terms.people, apart=terms.apart)
    _refuse_small_budget(study, terms)
    known = _known(study, serving.known)
    trial_units = _trial_units(study, known, terms)
    return Live.open(study, LiveTerms(terms, known, trial_units), own, database=serving.database)


def _refuse_small_budget(study: Study, terms: LiveOptions) -> None:
    """Raise InputError if a budget ends before it is known where the doubt is."""
    units = len(study.snapshot().units())
    if terms.ask == "doubt" and terms.answers is not None and terms.answers < units:
        raise InputError(
            "--ask doubt asks every question once before it ranks them",
            got=f"--answers {terms.answers}",
            want=f"more than the {units} questions of this study",
            fix="allow more answers, or leave out --ask doubt",
        )


def _refuse_without_page(study: Study) -> None:
    """Raise StudyError if the study's task has no page on which its question could be answered."""
    page = page_folder(study.task.name).joinpath(QUESTION_FILE)
    if not page.is_file():
        raise StudyError(
            f"the task {study.task.name} has no page in which people could answer its question",
            at=study.name,
            want=f"the file page/{QUESTION_FILE} in the task's folder",
            fix="write it, or take answers from elsewhere: earmark ask STUDY --import FILE",
        )
    off_page = {item.kind for item in study.snapshot().items()} & set(study.question().off_page)
    if off_page:
        raise StudyError(
            f"the page of {study.task.name} cannot ask about this material",
            at=study.name,
            got=", ".join(f"items of the kind {kind}" for kind in sorted(off_page)),
            fix=f"take answers from elsewhere: earmark ask {study.name} --import FILE",
        )


def is_challenge(study: Study) -> bool:
    """Return whether a study takes submissions."""
    return "phases" in study.snapshot().settings()


def _was_planned(study: Study) -> bool:
    """Return whether a study has questions that wait for people, and not for a simulated crowd."""
    snapshot = study.snapshot()
    return bool(snapshot.units()) and answered_by_whom(snapshot) != SIMULATED


def _trial_units(study: Study, known: Mapping[str, Any], terms: LiveOptions) -> tuple[str, ...]:
    """Return questions with known answers that one person can be given all.

    Raise InputError if they are fewer than the trial has.
    """
    units = [unit for unit in study.snapshot().units() if unit.id in known]
    spans = bool(units) and all(unit.span for unit in units)
    pool = batches(units, apart=terms.apart)[0] if spans else range(len(units))
    if len(pool) < max(terms.trials, 1 if terms.gold_every else 0):
        raise InputError(
            "trial and gold questions need right answers, to questions that lie apart",
            got=f"{terms.trials} trials, gold every {terms.gold_every}; {len(pool)} right answers",
            fix="name an answer file with more of them: --known FILE",
        )
    return tuple(units[position].id for position in pool)


def chosen_options(study: Study, options: Mapping[str, Any]) -> tuple[LiveOptions, ServeOptions]:
    """Return the options of study.toml, and over them those that were given."""
    table = study.snapshot().settings().get(TABLE, {})
    if not isinstance(table, Mapping):
        raise InputError("[serve] of study.toml must be a table", got=table)
    of_terms = {field.name for field in fields(LiveOptions)}
    of_server = {field.name for field in fields(ServeOptions)}
    for name in table:
        checks.one_of(name, of_terms | of_server, what="option", at="study.toml, [serve]")
    merged = {**table, **options}
    return (
        LiveOptions(**{name: value for name, value in merged.items() if name in of_terms}),
        ServeOptions(**{name: value for name, value in merged.items() if name in of_server}),
    )


def _known(study: Study, path: Path | None) -> dict[str, Any]:
    """Return the right answers of a file, by unit."""
    if path is None:
        return {}
    units = study.snapshot().units()
    known = {answer.item: answer.value for answer in study.question().read_answers(path, units)}
    if not known:
        raise InputError("a file of right answers must hold at least one", at=path)
    return known
