"""A trained network with its vocabulary: kept in one file, and asked where sentences end."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save

from earmark.arrays import Floats
from earmark.files.folder import write_file
from earmark.files.json_text import JsonError, parse_json
from earmark.files.text import require_regular
from earmark.learn.batches import lay_together, take_pieces
from earmark.learn.threads import limited_threads
from earmark.tasks.boundaries.run.labelled import CLASSES, SENTENCE_ENDS
from earmark.tasks.boundaries.run.networks import AttentionNetwork, WindowNetwork
from earmark.tasks.boundaries.run.vocabulary import SPECIAL, NetworkVocabulary, join_contractions
from earmark.values.errors import InputError

NETWORKS: dict[str, Any] = {"cnn": WindowNetwork, "gru": AttentionNetwork}
BATCH = 64  # pieces per forward pass; memory only, no number depends on it
FORMAT = "earmark boundaries 1"


@dataclass(frozen=True, slots=True)
class NetworkShape:
    """What builds the network again: its kind, its sizes, and how many words it reads at a time.

    Pieces of 50 words are those of Tilk and Alumäe 2016.
    """

    kind: str
    sizes: Mapping[str, float]
    size: int = 50
    vocabulary: int = 100_000

    def build(self, vocabulary: NetworkVocabulary) -> torch.nn.Module:
        """Return the untrained network."""
        sizes = {name: int(n) if n == int(n) else n for name, n in self.sizes.items()}
        words = SPECIAL + len(vocabulary.words)
        network: torch.nn.Module = NETWORKS[self.kind](
            words, vocabulary.buckets, classes=len(CLASSES), **sizes
        )
        return network


@dataclass(frozen=True, slots=True)
class BoundaryModel:
    """A network, its vocabulary, and the probability from which it says that a sentence ends."""

    shape: NetworkShape
    vocabulary: NetworkVocabulary
    network: torch.nn.Module
    threshold: float
    card: Mapping[str, Any]

    def probabilities(self, words: Sequence[str]) -> Floats:
        """Return for every word the probability that a sentence ends after it."""
        joined, last = join_contractions(words)
        whole = np.zeros(len(words))
        if joined:
            rows = self.vocabulary.encode(joined)
            whole[last] = end_probabilities(self.network, rows, size=self.shape.size)
        return whole  # (words,)


def end_probabilities(network: torch.nn.Module, rows: Any, *, size: int) -> Floats:
    """Return the probability of a sentence end after each word, from overlapping pieces.

    `rows` (words + 1, ...) is what `NetworkVocabulary.encode` or `word_states` returns; the last
    row is the end of the text.
    """
    starts = np.arange(-size // 2, len(rows) - 1, max(size // 2, 1), dtype=np.int64)
    pieces = take_pieces(rows, starts, size=size + 1)  # (pieces, size + 1, 1 + affixes)
    probabilities = []
    with torch.no_grad(), limited_threads(1):
        for begin in range(0, len(pieces), BATCH):
            scores = network(torch.from_numpy(pieces[begin : begin + BATCH]))
            ends = torch.softmax(scores, -1)[..., list(SENTENCE_ENDS)].sum(-1)
            probabilities.append(ends.double().numpy())
    return lay_together(np.concatenate(probabilities), starts, length=len(rows) - 1)


def write_model(model: BoundaryModel, path: Path) -> None:
    """Write the model to one file: weights in half precision, the rest as JSON inside it."""
    heading = {
        "format": FORMAT,
        "shape": asdict(model.shape),
        "words": list(model.vocabulary.words),
        "places": model.vocabulary.buckets,
        "threshold": model.threshold,
        "card": model.card,
    }
    state = model.network.state_dict()
    weights = {name: value.half().contiguous() for name, value in state.items()}
    metadata = {"earmark": json.dumps(heading, ensure_ascii=False, sort_keys=True)}
    write_file(path, save(weights, metadata=metadata))


def read_model(path: Path) -> BoundaryModel:
    """Return the model that `write_model` wrote; raise InputError if the file is none."""
    require_regular(path)
    try:
        with safe_open(path, framework="pt") as file:
            heading = parse_json((file.metadata() or {}).get("earmark", "{}"))
            weights = {name: file.get_tensor(name).float() for name in file.keys()}
    except (OSError, SafetensorError, JsonError) as error:
        raise _no_model(path, str(error)) from error
    if not isinstance(heading, dict) or heading.get("format") != FORMAT:
        raise _no_model(path, "a file without our heading")
    try:
        return _build(heading, weights)
    except (AttributeError, LookupError, RuntimeError, TypeError, ValueError) as error:
        raise _no_model(path, str(error)) from error


def _build(heading: Mapping[str, Any], weights: Mapping[str, Any]) -> BoundaryModel:
    shape = NetworkShape(**heading["shape"])
    vocabulary = NetworkVocabulary(tuple(heading["words"]), heading["places"])
    network = shape.build(vocabulary)
    network.load_state_dict(weights)
    network.eval()
    return BoundaryModel(shape, vocabulary, network, heading["threshold"], heading["card"])


def _no_model(path: Path, got: str) -> InputError:
    return InputError(
        "a model of boundaries is a file that `earmark train boundaries` wrote",
        at=path,
        got=got,
        fix="name such a file with --model",
    )
