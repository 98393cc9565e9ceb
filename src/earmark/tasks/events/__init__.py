"""Events: which sounds are active when? From a crowd's weak answers to strong labels, scored."""

from earmark.tasks.events.ask import HEARD
from earmark.tasks.events.bare import METHODS, reconcile_windows
from earmark.tasks.events.values import Event, FrameScores, Tags, Timeline, timeline
