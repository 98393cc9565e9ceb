"""The detector as two systems: with all features, and with those of the neighbouring words."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from earmark.task.options import option
from earmark.task.task import Training
from earmark.tasks.context.run.discourse.detector import NAME, SHIPPED, Detector, Family, load
from earmark.tasks.context.values import Passage, Scores
from earmark.values.item import Item
from earmark.values.output import Output

SYSTEM_NAMES: dict[Family, str] = {"all": NAME, "local": "local"}


@dataclass(frozen=True, slots=True, kw_only=True)
class DetectorOptions:
    """How the detector is run."""

    model: Path | None = option(
        None, "A model that `earmark train context discourse` wrote; by default the shipped one."
    )
    alone: bool = option(
        False,
        "Judge every passage as if it were the only one. By default the n-grams of the study's "
        "other passages count too (their text, not their labels), which is of the same kind.",
    )


def discourse(
    items: Sequence[Item],
    options: DetectorOptions = DetectorOptions(),
    *,
    train_on: Training | None,
    seed: int,
) -> Iterator[Output[Scores]]:
    """Score nouns by n-grams, the document's memory and similarity to the discourse.

    With a reference to learn from and no model, every passage is scored by a detector that was
    trained on other documents; a small study teaches it to weigh, and the shipped model brings
    what is known of words.
    """
    return _run(items, options, train_on, seed, "all")


def local(
    items: Sequence[Item],
    options: DetectorOptions = DetectorOptions(),
    *,
    train_on: Training | None,
    seed: int,
) -> Iterator[Output[Scores]]:
    """Score nouns by the same detector when it may look at the neighbouring words only.

    The gap to `discourse` says how much of the corruption needs context to be seen.
    """
    return _run(items, options, train_on, seed, "local")


def _run(
    items: Sequence[Item],
    options: DetectorOptions,
    train_on: Training | None,
    seed: int,
    family: Family,
) -> Iterator[Output[Scores]]:
    if options.model is None and train_on is not None:
        from earmark.tasks.context.train.discourse import cross_trained

        for detector, passages in cross_trained(train_on, seed=seed):
            yield from _outputs(detector, passages, family, options.alone)
    else:
        detector = load(options.model or SHIPPED)
        passages = tuple(Passage.of(item) for item in items)
        yield from _outputs(detector, passages, family, options.alone)


def _outputs(
    detector: Detector, passages: Sequence[Passage], family: Family, alone: bool
) -> Iterator[Output[Scores]]:
    rows = detector.scores(passages, family, alone=alone)
    for passage, row in zip(passages, rows, strict=True):
        scores = Scores(tuple(row.tolist()), detector.thresholds[family])
        yield Output(SYSTEM_NAMES[family], passage.id, scores)
