"""Labels: a reference replayed as a system's output, so that references can be scored too."""

from collections.abc import Iterator

from earmark.task.task import Training
from earmark.tasks.events.values import Timeline
from earmark.values.item import Item
from earmark.values.output import Output


def labels(
    items: tuple[Item, ...], *, train_on: Training | None, seed: int
) -> Iterator[Output[Timeline]]:
    """Yield the reference that `--train-on` names: a way of reconciling, scored as a system."""
    from earmark.tasks.events.run.folds import require_training

    training = require_training(train_on, "labels")
    for item in items:
        yield Output("labels", item.id, training.reference.values[item.id])
