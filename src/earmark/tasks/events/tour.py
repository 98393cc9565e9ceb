"""All verbs on two soundscapes of a minute, with a simulated crowd of sixty."""

from pathlib import Path

from earmark.task.task import Step, Tour

METHODS = ("share", "trusted", "mace", "window-hmm")


def write_crowd(folder: Path, seed: int) -> None:
    """Write the crowd: uncapped because it is small, and able to hear most of the sounds."""
    (folder / "crowd.toml").write_text(
        "people = 60\ncap = 100000\naudibility = 5.0\n", encoding="utf-8"
    )


TOUR = Tour(
    about="Two soundscapes of 60 s, a simulated crowd of 60, four ways to reconcile what it said.",
    steps=(
        Step("make", {"recordings": 2, "seconds": 60.0}),
        Step("ask", {"simulate": True, "crowd": "{folder}/crowd.toml"}),
        *(Step("reconcile", {"by": by}) for by in METHODS),
        *(Step("run", {"system": "labels", "train_on": by, "name": by}) for by in METHODS),
        Step("run", {"system": "energy", "train_on": "truth"}),
        Step("score", {"against": "truth", "resamples": 200}),
        Step("report"),
    ),
    prepare=write_crowd,
)
