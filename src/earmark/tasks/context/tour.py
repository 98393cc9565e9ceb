"""The tour: six verbs on twelve made-up talks, each corrupted in three ways."""

import json
from pathlib import Path

from earmark.task.task import Step, Tour
from earmark.tasks.context.talks import TALKS


def prepare(folder: Path, seed: int) -> None:
    """Write the talks as lines of JSON."""
    lines = [json.dumps({"id": name, "text": text.strip()}) for name, text in TALKS.items()]
    (folder / "talks.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


TOUR = Tour(
    about=(
        "Twelve talks in which nouns were swapped in three ways: cleanly, as in the paper, and by "
        "words that sound alike. One detector reads the whole talk, another the words beside."
    ),
    prepare=prepare,
    steps=(
        Step(
            "make",
            {"maker": "three-ways", "text": "{folder}/talks.jsonl", "swaps": 4},
        ),
        Step("ask", {"simulate": True, "people": 5}),
        Step("reconcile", {"by": "majority"}),
        Step("run", {"system": "local", "train_on": "truth"}),
        Step("run", {"system": "discourse", "train_on": "truth"}),
        Step("score", {"against": "truth"}),
        Step("report", {}),
    ),
    extras=("text",),
)
