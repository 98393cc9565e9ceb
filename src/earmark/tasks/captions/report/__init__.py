"""Pictures: a caption as a graph, what matches what, how metrics spread, grow and are gamed."""

from earmark.tasks.captions.report.graph import draw_graph, draw_heat_map
from earmark.tasks.captions.report.scores import draw_attacks, draw_candidates, draw_distributions

__all__ = [
    "draw_attacks",
    "draw_candidates",
    "draw_distributions",
    "draw_graph",
    "draw_heat_map",
]
