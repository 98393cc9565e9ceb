"""Training of the network that reads a language model's states."""

from collections.abc import Mapping

import numpy as np
import torch

from earmark.learn.fit import TrainingPlan, TrainingResult, fit
from earmark.learn.threads import seeded
from earmark.stats.draw import stream
from earmark.task.progress import track
from earmark.tasks.boundaries.run.fitting import (
    EncodedText,
    best_threshold,
    classification_loss,
    shuffled_batches,
)
from earmark.tasks.boundaries.run.hypotheses import WordPieces
from earmark.tasks.boundaries.run.labelled import SENTENCE_ENDS, HeldOutSplit, LabelledText
from earmark.tasks.boundaries.run.model import end_probabilities
from earmark.tasks.boundaries.run.state_network import SIZE, StateModel, build_network
from earmark.tasks.boundaries.run.vocabulary import join_contractions
from earmark.tasks.boundaries.run.word_states import word_states
from earmark.text.causal_model import CausalModel


def fit_states(
    texts: HeldOutSplit,
    language_model: CausalModel,
    *,
    depth: int,
    sizes: Mapping[str, float],
    plan: TrainingPlan,
    seed: int,
) -> tuple[StateModel, TrainingResult]:
    """Train the network; the language model stays as it is. Held-out texts choose the epoch."""
    pieces = WordPieces(language_model)

    def read(text: LabelledText) -> EncodedText:
        words, last = join_contractions(text.words)
        rows = word_states(language_model, pieces, words, depth=depth)
        return EncodedText(rows, np.asarray(text.classes, dtype=np.int64)[last])

    everything = [*texts.training, *texts.held_out]
    encoded = [read(text) for text in track(everything, label="read")]
    training, held_out = encoded[: len(texts.training)], encoded[len(texts.training) :]
    ends = np.isin(np.concatenate([text.classes for text in held_out]), SENTENCE_ENDS)

    def check(network: torch.nn.Module) -> float:
        parts = [end_probabilities(network, text.rows, size=SIZE) for text in held_out]
        return best_threshold(np.concatenate(parts), ends).f1

    with seeded(seed):
        network = build_network(sizes)
        result = fit(
            network,
            lambda epoch: shuffled_batches(training, SIZE, stream(seed, "epoch", epoch)),
            classification_loss,
            check=check,
            plan=plan,
        )
    return StateModel(depth, sizes, network, {}), result
