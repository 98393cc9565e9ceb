"""Training of the trigram model."""

from pathlib import Path

import numpy as np

from earmark.task.task import Json, Training
from earmark.tasks.context.run import model_file
from earmark.tasks.context.run.ngrams import NAME
from earmark.tasks.context.run.nouns import only_nouns
from earmark.tasks.context.run.trigram_model import InterpolatedTrigrams
from earmark.tasks.context.score.curve import best_threshold
from earmark.tasks.context.train.examples import DevelopOptions, split_training


def train_ngrams(
    train_on: Training | None,
    options: DevelopOptions = DevelopOptions(),
    *,
    out: Path,
    seed: int,
) -> Json:
    """Count the unmodified training text; return the model's card."""
    learn, held_out = split_training(train_on, options.develop)
    model = InterpolatedTrigrams.of(learn.originals())
    labels = np.concatenate(held_out.labels)
    scores = [model.surprisals(passage.tokens) for passage in held_out.passages]
    of_nouns = [only_nouns(p, row) for p, row in zip(held_out.passages, scores, strict=True)]
    card = {
        "system": NAME,
        "documents": len(learn.passages),
        "words": len(model.words),
        "threshold": best_threshold(np.concatenate(scores), labels),
        "threshold_nouns": best_threshold(np.concatenate(of_nouns), labels),
        "seed": seed,
    }
    arrays = {
        "words": np.array(model.words),
        "counts": model.counts,
        "keys": model.keys,
        "times": model.times,
        "tokens": np.array([model.tokens]),
    }
    model_file.save(out, card, arrays)
    return card
