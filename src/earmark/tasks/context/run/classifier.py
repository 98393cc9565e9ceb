"""The paper's supervised baseline: does this word belong here, yes or no (section 5, (2))."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from earmark.learn.threads import seeded
from earmark.task.options import option
from earmark.task.task import Training
from earmark.tasks.context.run import model_file
from earmark.tasks.context.values import Passage, Scores
from earmark.values.item import Item
from earmark.values.output import Output

NAME = "classifier"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassifierOptions:
    """How the classifier is run."""

    model: Path | None = option(None, "A model that `earmark train context classifier` wrote.")


def classifier(
    items: Sequence[Item],
    options: ClassifierOptions = ClassifierOptions(),
    *,
    train_on: Training | None,
    seed: int,
) -> Iterator[Output[Scores]]:
    """Score each word by its probability of being out of context, by the trained classifier."""
    from earmark.tasks.context.run import lstm, lstm_classifier

    card, arrays = model_file.load(model_file.needed(options.model, NAME), system=NAME)
    passages = [Passage.of(item) for item in items]
    shape = lstm.LstmShape(**card["shape"])
    numbers = lstm.number_words(card["words"])
    with seeded(seed):
        net = lstm_classifier.build(shape, arrays)
        rows = lstm_classifier.probabilities(
            net, [passage.tokens for passage in passages], numbers, shape.longest
        )
    for passage, row in zip(passages, rows, strict=True):
        yield Output(NAME, passage.id, Scores(tuple(row.tolist()), card.get("threshold")))
