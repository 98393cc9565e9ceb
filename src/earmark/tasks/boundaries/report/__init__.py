"""Pictures: opinions over the words, the score over the limit, what trivial systems get."""

from earmark.tasks.boundaries.report.board import draw_sanity
from earmark.tasks.boundaries.report.correlations import draw_correlations
from earmark.tasks.boundaries.report.curve import draw_curve
from earmark.tasks.boundaries.report.strip import draw_strip

__all__ = ["draw_correlations", "draw_curve", "draw_sanity", "draw_strip"]
