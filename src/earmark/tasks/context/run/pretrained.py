"""Any causal or masked language model by name or path, through one interface."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np

from earmark.task.task import Training
from earmark.tasks.context.run.choosing import offered, rank_share
from earmark.tasks.context.run.ngrams import only_nouns
from earmark.tasks.context.values import Choice, Passage, Scores
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.output import Output

NAME = "pretrained"
Array = Any


def pretrained(  # noqa: PLR0913
    items: Sequence[Item],
    *,
    train_on: Training | None,
    seed: int,
    model: str = "",
    kind: Literal["causal", "masked"] = "causal",
    pieces: int = 512,
    nouns: bool = False,
    threshold: float | None = None,
) -> Iterator[Output[Scores]]:
    """How surprising each word is to a transformer of your own.

    A causal model reads the passage from left to right; a masked one sees both sides with the
    word itself hidden, one word at a time.

    Parameters
    ----------
    model
        Name or path of a model for the package transformers.
    kind
        causal, or masked.
    pieces
        Word pieces that the model sees at once.
    nouns
        Score nouns only; every other word gets the lowest score.
    threshold
        The cut chosen on development data.
    """
    reader = (Causal if kind == "causal" else Masked)(*_load(model, kind), pieces)
    for item in items:
        passage = Passage.of(item)
        surprise = reader.surprises(passage)
        scores = only_nouns(passage, surprise) if nouns else surprise
        found = reader.choices(passage, offered(item))
        told_so = tuple(surprise.tolist())
        yield Output(NAME, item.id, Scores(tuple(scores.tolist()), threshold, told_so, found))


class Reader:
    """A model and its word pieces; `surprises` and `choices` are what a system puts out."""

    def __init__(self, model: Any, pieces: Any, size: int) -> None:
        self.model = model
        self.pieces = pieces
        self.size = min(size, int(getattr(model.config, "max_position_embeddings", size)))

    def cut(self, text: str) -> tuple[list[int], list[tuple[int, int]]]:
        """The pieces of a text and the characters that each covers."""
        told = self.pieces(text, add_special_tokens=False, return_offsets_mapping=True)
        return list(told["input_ids"]), [tuple(span) for span in told["offset_mapping"]]

    def owners(self, passage: Passage, spans: list[tuple[int, int]]) -> list[list[int]]:
        """For every token, the pieces that overlap it."""
        ends = [end for _, end in passage.offsets]
        found: list[list[int]] = [[] for _ in passage.tokens]
        token = 0
        for piece, (start, end) in enumerate(spans):
            while token < len(ends) and ends[token] <= start:
                token += 1
            if token < len(ends) and end > passage.offsets[token][0]:
                found[token].append(piece)
        return found

    def choices(self, passage: Passage, places: list[tuple[int, str, str]]) -> tuple[Choice, ...]:
        """Both words at every revealed place; ranks where both are one piece."""
        return tuple(Choice(at, *self.pair(passage, at, (a, b))) for at, a, b in places)

    def pair(self, passage: Passage, at: int, words: tuple[str, str]) -> list[Any]:
        """Log probabilities of two words at a token, then their ranks."""
        raise NotImplementedError

    def _pieces_of(self, passage: Passage, at: int, word: str) -> list[int]:
        space = " " if passage.offsets[at][0] else ""
        ids = self.pieces(space + word, add_special_tokens=False)["input_ids"]
        return list(ids) or [self.pieces.unk_token_id or 0]

    def _logs(self, ids: list[list[int]]) -> Array:
        import torch

        torch.set_num_threads(1)
        with torch.inference_mode():
            logits = self.model(input_ids=torch.tensor(ids)).logits
            return torch.log_softmax(logits.float(), dim=-1).numpy()


class Causal(Reader):
    """Left to right: P(piece | pieces before), in windows that overlap by half."""

    def surprises(self, passage: Passage) -> Array:
        """-log P of each token: the sum over its pieces."""
        ids, spans = self.cut(passage.text)
        lost = np.zeros(len(ids))
        first = self._first()
        half = max(1, self.size // 2)
        for start in range(0, len(ids), half):
            low = max(0, start - half + 1)
            window = ids[low : start + half]
            logs = self._logs([[first, *window][: len(window)]])[0]
            for place in range(start, min(start + half, len(ids))):
                lost[place] = -logs[place - low, ids[place]]
        return np.array([lost[owned].sum() for owned in self.owners(passage, spans)])

    def pair(self, passage: Passage, at: int, words: tuple[str, str]) -> list[Any]:
        """Log probabilities after the text on the left."""
        left, _ = self.cut(passage.text[: passage.offsets[at][0]].rstrip())
        logs, ranks = [], []
        for word in words:
            ids = self._pieces_of(passage, at, word)
            seen = [self._first(), *left][-(self.size - len(ids)) :]
            table = self._logs([[*seen, *ids]])[0][len(seen) - 1 : -1]
            logs.append(float(sum(table[k, piece] for k, piece in enumerate(ids))))
            ranks.append(rank_share(table[0], float(table[0, ids[0]])) if len(ids) == 1 else None)
        return [*logs, *ranks]

    def _first(self) -> int:
        ids = (self.pieces.bos_token_id, self.pieces.eos_token_id, self.pieces.cls_token_id, 0)
        return int(next(one for one in ids if one is not None))


class Masked(Reader):
    """Both sides: the word's pieces hidden, the text around it in view."""

    def surprises(self, passage: Passage) -> Array:
        """-log P of each token with all of its pieces hidden."""
        ids, spans = self.cut(passage.text)
        return np.array([-self._hidden(ids, owned) for owned in self.owners(passage, spans)])

    def pair(self, passage: Passage, at: int, words: tuple[str, str]) -> list[Any]:
        """Log probabilities between the text on both sides."""
        start, end = passage.offsets[at]
        left, right = self.cut(passage.text[:start])[0], self.cut(passage.text[end:])[0]
        logs = []
        for word in words:
            ids = self._pieces_of(passage, at, word)
            owned = list(range(len(left), len(left) + len(ids)))
            logs.append(self._hidden([*left, *ids, *right], owned))
        return [*logs, None, None]

    def _hidden(self, ids: list[int], owned: list[int]) -> float:
        if not owned:
            return 0.0
        room = self.size - 2
        low = max(0, min(owned[0] - room // 2, len(ids) - room))
        window = list(ids[low : low + room])
        inside = [piece - low for piece in owned if piece - low < len(window)]
        for place in inside:
            window[place] = self.pieces.mask_token_id
        edge = [self.pieces.cls_token_id], [self.pieces.sep_token_id]
        logs = self._logs([[*edge[0], *window, *edge[1]]])[0]
        return float(sum(logs[place + 1, ids[low + place]] for place in inside))


def _load(name: str, kind: str) -> tuple[Any, Any]:
    if not name:
        raise InputError("a model is needed", fix="name it: --model gpt2, or a folder")
    try:
        import transformers
    except ImportError as error:
        raise InputError(
            "models of others load by the package transformers", fix="pip install transformers"
        ) from error
    loader = transformers.AutoModelForCausalLM
    if kind == "masked":
        loader = transformers.AutoModelForMaskedLM
    here = Path(name).exists()
    try:
        pieces = transformers.AutoTokenizer.from_pretrained(name, local_files_only=here)
        model = loader.from_pretrained(name, local_files_only=here)
    except (OSError, ValueError) as error:
        raise InputError(
            "the language model cannot be loaded",
            at=name,
            got=str(error).partition("\n")[0],
            fix="give the folder of a downloaded model",
        ) from error
    return model.eval(), pieces
