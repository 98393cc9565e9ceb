"""The floor: an interpolated trigram model, as a detector and as a language model."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from earmark.task.options import option
from earmark.task.task import Json, Training
from earmark.tasks.context.run import model_file
from earmark.tasks.context.run.contrast import rank_share, revealed_places
from earmark.tasks.context.run.nouns import only_nouns
from earmark.tasks.context.run.trigram_model import InterpolatedTrigrams, histories
from earmark.tasks.context.values import Choice, Passage, Scores
from earmark.values.item import Item
from earmark.values.output import Output

NAME = "ngrams"


@dataclass(frozen=True, slots=True, kw_only=True)
class NgramsOptions:
    """How the trigram model is run."""

    model: Path | None = option(None, "A model that `earmark train context ngrams` wrote.")
    nouns: bool = option(False, "Score nouns only; every other word gets the lowest score.")


def ngrams(
    items: Sequence[Item],
    options: NgramsOptions = NgramsOptions(),
    *,
    train_on: Training | None,
    seed: int,
) -> Iterator[Output[Scores]]:
    """Score each word by its surprisal under a trigram model."""
    card, model = _load(model_file.needed(options.model, NAME))
    threshold = card["threshold_nouns" if options.nouns else "threshold"]
    for item in items:
        passage = Passage.of(item)
        surprisals = model.surprisals(passage.tokens)
        scores = only_nouns(passage, surprisals) if options.nouns else surprisals
        yield Output(
            NAME,
            item.id,
            Scores(
                tuple(scores.tolist()),
                threshold,
                surprise=tuple(surprisals.tolist()),
                choices=_choices(model, item, passage),
            ),
        )


def _choices(model: InterpolatedTrigrams, item: Item, passage: Passage) -> tuple[Choice, ...]:
    """Return the comparison of both words at every place that the study reveals.

    A word that the model does not know has a probability but no rank in its vocabulary.
    """
    places = revealed_places(item)
    if not places:
        return ()
    _, one_before, two_before = histories(passage.tokens)
    choices = []
    for place in places:
        history = two_before[place.token], one_before[place.token]
        vocabulary = model.distribution(*history)
        pair = [model.word_probability(*history, word) for word in (place.first, place.second)]
        logs = [float(np.log(probability)) for probability in pair]
        known = model.word_counts((place.first, place.second)) > 0
        ranks = [
            rank_share(vocabulary, probability) if is_known else None
            for probability, is_known in zip(pair, known, strict=True)
        ]
        choices.append(Choice(place.token, *logs, *ranks))
    return tuple(choices)


def _load(path: Path) -> tuple[Json, InterpolatedTrigrams]:
    card, arrays = model_file.load(path, system=NAME)
    model = InterpolatedTrigrams(
        words=tuple(arrays["words"].tolist()),
        counts=arrays["counts"],
        keys=arrays["keys"],
        times=arrays["times"],
        tokens=float(arrays["tokens"][0]),
    )
    return card, model
