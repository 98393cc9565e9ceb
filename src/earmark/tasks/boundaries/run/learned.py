"""A network with its vocabulary: trained, kept in one file, and asked where sentences end."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.torch import save

from earmark.learn.batches import cut_starts, lay_together, shuffled, take_pieces
from earmark.learn.fit import TrainingPlan, TrainingResult, fit
from earmark.learn.threads import limited_threads, seeded
from earmark.stats.draw import stream
from earmark.stats.rates import f1
from earmark.tasks.boundaries.run.letters import SPECIAL, Vocabulary, join_tails
from earmark.tasks.boundaries.run.nets import ReaderNet, WindowNet
from earmark.values.counts import Hits
from earmark.values.errors import InputError

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

NETS: dict[str, Any] = {"cnn": WindowNet, "gru": ReaderNet}
CLASSES = ("", ",", ".", "?")
ENDS = (2, 3)
BATCH, SMALL_BATCH, BATCHES = 64, 8, 20
FORMAT = "earmark boundaries 1"


@dataclass(frozen=True, slots=True)
class Shape:
    """What builds the network again: its kind, its sizes, and how long a piece it reads."""

    kind: str
    sizes: Mapping[str, float]
    size: int = 50
    vocabulary: int = 100_000


@dataclass(frozen=True, slots=True)
class Lesson:
    """One text to learn from: its words, and the class of the mark after each."""

    words: Sequence[str]
    classes: Sequence[int]


@dataclass(slots=True)
class Learned:
    """A network, its vocabulary, and the probability from which it says that a sentence ends."""

    shape: Shape
    vocabulary: Vocabulary
    net: Any
    threshold: float
    card: dict[str, Any]

    def chances(self, words: Sequence[str]) -> Floats:
        """For every word, the probability that a sentence ends after it."""
        joined, last = join_tails(words)
        whole = np.zeros(len(words))
        if joined:
            rows = self.vocabulary.encode(joined)
            whole[last] = _chances(self.net, rows, size=self.shape.size)
        return whole


def build(shape: Shape, vocabulary: Vocabulary) -> Any:
    """The untrained network."""
    sizes = {name: int(n) if n == int(n) else n for name, n in shape.sizes.items()}
    words = SPECIAL + len(vocabulary.words)
    return NETS[shape.kind](words, vocabulary.places, classes=len(CLASSES), **sizes)


def _chances(net: Any, rows: Ints, *, size: int) -> Floats:
    """Probabilities from overlapping pieces; rows include the end of the text."""
    starts = np.arange(-size // 2, len(rows) - 1, max(size // 2, 1), dtype=np.int64)
    pieces = take_pieces(rows, starts, size=size + 1)
    found = []
    with torch.no_grad(), limited_threads(1):
        for begin in range(0, len(pieces), BATCH):
            scores = net(torch.from_numpy(pieces[begin : begin + BATCH]))
            found.append(torch.softmax(scores, -1)[..., list(ENDS)].sum(-1).double().numpy())
    return lay_together(np.concatenate(found), starts, length=len(rows) - 1)


def best_threshold(chances: Floats, ends: NDArray[np.bool_]) -> tuple[float, float]:
    """The threshold with the best F1 of ends, and that F1.

    Examples
    --------
    >>> best_threshold(np.array([0.9, 0.2, 0.6]), np.array([True, False, True]))
    (0.6, 1.0)
    """
    order = np.argsort(-chances, kind="stable")
    found = np.cumsum(ends[order])
    total = int(ends.sum())
    values = [
        f1(Hits(int(hit), total - int(hit), rank - int(hit)))
        for rank, hit in enumerate(found, start=1)
    ]
    best = int(np.argmax(values)) if total else 0
    return float(chances[order[best]]), float(values[best]) if total else float("nan")


def learn(
    lessons: Sequence[Lesson],
    held_out: Sequence[Lesson],
    *,
    shape: Shape,
    plan: TrainingPlan,
    seed: int,
) -> tuple[Learned, TrainingResult]:
    """A network trained on lessons; the held-out ones choose the epoch and the threshold."""
    texts = [_joined(lesson) for lesson in lessons]
    checks = [_joined(lesson) for lesson in held_out]
    vocabulary = Vocabulary.of(
        (word for words, _ in texts for word in words), most=shape.vocabulary
    )
    trained = [(vocabulary.encode(words), classes) for words, classes in texts]
    tests = [(vocabulary.encode(words), classes) for words, classes in checks]
    ends = np.isin(np.concatenate([classes for _, classes in tests]), ENDS)

    def batches(epoch: int) -> list[Any]:
        return _batches(trained, size=shape.size, generator=stream(seed, "epoch", epoch))

    def check(net: Any) -> float:
        return best_threshold(_all_chances(net, tests, shape.size), ends)[1]

    with seeded(seed):
        net = build(shape, vocabulary)
        done = fit(net, batches, _loss, check=check, plan=plan)
        threshold, _ = best_threshold(_all_chances(net, tests, shape.size), ends)
    return Learned(shape, vocabulary, net, threshold, {}), done


def _all_chances(net: Any, texts: Sequence[tuple[Ints, Ints]], size: int) -> Floats:
    return np.concatenate([_chances(net, rows, size=size) for rows, _ in texts])


def _joined(lesson: Lesson) -> tuple[list[str], Ints]:
    words, last = join_tails(lesson.words)
    return words, np.asarray(lesson.classes, dtype=np.int64)[last]


def _batches(
    texts: Sequence[tuple[Ints, Ints]], *, size: int, generator: np.random.Generator
) -> list[Any]:
    """An epoch: every text cut at a new place, all pieces shuffled together."""
    rows, classes = [], []
    for row, labels in texts:
        starts = cut_starts(len(labels), size=size, offset=int(generator.integers(size)))
        rows.append(take_pieces(row, starts, size=size + 1))
        classes.append(take_pieces(labels, starts, size=size, fill=-1))
    whole, marks = np.concatenate(rows), np.concatenate(classes)
    order = np.arange(len(whole), dtype=np.int64)
    batch = min(BATCH, max(SMALL_BATCH, len(whole) // BATCHES))
    return [
        (torch.from_numpy(whole[part]), torch.from_numpy(marks[part]))
        for part in shuffled(order, generator, batch=batch)
    ]


def _loss(net: Any, batch: tuple[Any, Any]) -> Any:
    rows, marks = batch
    scores = net(rows)
    return torch.nn.functional.cross_entropy(
        scores.reshape(-1, scores.shape[-1]), marks.reshape(-1), ignore_index=-1
    )


def write(model: Learned, path: Path) -> None:
    """Keep the model in one file: weights in half precision, the rest as text inside it."""
    told = {
        "format": FORMAT,
        "shape": asdict(model.shape),
        "words": list(model.vocabulary.words),
        "places": model.vocabulary.places,
        "threshold": model.threshold,
        "card": model.card,
    }
    weights = {name: value.half().contiguous() for name, value in model.net.state_dict().items()}
    metadata = {"earmark": json.dumps(told, ensure_ascii=False, sort_keys=True)}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(save(weights, metadata=metadata))


def read(path: Path) -> Learned:
    """The model that `write` kept."""
    try:
        with safe_open(path, framework="pt") as file:
            told = json.loads((file.metadata() or {}).get("earmark", "{}"))
            weights = {name: file.get_tensor(name).float() for name in file.keys()}
    except (OSError, SafetensorError, json.JSONDecodeError) as error:
        raise _no_model(path, str(error)) from error
    if told.get("format") != FORMAT:
        raise _no_model(path, str(told.get("format", "a file without our heading")))
    shape = Shape(**told["shape"])
    vocabulary = Vocabulary(tuple(told["words"]), told["places"])
    net = build(shape, vocabulary)
    net.load_state_dict(weights)
    net.eval()
    return Learned(shape, vocabulary, net, told["threshold"], told["card"])


def _no_model(path: Path, got: str) -> InputError:
    return InputError(
        "a model of boundaries is a file that `earmark train boundaries` wrote",
        at=path,
        got=got,
        fix="name such a file with --model",
    )
