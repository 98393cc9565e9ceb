"""A small network that reads a language model's states, one per word, in both directions."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import nn

from earmark.arrays import Floats
from earmark.files.folder import write_file
from earmark.files.json_text import JsonError, parse_json
from earmark.files.text import require_regular
from earmark.tasks.boundaries.run.hypotheses import WordPieces
from earmark.tasks.boundaries.run.labelled import CLASSES
from earmark.tasks.boundaries.run.model import end_probabilities
from earmark.tasks.boundaries.run.word_states import word_states
from earmark.text.causal_model import CausalModel
from earmark.values.errors import InputError

FORMAT = "earmark boundaries states 1"
SIZE = 60  # words that are read at a time; half of them twice
SURE = 1e-4  # probabilities are cut off here before their log odds are taken


class StateNetwork(nn.Module):  # type: ignore[misc]
    """A projection, a GRU in both directions, and a decision from a word and the next.

    The names of the layers are the names of the weights in model files.
    """

    def __init__(self, states: int, *, width: int, hidden: int, dropout: float) -> None:
        super().__init__()
        self.project = nn.Linear(states, width)
        self.both_ways = nn.GRU(width, hidden, batch_first=True, bidirectional=True)
        self.out = nn.Linear(4 * hidden, len(CLASSES))
        self.dropout = nn.Dropout(dropout)

    def forward(self, rows: torch.Tensor) -> torch.Tensor:
        """Return scores (B, T - 1, classes) of what comes after every word but the last."""
        x = torch.relu(self.project(self.dropout(rows.float())))  # (B, T, width)
        read, _ = self.both_ways(self.dropout(x))  # (B, T, 2 hidden)
        scores: torch.Tensor = self.out(
            self.dropout(torch.cat([read[:, :-1], read[:, 1:]], dim=-1))
        )
        return scores


@dataclass(frozen=True, slots=True)
class StateModel:
    """A trained network, and after how many layers the language model's states are taken."""

    depth: int
    sizes: Mapping[str, float]
    network: nn.Module
    card: Mapping[str, Any]

    def log_odds(self, model: CausalModel, pieces: WordPieces, words: Sequence[str]) -> Floats:
        """Return the log odds that a sentence ends after each word; (words,)."""
        if not len(words):
            return np.zeros(0)
        width = int(self.sizes["states"])
        if model.network.shape.width != width or len(model.network.layers) < self.depth:
            raise InputError(
                "the weights are of another language model",
                at=model.path,
                got=f"states of {model.network.shape.width} numbers",
                want=f"states of {width} numbers",
                fix="train them for this one: earmark train boundaries language-model --model",
            )
        rows = word_states(model, pieces, words, depth=self.depth)
        shares = end_probabilities(self.network, rows, size=SIZE)
        shares = np.clip(shares, SURE, 1 - SURE)
        return np.log(shares / (1 - shares))


def build_network(sizes: Mapping[str, float]) -> nn.Module:
    """Return the untrained network."""
    return StateNetwork(
        int(sizes["states"]),
        width=int(sizes["width"]),
        hidden=int(sizes["hidden"]),
        dropout=float(sizes["dropout"]),
    )


def write_state_model(model: StateModel, path: Path) -> None:
    """Write the model to one file: weights in half precision, the rest as JSON inside it."""
    heading = {
        "format": FORMAT,
        "depth": model.depth,
        "sizes": dict(model.sizes),
        "card": dict(model.card),
    }
    weights = {name: v.half().contiguous() for name, v in model.network.state_dict().items()}
    metadata = {"earmark": json.dumps(heading, ensure_ascii=False, sort_keys=True)}
    write_file(path, save(weights, metadata=metadata))


def read_state_model(path: Path) -> StateModel:
    """Return the model that `write_state_model` wrote; raise InputError if the file is none."""
    require_regular(path)
    try:
        with safe_open(path, framework="pt") as file:
            heading = parse_json((file.metadata() or {}).get("earmark", "{}"))
            weights = {name: file.get_tensor(name).float() for name in file.keys()}
        if not isinstance(heading, dict) or heading.get("format") != FORMAT:
            raise ValueError("a file without our heading")
        network = build_network(heading["sizes"])
        network.load_state_dict(weights)
        network.eval()
        return StateModel(int(heading["depth"]), heading["sizes"], network, heading["card"])
    except (AttributeError, JsonError, LookupError, OSError, SafetensorError) as error:
        raise _no_model(path, error) from error
    except (RuntimeError, TypeError, ValueError) as error:
        raise _no_model(path, error) from error


def _no_model(path: Path, error: Exception) -> InputError:
    return InputError(
        "weights for the language model are a file that `earmark train boundaries language-model` "
        "wrote",
        at=path,
        got=str(error).partition("\n")[0],
        fix="name such a file with --weights",
    )
