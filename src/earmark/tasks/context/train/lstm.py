"""Training of the paper's two networks: the classifier and the language model."""

import math
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from earmark.learn.threads import seeded
from earmark.task.options import option
from earmark.task.task import Json, Training
from earmark.tasks.context.run import classifier, language_model, model_file
from earmark.tasks.context.run.nouns import only_nouns
from earmark.tasks.context.score.curve import best_threshold
from earmark.tasks.context.train.examples import DevelopOptions, split_training
from earmark.values.errors import InputError

if TYPE_CHECKING:
    from earmark.tasks.context.train.to_the_end import Schooling

# On 700 talks the development loss is lowest after three epochs of the language model and after
# one of the classifier; less text takes more epochs, and this bounds them.
MOST_EPOCHS = 20.0
# One epoch without a gain may be chance where the development study has few swaps.
PATIENCE = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class LstmOptions(DevelopOptions):
    """Sizes of the network, the paper's by default, and how long it is trained."""

    develop: Path | None = option(
        None,
        "A study that ends the training and chooses the threshold; without one, every tenth "
        "document is held out.",
    )
    epochs: float = option(
        MOST_EPOCHS,
        "Most epochs, passes over the training data; a fraction is allowed. The weights of the "
        "epoch with the lowest loss on the development study are kept.",
    )
    patience: int = option(
        PATIENCE, "Epochs without a lower loss on the development study that end the training."
    )
    checkpoint: Path | None = option(
        None,
        "File in which unfinished training is kept after every epoch: the same command goes on "
        "from there, and with --epochs N ends after epoch N.  [MODEL.checkpoint]",
    )
    vocabulary: int = option(30_000, "Words that the network knows.")
    embedding: int = option(256, "Dimensions of a word.")
    units: int = option(512, "LSTM units.")
    longest: int = option(50, "Words of a sentence that the network sees at once.")

    def __post_init__(self) -> None:
        if not 0 < self.epochs < math.inf:
            raise InputError("epochs must be more than 0", got=self.epochs)
        if self.patience < 1:
            raise InputError("patience must be at least 1 epoch", got=self.patience)

    def schooling(self, out: Path, seed: int, made_of: dict[str, Any]) -> "Schooling":
        """Return how long to train, and where it is kept meanwhile."""
        from earmark.tasks.context.train.to_the_end import Schooling

        place = self.checkpoint or out.with_name(out.name + ".checkpoint")
        return Schooling(self.epochs, self.patience, seed, place, made_of)


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageModelTraining(LstmOptions):
    """How the language model is trained."""

    softmax: Literal["adaptive", "sampled", "full"] = option(
        "adaptive",
        "adaptive or sampled train ten times faster on a CPU than the paper's full softmax.",
    )


def train_classifier(
    train_on: Training | None,
    options: LstmOptions = LstmOptions(),
    *,
    out: Path,
    seed: int,
) -> Json:
    """Train the classifier on a study whose swaps are known; return the model's card.

    The text is cut every `longest` words, whether a sentence ends there or not.
    """
    from earmark.tasks.context.run import lstm, lstm_classifier
    from earmark.tasks.context.train.to_the_end import Lesson, learn

    learned, held_out = split_training(train_on, options.develop)
    documents, developed = ([p.tokens for p in part.passages] for part in (learned, held_out))
    words = lstm.words_by_frequency(documents, options.vocabulary)
    numbers = lstm.number_words(words)
    shape = lstm.LstmShape(options.vocabulary, options.embedding, options.units, options.longest)
    chunks, checked = (
        lstm.cut(part, numbers, options.longest, by_sentence=False)
        for part in (documents, developed)
    )
    lesson = Lesson(
        chunks,
        lstm_classifier.loss_over(learned.labels),
        checked,
        lstm_classifier.loss_over(held_out.labels),
        (*learned.labels, *held_out.labels),
    )
    about = {"system": classifier.NAME, "shape": asdict(shape)}
    schooling = options.schooling(out, seed, about)
    with seeded(seed):
        net = lstm_classifier.build(shape)
        course = learn(net, lesson, schooling)
        scores = lstm_classifier.probabilities(net, developed, numbers, options.longest)
    card = {
        **about,
        **course,
        "documents": len(documents),
        "threshold": best_threshold(np.concatenate(scores), np.concatenate(held_out.labels)),
        "seed": seed,
    }
    model_file.save(out, {**card, "words": words}, lstm.arrays_of(net))
    schooling.checkpoint.unlink(missing_ok=True)
    return card


def train_language_model(
    train_on: Training | None,
    options: LanguageModelTraining = LanguageModelTraining(),
    *,
    out: Path,
    seed: int,
) -> Json:
    """Train the language model on the unmodified text of a study; return the model's card."""
    from earmark.tasks.context.run import lstm, lstm_language_model
    from earmark.tasks.context.train.to_the_end import Lesson, learn

    learned, held_out = split_training(train_on, options.develop)
    documents = learned.originals()
    words = lstm.words_by_frequency(documents, options.vocabulary)
    numbers = lstm.number_words(words)
    known = len(words) + lstm.FIRST_WORD
    shape = lstm.LstmShape(known, options.embedding, options.units, options.longest)
    chunks, checked = (
        lstm.cut(part, numbers, options.longest) for part in (documents, held_out.originals())
    )
    lesson = Lesson(
        chunks, lstm_language_model.loss_of, checked, lstm_language_model.cross_entropy_of
    )
    about = {
        "system": language_model.NAME,
        "shape": asdict(shape),
        "softmax": options.softmax,
    }
    schooling = options.schooling(out, seed, about)
    with seeded(seed):
        net = lstm_language_model.build(shape, options.softmax)
        course = learn(net, lesson, schooling)
        developed = [passage.tokens for passage in held_out.passages]
        scores = lstm_language_model.surprisals(net, developed, numbers, options.longest)
    of_nouns = [only_nouns(p, row) for p, row in zip(held_out.passages, scores, strict=True)]
    labels = np.concatenate(held_out.labels)
    card = {
        **about,
        **course,
        "development_perplexities": [math.exp(loss) for loss in course["development_losses"]],
        "documents": len(documents),
        "threshold": best_threshold(np.concatenate(scores), labels),
        "threshold_nouns": best_threshold(np.concatenate(of_nouns), labels),
        "seed": seed,
    }
    model_file.save(out, {**card, "words": words}, lstm.arrays_of(net))
    schooling.checkpoint.unlink(missing_ok=True)
    return card
