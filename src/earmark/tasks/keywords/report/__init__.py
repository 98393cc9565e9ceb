"""Pictures: errors per speaker, what other thresholds would do, one warping path."""

from earmark.tasks.keywords.report.speakers import draw_speakers
from earmark.tasks.keywords.report.trade_off import draw_trade_off
from earmark.tasks.keywords.report.warping import draw_warping

__all__ = ["draw_speakers", "draw_trade_off", "draw_warping"]
