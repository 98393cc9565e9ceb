"""The tour: every task's road on made-up material, side by side, and one page at the end."""

import multiprocessing
import queue
import shutil
import time
import traceback
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from earmark import tasks
from earmark.files.folder import write_file
from earmark.report import tour_page
from earmark.study.study import Study
from earmark.task.extras import MissingExtra, install_line, missing_explained, missing_extras
from earmark.task.progress import Listener, notify, reporting_to
from earmark.task.task import Json, Step, Task
from earmark.values import checks
from earmark.values.errors import InputError

MADE_BY = "tour.txt"


@dataclass(frozen=True, slots=True)
class TourResult:
    """How the tour of one task ended."""

    task: str
    folder: Path
    seconds: float
    problem: str = ""
    left_out: tuple[str, ...] = ()  # what needs an extra that is not installed


def tour_names(only: tuple[str, ...] = ()) -> list[str]:
    """Return the tasks that have a tour; when some are named, only those are loaded."""
    for name in only:
        checks.one_of(name, tasks.names(), what="task")
    return [name for name in only or tasks.names() if tasks.load(name).tour]


def tour(
    folder: Path,
    *,
    seed: int = 0,
    processes: int = 2,
    only: tuple[str, ...] = (),
    listener: Listener | None = None,
) -> Json:
    """Run the tour of every task, in parallel, and write one index page."""
    _prepare(folder)
    names = tour_names(only)
    _announce(names)
    context = multiprocessing.get_context("spawn")
    with context.Manager() as manager, ProcessPoolExecutor(processes, mp_context=context) as pool:
        news = manager.Queue()
        futures = [pool.submit(tour_task, name, folder / name, seed, news) for name in names]
        _relay(futures, news, listener)
        results = [future.result() for future in futures]
    if all(result.left_out and not result.folder.exists() for result in results):
        raise MissingExtra("no tour can start here", got="\n".join(r.left_out[0] for r in results))
    path = folder / "index.html"
    write_file(path, index(results))
    return {
        "page": str(path),
        "tasks": {
            result.task: {
                "seconds": round(result.seconds, 1),
                "problem": result.problem or None,
                "left_out": list(result.left_out),
                "page": str(_page_of(result)) if _page_of(result).exists() else None,
            }
            for result in results
        },
        "ok": not any(result.problem for result in results),
    }


def _announce(names: list[str]) -> None:
    """Say before the tour starts which tasks use extras that are not installed."""
    for name in names:
        own = tasks.load(name).tour
        missing = missing_extras(*own.extras) if own else []
        if missing:
            notify(
                f"{name} uses packages that are not installed: {install_line(*missing)}; "
                "what needs them is left out"
            )


def _prepare(folder: Path) -> None:
    """Empty the folder; only an earlier tour is removed."""
    if folder.is_dir() and any(folder.iterdir()):
        if not (folder / MADE_BY).exists():
            raise InputError(
                "a tour needs a folder of its own",
                at=folder,
                got="a folder that holds other files",
                fix="name another folder",
            )
        shutil.rmtree(folder, ignore_errors=True)
    write_file(folder / MADE_BY, "made by earmark tour; removed and made again by the next one\n")


def _relay(futures: list["Future[TourResult]"], news: Any, listener: Listener | None) -> None:
    """Relay the progress of the processes to the listener until all are done."""
    while not all(future.done() for future in futures):
        try:
            update = news.get(timeout=0.2)
        except queue.Empty:
            continue
        if listener:
            listener(*update)


def tour_task(name: str, folder: Path, seed: int, news: Any = None) -> TourResult:
    """Run the tour of one task; a failure is returned, and never stops the other tasks."""
    started, problem = time.perf_counter(), ""
    left_out: list[str] = []
    try:
        _walk(tasks.load(name), folder, seed, news, left_out)
    except MissingExtra as error:
        left_out.append(_one_line(error))
        shutil.rmtree(folder, ignore_errors=True)
    except InputError as error:
        problem = str(error)
    except Exception:
        problem = traceback.format_exc()
    return TourResult(name, folder, time.perf_counter() - started, problem, tuple(left_out))


def _walk(task: Task, folder: Path, seed: int, news: Any, left_out: list[str]) -> None:
    """Run the steps of a task; systems that need an extra which is absent go to `left_out`."""
    steps = task.tour.steps if task.tour else ()
    report = news.put if news is not None else lambda update: None
    for done, step in enumerate(_prepared(task, folder, seed, steps)):
        report((task.name, done, len(steps)))
        try:
            with reporting_to(lambda *_: None), missing_explained():
                run_step(task, folder, seed, step)
        except MissingExtra as error:
            if step.verb != "run":  # the other verbs need what this one makes
                raise
            left_out.append(f"{step.options.get('system')}: {_one_line(error)}")
    report((task.name, len(steps), len(steps)))


def _one_line(error: InputError) -> str:
    rule, *parts = str(error).splitlines()
    fix = [part.partition("fix:")[2].strip() for part in parts if "fix:" in part]
    return ": ".join([rule, *fix])


def _prepared(task: Task, folder: Path, seed: int, steps: tuple[Step, ...]) -> Iterator[Step]:
    place = folder.parent / f"{folder.name}-input"
    if task.tour and task.tour.prepare:
        place.mkdir(parents=True, exist_ok=True)
        task.tour.prepare(place, seed)
    for step in steps:
        options = {key: _filled(value, place) for key, value in step.options.items()}
        yield Step(step.verb, options)


def _filled(value: object, folder: Path) -> object:
    """Return the option with {folder} filled in; such texts are paths."""
    if isinstance(value, str) and "{folder}" in value:
        return Path(value.replace("{folder}", str(folder)))
    if isinstance(value, tuple):
        return tuple(_filled(part, folder) for part in value)
    return value


def run_step(task: Task, folder: Path, seed: int, step: Step) -> None:
    """Run one verb."""
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


def index(results: list[TourResult]) -> str:
    """Return one page for all tasks: the best of each, with a link to the whole."""
    return tour_page.page([_chapter(result) for result in results])


def _page_of(result: TourResult) -> Path:
    return result.folder / "6-report" / "index.html"


def _chapter(result: TourResult) -> tour_page.Chapter:
    seconds = result.seconds
    if result.problem:
        return tour_page.failed_chapter(tasks.load(result.task), result.problem, seconds=seconds)
    if not result.folder.exists():
        task, why = tasks.load(result.task), "\n".join(result.left_out)
        return tour_page.failed_chapter(task, why, seconds=seconds, big="left out")
    study = Study.open(result.folder).snapshot()
    link = f"{result.folder.name}/6-report/index.html"
    return tour_page.finished_chapter(study, link=link, seconds=seconds)
