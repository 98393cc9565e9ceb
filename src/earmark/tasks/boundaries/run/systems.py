"""The trained systems: a window judged in its middle (cnn), a GRU with attention (gru), both."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import as_file, files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np

from earmark.arrays import Floats
from earmark.files.models import use_model
from earmark.task.options import option
from earmark.task.task import Training
from earmark.tasks.boundaries.run.pause_odds import pause_log_odds
from earmark.tasks.boundaries.run.pauses import silences
from earmark.tasks.boundaries.values import Boundaries, transcript_of
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.output import Output

if TYPE_CHECKING:
    from earmark.tasks.boundaries.run.model import BoundaryModel

Kind = Literal["cnn", "gru"]
KINDS: tuple[Kind, ...] = ("cnn", "gru")
# In place of a probability of 0 or 1, so that no member is ever beyond the others' doubt.
SMALLEST = 1e-6


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkOptions:
    """Which model is run, and from which probability on a sentence ends."""

    model: Path | None = option(
        None, "What `earmark train boundaries SYSTEM` wrote; by default the shipped model."
    )
    threshold: float | None = option(
        None, "The probability from which a sentence ends; by default what was best in training."
    )

    def __post_init__(self) -> None:
        if self.threshold is not None and not 0 <= self.threshold <= 1:
            raise InputError("threshold must be between 0 and 1", got=self.threshold)


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitteeOptions:
    """Which models judge together."""

    model: tuple[Path, ...] = option(
        (),
        "Two models or more that `earmark train boundaries cnn` or `gru` wrote; by default the two "
        "shipped.",
    )
    pauses: bool = option(True, "Let pauses count too, in talks whose words have times.")

    def __post_init__(self) -> None:
        if len(self.model) == 1:
            raise InputError("a committee has two members or more", got=self.model[0])


def cnn(
    items: Iterable[Item],
    options: NetworkOptions = NetworkOptions(),
    *,
    train_on: Training | None,
    seed: int,
) -> Iterator[Output[Boundaries]]:
    """Run a convolution that judges the middle word of a window: the family of the paper's S1."""
    return _run("cnn", items, options, train_on=train_on, seed=seed)


def gru(
    items: Iterable[Item],
    options: NetworkOptions = NetworkOptions(),
    *,
    train_on: Training | None,
    seed: int,
) -> Iterator[Output[Boundaries]]:
    """Run a bidirectional GRU with attention and late fusion: the family of the paper's S2."""
    return _run("gru", items, options, train_on=train_on, seed=seed)


def committee(
    items: Iterable[Item],
    options: CommitteeOptions = CommitteeOptions(),
    *,
    train_on: Training | None,
    seed: int,
) -> Iterator[Output[Boundaries]]:
    """Let networks that differ judge together: their errors do, too.

    A sentence ends where the mean of their log odds is positive, each less those of the member's
    own threshold; what the talk's pauses say is added where its words have times.
    """
    if options.model:
        members = [_read(None, use_model(path)) for path in options.model]
    else:
        members = [_model(kind, None, train_on, seed) for kind in KINDS]
    for item in items:
        transcript = transcript_of(item)
        log_odds = mean_log_odds(members, transcript.words)  # (words,)
        if options.pauses and transcript.times is not None:
            log_odds += pause_log_odds(silences(transcript, at=item.id), log_odds)
        after = frozenset(np.flatnonzero(log_odds >= needed_log_odds(members)).tolist())
        yield Output("committee", item.id, Boundaries(len(log_odds), after).with_final())


def mean_log_odds(members: Sequence["BoundaryModel"], words: Sequence[str]) -> Floats:
    """Return for every word the mean of the members' log odds of an end."""
    odds = [_log_odds(member.probabilities(words)) for member in members]
    return np.asarray(np.mean(odds, axis=0))


def needed_log_odds(members: Sequence["BoundaryModel"]) -> float:
    """Return the mean log odds from which a sentence ends: that of the members' thresholds."""
    return float(np.mean([_log_odds(np.array(member.threshold)) for member in members]))


def _log_odds(probabilities: Floats) -> Floats:
    inside = np.clip(probabilities, SMALLEST, 1 - SMALLEST)
    return np.asarray(np.log(inside / (1 - inside)))


def _run(
    kind: Kind,
    items: Iterable[Item],
    options: NetworkOptions,
    *,
    train_on: Training | None,
    seed: int,
) -> Iterator[Output[Boundaries]]:
    model = _model(kind, options.model, train_on, seed)
    threshold = model.threshold if options.threshold is None else options.threshold
    for item in items:
        probabilities = model.probabilities(transcript_of(item).words)  # (words,)
        after = frozenset((probabilities >= threshold).nonzero()[0].tolist())
        yield Output(kind, item.id, Boundaries(len(probabilities), after).with_final())


def _model(kind: Kind, path: Path | None, train_on: Training | None, seed: int) -> "BoundaryModel":
    if path is not None:
        return _read(kind, use_model(path))
    if train_on is None:
        use_model(Path(str(_shipped_file(kind))))
        return shipped(kind)
    from earmark.tasks.boundaries.run.labelled import labelled_from_study
    from earmark.tasks.boundaries.train import train_default

    return train_default(kind, labelled_from_study(train_on), seed=seed)


@lru_cache(maxsize=2)
def shipped(kind: Kind) -> "BoundaryModel":
    """Return the model that comes with Earmark, trained on text that may be used for it."""
    with as_file(_shipped_file(kind)) as path:
        return _read(kind, path)


def _shipped_file(kind: Kind) -> Traversable:
    return files("earmark.tasks.boundaries").joinpath("models").joinpath(f"{kind}.safetensors")


def _read(kind: Kind | None, path: Path) -> "BoundaryModel":
    """Return the model of a file; with a `kind`, only one of that."""
    from earmark.tasks.boundaries.run.model import read_model

    model = read_model(path)
    if kind is not None and model.shape.kind != kind:
        raise InputError(
            f"a model for {kind} is needed", at=path, got=f"a model for {model.shape.kind}"
        )
    return model
