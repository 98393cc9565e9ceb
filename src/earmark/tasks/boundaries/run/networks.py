"""The two trained systems: a window judged in its middle (cnn), a reader with attention (gru)."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING

from earmark.task.task import Training
from earmark.tasks.boundaries.make import transcript_of
from earmark.tasks.boundaries.values import Boundaries
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.output import Output

if TYPE_CHECKING:
    from earmark.tasks.boundaries.run.learned import Learned


def cnn(
    items: Iterable[Item],
    *,
    train_on: Training | None,
    seed: int,
    model: Path | None = None,
    threshold: float | None = None,
) -> Iterator[Output[Boundaries]]:
    """A convolution that judges the middle word of a sliding window: the family of the paper's S1.

    Parameters
    ----------
    model
        What `earmark train boundaries cnn` wrote; by default the shipped model.
    threshold
        The probability from which a sentence ends; by default what was best in training.
    """
    return _run("cnn", items, train_on=train_on, seed=seed, model=model, threshold=threshold)


def gru(
    items: Iterable[Item],
    *,
    train_on: Training | None,
    seed: int,
    model: Path | None = None,
    threshold: float | None = None,
) -> Iterator[Output[Boundaries]]:
    """A bidirectional GRU with attention and late fusion: the family of the paper's S2.

    Parameters
    ----------
    model
        What `earmark train boundaries gru` wrote; by default the shipped model.
    threshold
        The probability from which a sentence ends; by default what was best in training.
    """
    return _run("gru", items, train_on=train_on, seed=seed, model=model, threshold=threshold)


def _run(
    kind: str,
    items: Iterable[Item],
    *,
    train_on: Training | None,
    seed: int,
    model: Path | None,
    threshold: float | None,
) -> Iterator[Output[Boundaries]]:
    if threshold is not None and not 0 <= threshold <= 1:
        raise InputError("a probability lies between 0 and 1", got=threshold)
    learned = _model(kind, model, train_on, seed)
    least = learned.threshold if threshold is None else threshold
    for item in items:
        chances = learned.chances(transcript_of(item).words)
        after = frozenset((chances >= least).nonzero()[0].tolist())
        yield Output(kind, item.id, Boundaries(len(chances), after).with_final())


def _model(kind: str, path: Path | None, train_on: Training | None, seed: int) -> "Learned":
    if path is not None:
        return _read(kind, path)
    if train_on is not None:
        from earmark.tasks.boundaries.train import learn_from, lessons_of

        return learn_from(kind, lessons_of(train_on), seed=seed)
    return shipped(kind)


@lru_cache(maxsize=2)
def shipped(kind: str) -> "Learned":
    """The model that comes with Earmark, trained on public-domain speeches."""
    place = files("earmark.tasks.boundaries").joinpath("models").joinpath(f"{kind}.safetensors")
    with as_file(place) as path:
        return _read(kind, path)


def _read(kind: str, path: Path) -> "Learned":
    from earmark.tasks.boundaries.run.learned import read

    learned = read(path)
    if learned.shape.kind != kind:
        raise InputError(
            f"a model for {kind} is needed", at=path, got=f"a model for {learned.shape.kind}"
        )
    return learned
