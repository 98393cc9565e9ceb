"""The pictures: who was heard and who was not, what thresholds could do, one warping path."""

from earmark.tasks.keywords.report.curve import det_curve
from earmark.tasks.keywords.report.path import warping_path
from earmark.tasks.keywords.report.people import speaker_table

__all__ = ["det_curve", "speaker_table", "warping_path"]
