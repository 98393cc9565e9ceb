"""Pictures: a marked passage, curves, quartiles, and the quality of the corruption."""

from earmark.tasks.context.report.difficulty import difficulty
from earmark.tasks.context.report.passage import marked
from earmark.tasks.context.report.quality import curves, quality, quartiles

__all__ = ["curves", "difficulty", "marked", "quality", "quartiles"]
