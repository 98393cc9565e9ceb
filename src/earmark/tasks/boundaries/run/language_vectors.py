"""Word vectors of a language model, as the vectors of a network over words begin with them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import torch

from earmark.arrays import Floats32

if TYPE_CHECKING:
    from earmark.text.causal_model import CausalModel


def language_vectors(model: "CausalModel", words: Sequence[str], width: int) -> Floats32:
    """Return a vector per word, (words, width): the mean of its pieces', cut by an SVD.

    The model has one matrix for what it reads and what it says, so that words which can follow
    the same text are near each other. Where it has fewer components than the width, the rest is 0.
    """
    pieces = model.network.output.detach().float()  # (pieces, states)
    rows = [pieces[model.pieces(f" {word}")].mean(dim=0) for word in words]
    centred = torch.stack(rows) - torch.stack(rows).mean(dim=0)  # (words, states)
    _, _, components = torch.linalg.svd(centred, full_matrices=False)
    cut = centred @ components[:width].T  # (words, at most width)
    return np.asarray(torch.nn.functional.pad(cut, (0, width - cut.shape[1])))
