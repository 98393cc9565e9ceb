"""Pictures: marks over the words, the score over the window limit, systems beside baselines."""

from earmark.tasks.boundaries.report.baselines import draw_baselines
from earmark.tasks.boundaries.report.correlations import draw_correlations
from earmark.tasks.boundaries.report.limits import draw_limits
from earmark.tasks.boundaries.report.marks import draw_marks

__all__ = ["draw_baselines", "draw_correlations", "draw_limits", "draw_marks"]
