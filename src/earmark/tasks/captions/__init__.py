"""Captions: does this sentence describe the sound?"""

from earmark.values.paper import Paper
from earmark.values.task import Task

PAPER = Paper(
    key="gontier2023spice",
    authors="F. Gontier and R. Serizel and C. Cerisara",
    title="SPICE+: Evaluation of automatic audio captioning systems with pre-trained "
    "language models",
    venue="IEEE International Conference on Acoustics, Speech and Signal Processing",
    year=2023,
)

TASK = Task(
    name="captions",
    title="Captions of sounds",
    paper=PAPER,
    kinds=(),
    asks="does this sentence describe the sound?",
)
