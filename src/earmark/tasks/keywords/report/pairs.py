"""Trials and verdicts of a study, side by side."""

from collections.abc import Iterator

from earmark.task.view import View
from earmark.tasks.keywords.values import Trial, Verdict


def paired(view: View) -> Iterator[tuple[str, list[tuple[Trial, Verdict]]]]:
    """Every system with its trials and verdicts side by side."""
    truth = view.truth()
    if truth is None or not any(isinstance(v, Trial) for v in truth.values.values()):
        return
    for name, outputs in view.outputs().items():
        yield (
            name,
            [(truth.values[i], outputs[i].value) for i in sorted(truth.values) if i in outputs],
        )
