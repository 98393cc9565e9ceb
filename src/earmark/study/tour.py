"""The tour: every task's road on made-up material, side by side, and one page at the end."""

import multiprocessing
import queue
import shutil
import time
import traceback
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from earmark import tasks
from earmark.files.folder import write_file
from earmark.report import study_page
from earmark.report.figure import Figure
from earmark.report.page import Section, figure_block, page
from earmark.study.study import Study
from earmark.task.progress import Listener, heard_by
from earmark.task.task import Json, Step, Task
from earmark.values.errors import InputError

SHOWN = 3
MADE_BY = "tour.txt"


@dataclass(frozen=True, slots=True)
class Walked:
    """How one task's road went."""

    task: str
    folder: Path
    seconds: float
    problem: str = ""


def stops() -> list[str]:
    """The tasks that have a tour."""
    return [name for name in tasks.names() if tasks.load(name).tour]


def tour(
    folder: Path,
    *,
    seed: int = 0,
    processes: int = 2,
    only: tuple[str, ...] = (),
    listener: Listener | None = None,
) -> Json:
    """Walk every task found, in parallel, and write one index page."""
    _prepare(folder)
    names = [name for name in stops() if not only or name in only]
    context = multiprocessing.get_context("spawn")
    with context.Manager() as manager, ProcessPoolExecutor(processes, mp_context=context) as pool:
        heard = manager.Queue()
        futures = [pool.submit(walk, name, folder / name, seed, heard) for name in names]
        _relay(futures, heard, listener)
        walked = [future.result() for future in futures]
    path = folder / "index.html"
    write_file(path, index(walked))
    return {
        "page": str(path),
        "tasks": {
            one.task: {"seconds": round(one.seconds, 1), "problem": one.problem or None}
            for one in walked
        },
        "ok": not any(one.problem for one in walked),
    }


def _prepare(folder: Path) -> None:
    """An empty folder of our own; only an earlier tour is cleared away."""
    if folder.exists() and any(folder.iterdir()):
        if not (folder / MADE_BY).exists():
            raise InputError(
                "a tour needs a folder of its own",
                at=folder,
                got="a folder that holds other files",
                fix="name another folder",
            )
        shutil.rmtree(folder)
    folder.mkdir(parents=True, exist_ok=True)
    write_file(folder / MADE_BY, "made by earmark tour; removed and made again by the next one\n")


def _relay(futures: list["Future[Walked]"], heard: Any, listener: Listener | None) -> None:
    """Hand on what the walkers tell until all have arrived."""
    while not all(future.done() for future in futures):
        try:
            told = heard.get(timeout=0.2)
        except queue.Empty:
            continue
        if listener:
            listener(*told)


def walk(name: str, folder: Path, seed: int, heard: Any = None) -> Walked:
    """One task's road, step by step; a failure is told, and never stops the others."""
    task, started = tasks.load(name), time.perf_counter()
    label, problem = name, ""
    try:
        steps = task.tour.steps if task.tour else ()
        for done, step in enumerate(_prepared(task, folder, seed, steps)):
            if heard is not None:
                heard.put((label, done, len(steps)))
            with heard_by(lambda *_: None):
                take(task, folder, seed, step)
        if heard is not None:
            heard.put((label, len(steps), len(steps)))
    except InputError as error:
        problem = str(error)
    except Exception:
        problem = traceback.format_exc()
    return Walked(name, folder, time.perf_counter() - started, problem)


def _prepared(task: Task, folder: Path, seed: int, steps: tuple[Step, ...]) -> Iterator[Step]:
    place = folder.parent / f"{folder.name}-input"
    if task.tour and task.tour.prepare:
        place.mkdir(parents=True, exist_ok=True)
        task.tour.prepare(place, seed)
    for step in steps:
        options = {key: _filled(value, place) for key, value in step.options.items()}
        yield Step(step.verb, options)


def _filled(value: object, folder: Path) -> object:
    """The option with {folder} filled in; such texts are paths."""
    if isinstance(value, str) and "{folder}" in value:
        return Path(value.replace("{folder}", str(folder)))
    if isinstance(value, tuple):
        return tuple(_filled(part, folder) for part in value)
    return value


def take(task: Task, folder: Path, seed: int, step: Step) -> None:
    """One verb of the road."""
    options: dict[str, Any] = dict(step.options)
    if step.verb == "make":
        Study.create(folder, task=task.name, seed=seed).make(**options)
        return
    study = Study.open(folder)
    verb = getattr(study, step.verb)
    for key in ("by", "system", "against"):
        if key in options:
            verb(options.pop(key), **options)
            return
    verb(**options)


def index(walked: list[Walked]) -> str:
    """One page for all tasks: the best of each, with a link to the whole."""
    sections = [Section("The tasks", _cards(walked))]
    for one in walked:
        title = one.task.capitalize()
        sections.append(Section(title, _failed(one) if one.problem else _chapter(one)))
    lead = (
        "The road of every task on material that Earmark made itself: "
        "make, ask, reconcile, run, score, report."
    )
    return page("The tour", lead, sections, footer=study_page.footer("see each task's page."))


def _cards(walked: list[Walked]) -> str:
    blocks = []
    for one in walked:
        big, below = "failed", "see below"
        if not one.problem:
            best = study_page.headline(Study.open(one.folder))
            big, below = (best[1], f"{best[0]}: {best[2]}") if best else ("–", "nothing scored")
        asks = tasks.load(one.task).asks or tasks.load(one.task).title
        blocks.append(
            f'<a class="card" href="#{one.task}"><h3>{escape(one.task)}</h3>'
            f'<div class="big">{escape(big)}</div><p>{escape(below)}</p>'
            f"<p>{escape(asks)} · {one.seconds:.0f} s</p></a>"
        )
    return '<div class="cards">' + "".join(blocks) + "</div>"


def _failed(one: Walked) -> str:
    return f"<p>This road could not be walked to its end.</p><pre>{escape(one.problem)}</pre>"


def _chapter(one: Walked) -> str:
    """What a task's tour is about, its first pictures, and the way to its own page."""
    study = Study.open(one.folder)
    drawn = (draw(study) for draw in study.task.report.values())
    figures = [figure for figure in drawn if isinstance(figure, Figure)][:SHOWN]
    about = study.task.tour.about if study.task.tour else ""
    link = f'<a href="{one.folder.name}/6-report/index.html">The whole report of {one.task}</a>'
    return f"<p>{escape(about)} {link}.</p>" + figure_block(figures)
