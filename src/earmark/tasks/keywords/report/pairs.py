"""Trials and verdicts of a study, side by side."""

from collections.abc import Iterator

from earmark.task.view import View
from earmark.tasks.keywords.values import Trial, Verdict


def pairs_by_system(view: View) -> Iterator[tuple[str, list[tuple[Trial, Verdict]]]]:
    """Yield every system with its trials and verdicts; nothing when the labels are unknown."""
    truth = view.truth()
    if truth is None or not any(isinstance(value, Trial) for value in truth.values.values()):
        return
    trials = sorted(truth.values)
    for name, outputs in view.outputs().items():
        yield name, [(truth.values[i], outputs[i].value) for i in trials if i in outputs]
