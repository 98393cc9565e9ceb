"""Pictures: timelines over the spectrogram, labels one by one, people, activity, PSD-ROC."""

from earmark.tasks.events.report.labels import draw_labels, draw_psd_roc
from earmark.tasks.events.report.people import draw_activity, draw_agreement, draw_competence
from earmark.tasks.events.report.timeline import draw_timeline

__all__ = [
    "draw_activity",
    "draw_agreement",
    "draw_competence",
    "draw_labels",
    "draw_psd_roc",
    "draw_timeline",
]
