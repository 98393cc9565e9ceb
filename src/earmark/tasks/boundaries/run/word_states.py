"""What a language model has in mind after each word: one of its inner states per word.

The text is read as it comes, without marks, once. A state knows the words up to its own, not those
after it; the network that reads the states goes over them in both directions.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from earmark.learn.threads import limited_threads
from earmark.tasks.boundaries.run.hypotheses import WordPieces
from earmark.text.causal_model import CausalModel

States = NDArray[np.float16]

# Words that are read at once, and how many words before them are read again so that the model knows
# where it is.
AT_ONCE = 300
EARLY = 40


def word_states(
    model: CausalModel, pieces: WordPieces, words: Sequence[str], *, depth: int
) -> States:
    """Return the state after so many layers at the last piece of each word; (words + 1, width).

    Each state has a mean square of 1. The last row, of zeros, is the end of the text.
    """
    import torch

    rows = np.zeros((len(words) + 1, model.network.shape.width), np.float16)
    for start in range(0, len(words), AT_ONCE):
        begin = max(0, start - EARLY)
        text, last = [model.first, *pieces.opening], []
        for word in words[begin : start + AT_ONCE]:
            text += pieces.of(word)
            last.append(len(text) - 1)
        with limited_threads(1), torch.inference_mode():
            states = model.network.states(torch.tensor([text]), depth=depth)[0]
            chosen = states[last[start - begin :]].float()
            chosen = torch.nn.functional.rms_norm(chosen, chosen.shape[-1:])
        rows[start : start + len(chosen)] = chosen.half().numpy()
    return rows
