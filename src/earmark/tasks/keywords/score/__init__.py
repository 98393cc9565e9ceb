"""Wake-up scores: misses and false alarms per speaker, and what any threshold could have done."""

from earmark.tasks.keywords.score.curve import det_points, lowest_score
from earmark.tasks.keywords.score.operating import misses_at_false_alarms
from earmark.tasks.keywords.score.wake import false_alarm_rate, miss_rate, wake_score

__all__ = [
    "det_points",
    "false_alarm_rate",
    "lowest_score",
    "miss_rate",
    "misses_at_false_alarms",
    "wake_score",
]
