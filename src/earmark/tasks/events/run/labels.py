"""Labels: a reference put out as if it were a system's, so that references can be scored too."""

from collections.abc import Iterator

from earmark.task.task import Training
from earmark.tasks.events.values import Timeline
from earmark.values.item import Item
from earmark.values.output import Output


def labels(
    items: tuple[Item, ...], *, train_on: Training | None, seed: int
) -> Iterator[Output[Timeline]]:
    """What the reference named by `--train-on` says: a way of reconciling, scored as a system."""
    from earmark.tasks.events.run.folds import need

    training = need(train_on, "labels")
    for item in items:
        yield Output("labels", item.id, training.reference.values[item.id])
