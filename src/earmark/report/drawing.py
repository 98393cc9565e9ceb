"""The pictures of a task, drawn one by one; those that need an extra which is absent say so."""

from collections.abc import Iterator

from markupsafe import Markup

from earmark.report.figure import Figure
from earmark.task.extras import MissingExtra, missing_explained
from earmark.task.progress import track
from earmark.task.view import View


def draw_pictures(view: View) -> Iterator[Figure]:
    """Yield the pictures of a study; a note in place of one that cannot be drawn here."""
    for name in track(tuple(view.task.report), label="pictures"):
        try:
            with missing_explained():
                figure = view.task.report[name](view)
        except MissingExtra as error:
            figure = Figure(name, Markup.escape(f"Not drawn here. {error}"))
        if isinstance(figure, Figure):
            yield figure
