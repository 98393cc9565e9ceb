"""Where a language model ranks originals and substitutes among all words (figure 1 of the paper).

A substitute that fits its place as well as the original cannot be found from the words beside it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from earmark.stats.rates import proportion
from earmark.tasks.context.run.contrast import rank_share
from earmark.tasks.context.run.trigram_model import InterpolatedTrigrams, histories
from earmark.tasks.context.train.examples import labelled_passages
from earmark.tasks.context.values import Choice, Flags, Passage, Swap, Swaps
from earmark.values.item import Item
from earmark.values.output import Output

# Places that the trigram model looks at: enough for quarters to be known within a few per cent,
# few enough that a report of a large study does not wait.
PLACES = 400


@dataclass(frozen=True, slots=True)
class VocabularyRanks:
    """The ranks of both words at each place, as shares of the vocabulary that are less probable."""

    model: str
    originals: list[float] = field(default_factory=list)
    substitutes: list[float] = field(default_factory=list)


def vocabulary_ranks(
    items: Sequence[Item],
    truth: Mapping[str, Swaps | Flags],
    outputs: Mapping[str, Mapping[str, Output[Any]]],
) -> VocabularyRanks:
    """Return the ranks by the first system that compared both words, else by trigrams."""
    for system, values in outputs.items():
        ranks = VocabularyRanks(f"system {system}")
        for item, output in values.items():
            swaps = _swaps(truth.get(item))
            for choice in getattr(output.value, "choices", ()):
                if choice.at in swaps:
                    _add_choice(ranks, choice, swaps[choice.at])
        if ranks.originals:
            return ranks
    return _trigram_ranks(items, truth)


def quarter_shares(ranks: Sequence[float]) -> list[float]:
    """Return the shares of ranks in the four quarters from 0 to 1.

    Examples
    --------
    >>> quarter_shares([0.1, 0.8, 0.9, 1.0])
    [0.25, 0.0, 0.0, 0.75]
    """
    quarters = np.minimum((np.array(ranks) * 4).astype(int), 3)
    counts = np.bincount(quarters, minlength=4)
    return [proportion(float(count), of=len(ranks)) for count in counts]


def _swaps(truth: Swaps | Flags | None) -> dict[int, Swap]:
    return {swap.at: swap for swap in truth.swaps} if isinstance(truth, Swaps) else {}


def _add_choice(ranks: VocabularyRanks, choice: Choice, swap: Swap) -> None:
    """Add the ranks of one place; the two words are offered in alphabetical order."""
    if choice.rank_first is None or choice.rank_second is None:
        return
    in_order = (choice.rank_first, choice.rank_second)
    original, substitute = in_order if swap.was <= swap.now else in_order[::-1]
    ranks.originals.append(original)
    ranks.substitutes.append(substitute)


def _trigram_ranks(items: Sequence[Item], truth: Mapping[str, Swaps | Flags]) -> VocabularyRanks:
    """Return the ranks by trigrams of one half of the documents at places of the other half."""
    labelled = labelled_passages(items, truth)
    group_of = {item.id: item.group for item in items}
    number = {group: index for index, group in enumerate(sorted(set(group_of.values())))}
    half = [number[group_of[passage.id]] % 2 for passage in labelled.passages]
    ranks = VocabularyRanks("trigram model of the other passages")
    for side in (0, 1):
        own = labelled.subset(one == side for one in half)
        others = labelled.subset(one != side for one in half)
        if not own.passages or not others.passages:
            continue
        model = InterpolatedTrigrams.of(others.originals())
        for passage, swaps in zip(own.passages, own.truths, strict=True):
            if len(ranks.originals) < PLACES * (side + 1) / 2:
                _add_places(ranks, model, passage, swaps)
    return ranks


def _add_places(
    ranks: VocabularyRanks, model: InterpolatedTrigrams, passage: Passage, truth: Swaps | Flags
) -> None:
    """Add the ranks at the places of a passage where the model knows both words."""
    _, one_before, two_before = histories(passage.tokens)
    for place, swap in _swaps(truth).items():
        if not model.word_counts((swap.was, swap.now)).all():
            continue
        history = two_before[place], one_before[place]
        vocabulary = model.distribution(*history)
        for word, column in ((swap.was, ranks.originals), (swap.now, ranks.substitutes)):
            column.append(rank_share(vocabulary, model.word_probability(*history, word)))
