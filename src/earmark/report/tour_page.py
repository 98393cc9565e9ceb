"""What the page of the tour shows: every task's best number and its first pictures."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from earmark.report.drawing import draw_pictures
from earmark.report.figure import Figure
from earmark.report.metric_names import MetricNames
from earmark.report.render import render_page
from earmark.report.study_page import Card, board_of, headline
from earmark.task.task import Task
from earmark.task.view import View

PICTURES_PER_TASK = 3  # enough for a first look; the task's own page has them all


@dataclass(frozen=True, slots=True)
class Chapter:
    """One task's part of the tour; `link` leads from the tour's page to the task's."""

    task: str
    asks: str
    seconds: float
    headline: Card
    about: str = ""
    link: str = ""
    figures: tuple[Figure, ...] = ()
    problem: str = ""

    @property
    def title(self) -> str:
        """The title of the task's section."""
        return self.task.capitalize()


def finished_chapter(view: View, *, link: str, seconds: float) -> Chapter:
    """Return the chapter of a study that went through all its verbs."""
    names = MetricNames(view.task)
    best = headline(board_of(view, reference, names) for reference in view.boards())
    card = Card("", best.big, f"{best.title}: {best.below}") if best else None
    return Chapter(
        view.task.name,
        _asks(view.task),
        seconds,
        card or Card("", "–", "nothing scored"),
        about=view.task.tour.about if view.task.tour else "",
        link=link,
        figures=tuple(islice(draw_pictures(view), PICTURES_PER_TASK)),
    )


def failed_chapter(task: Task, problem: str, *, seconds: float, big: str = "failed") -> Chapter:
    """Return the chapter of a task whose tour stopped with a problem, or was left out."""
    card = Card("", big, "see below")
    return Chapter(task.name, _asks(task), seconds, card, problem=problem)


def _asks(task: Task) -> str:
    return task.asks or task.title


def page(chapters: Sequence[Chapter]) -> str:
    """Return the page of the tour as HTML."""
    figures = [figure for chapter in chapters for figure in chapter.figures]
    return render_page("earmark.report/tour.html", figures, title="The tour", chapters=chapters)
