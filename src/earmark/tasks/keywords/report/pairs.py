"""Trials and verdicts of a study, side by side."""

from collections.abc import Iterator, Mapping

from earmark.tasks.keywords.values import Trial, Verdict
from earmark.values.output import Output
from earmark.values.reference import Reference

Outputs = Mapping[str, Mapping[str, Output[Verdict]]]  # system to item to verdict


def pairs_by_system(
    truth: Reference[Trial] | None, outputs: Outputs
) -> Iterator[tuple[str, list[tuple[Trial, Verdict]]]]:
    """Yield every system with its trials and verdicts; nothing when the labels are unknown."""
    if truth is None or not any(isinstance(value, Trial) for value in truth.values.values()):
        return
    trials = sorted(truth.values)
    for name, own in outputs.items():
        yield name, [(truth.values[item], own[item].value) for item in trials if item in own]
