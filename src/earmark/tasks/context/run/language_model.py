"""The paper's unsupervised baseline: an LSTM language model; the score is surprisal (section 5)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from earmark.learn.threads import seeded
from earmark.task.options import option
from earmark.task.task import Training
from earmark.tasks.context.run import model_file
from earmark.tasks.context.run.nouns import only_nouns
from earmark.tasks.context.values import Passage, Scores
from earmark.values.item import Item
from earmark.values.output import Output

NAME = "language-model"


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageModelOptions:
    """How the LSTM language model is run."""

    model: Path | None = option(None, "A model that `earmark train context language-model` wrote.")
    nouns: bool = option(False, "Score nouns only; every other word gets the lowest score.")


def language_model(
    items: Sequence[Item],
    options: LanguageModelOptions = LanguageModelOptions(),
    *,
    train_on: Training | None,
    seed: int,
) -> Iterator[Output[Scores]]:
    """Score each word by its surprisal under the LSTM language model."""
    from earmark.tasks.context.run import lstm, lstm_language_model

    card, arrays = model_file.load(model_file.needed(options.model, NAME), system=NAME)
    threshold = card["threshold_nouns" if options.nouns else "threshold"]
    shape = lstm.LstmShape(**card["shape"])
    numbers = lstm.number_words(card["words"])
    with seeded(seed):
        net = lstm_language_model.build(shape, card["softmax"], arrays)
    for item in items:
        passage = Passage.of(item)
        with seeded(seed):
            (surprisals,) = lstm_language_model.surprisals(
                net, [passage.tokens], numbers, shape.longest
            )
            choices = lstm_language_model.choices(net, item, passage, numbers, shape.longest)
        scores = only_nouns(passage, surprisals) if options.nouns else surprisals
        values = Scores(tuple(scores.tolist()), threshold, tuple(surprisals.tolist()), choices)
        yield Output(NAME, item.id, values)
