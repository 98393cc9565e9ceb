"""Pictures: a marked passage, precision and recall, and the quality of the corruption."""

from earmark.tasks.context.report.difficulty import draw_difficulty
from earmark.tasks.context.report.passage import draw_passage
from earmark.tasks.context.report.quality import draw_curves, draw_quality, draw_quartiles

__all__ = ["draw_curves", "draw_difficulty", "draw_passage", "draw_quality", "draw_quartiles"]
