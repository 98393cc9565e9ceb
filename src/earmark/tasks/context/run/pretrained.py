"""Any causal or masked language model by name or path, through one interface."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np

from earmark.arrays import Floats
from earmark.files.models import use_model, use_named_model
from earmark.learn.threads import limited_threads
from earmark.task.extras import MissingExtra, install_line
from earmark.task.options import option
from earmark.task.task import Training
from earmark.tasks.context.run.contrast import rank_share, revealed_places
from earmark.tasks.context.run.nouns import only_nouns
from earmark.tasks.context.values import Choice, Passage, Range, Scores
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.output import Output

NAME = "pretrained"


@dataclass(frozen=True, slots=True, kw_only=True)
class PretrainedOptions:
    """Which transformer is run, and how."""

    model: str = option("", "Name or path of a model for the package transformers.")
    kind: Literal["causal", "masked"] = option("causal", "causal, or masked.")
    pieces: int = option(512, "Word pieces that the model sees at once.")
    nouns: bool = option(False, "Score nouns only; every other word gets the lowest score.")
    threshold: float | None = option(None, "The threshold chosen on development data.")


def pretrained(
    items: Sequence[Item],
    options: PretrainedOptions = PretrainedOptions(),
    *,
    train_on: Training | None,
    seed: int,
) -> Iterator[Output[Scores]]:
    """Score each word by its surprisal under a transformer of your own.

    A causal model reads the passage from left to right; a masked one sees both sides with the
    word itself hidden, one word at a time.
    """
    kind = CausalReader if options.kind == "causal" else MaskedReader
    reader = kind(*_load(options.model, options.kind), options.pieces)
    for item in items:
        passage = Passage.of(item)
        surprisals = reader.surprisals(passage)
        scores = only_nouns(passage, surprisals) if options.nouns else surprisals
        values = Scores(
            tuple(scores.tolist()),
            options.threshold,
            surprise=tuple(surprisals.tolist()),
            choices=tuple(
                Choice(place.token, *reader.compare(passage, place.token, place[1:]))
                for place in revealed_places(item)
            ),
        )
        yield Output(NAME, item.id, values)


class Comparison(NamedTuple):
    """Log probabilities of two words at a token, and their ranks where these are known."""

    first: float
    second: float
    rank_first: float | None = None
    rank_second: float | None = None


class TransformerReader(ABC):
    """A transformer and its tokeniser, which cuts a text into word pieces.

    `size` is how many pieces the model sees at once, at most as many as it was made for.
    """

    def __init__(self, model: Any, tokeniser: Any, size: int) -> None:
        self.model = model
        self.tokeniser = tokeniser
        self.size = min(size, int(getattr(model.config, "max_position_embeddings", size)))

    @abstractmethod
    def surprisals(self, passage: Passage) -> Floats:
        """Return -log P of each token, in nats; (tokens,)."""

    @abstractmethod
    def compare(self, passage: Passage, token: int, words: tuple[str, str]) -> Comparison:
        """Compare two words at a token."""

    def cut(self, text: str) -> tuple[list[int], list[Range]]:
        """Return the pieces of a text and the characters that each covers."""
        cut = self.tokeniser(text, add_special_tokens=False, return_offsets_mapping=True)
        return list(cut["input_ids"]), [tuple(span) for span in cut["offset_mapping"]]

    def owners(self, passage: Passage, spans: list[Range]) -> list[list[int]]:
        """Return for every token the indices of the pieces that overlap it."""
        ends = [end for _, end in passage.offsets]
        pieces: list[list[int]] = [[] for _ in passage.tokens]
        token = 0
        for piece, (start, end) in enumerate(spans):
            while token < len(ends) and ends[token] <= start:
                token += 1
            if token < len(ends) and end > passage.offsets[token][0]:
                pieces[token].append(piece)
        return pieces

    def pieces_of(self, passage: Passage, token: int, word: str) -> list[int]:
        """Return the pieces of a word that is put at a token of the passage."""
        space = " " if passage.offsets[token][0] else ""
        pieces = self.tokeniser(space + word, add_special_tokens=False)["input_ids"]
        return list(pieces) or [self.tokeniser.unk_token_id or 0]

    def log_probabilities(self, pieces: list[int]) -> Floats:
        """Return log probabilities of the vocabulary at each piece; (pieces, vocabulary)."""
        import torch

        with limited_threads(1), torch.inference_mode():
            logits = self.model(input_ids=torch.tensor([pieces])).logits[0]
            logs: Floats = torch.log_softmax(logits.float(), dim=-1).numpy()
        return logs


class CausalReader(TransformerReader):
    """Left to right: P(piece | pieces before), in windows that overlap by half."""

    def surprisals(self, passage: Passage) -> Floats:
        """Return -log P of each token: the sum over its pieces."""
        pieces, spans = self.cut(passage.text)
        of_pieces = np.zeros(len(pieces))
        half = max(1, self.size // 2)
        for start in range(0, len(pieces), half):
            low = max(0, start - half + 1)
            window = pieces[low : start + half]
            # Row k of the result predicts piece low + k, because the input is shifted by one.
            logs = self.log_probabilities([self._first(), *window][: len(window)])
            for index in range(start, min(start + half, len(pieces))):
                of_pieces[index] = -logs[index - low, pieces[index]]
        return np.array([of_pieces[owned].sum() for owned in self.owners(passage, spans)])

    def compare(self, passage: Passage, token: int, words: tuple[str, str]) -> Comparison:
        """Compare two words after the text on the left; ranks where a word is one piece."""
        left, _ = self.cut(passage.text[: passage.offsets[token][0]].rstrip())
        logs: list[float] = []
        ranks: list[float | None] = []
        for word in words:
            pieces = self.pieces_of(passage, token, word)
            seen = [self._first(), *left][-(self.size - len(pieces)) :]
            table = self.log_probabilities([*seen, *pieces])[len(seen) - 1 : -1]
            logs.append(float(sum(table[k, piece] for k, piece in enumerate(pieces))))
            single = len(pieces) == 1
            ranks.append(rank_share(table[0], float(table[0, pieces[0]])) if single else None)
        return Comparison(*logs, *ranks)

    def _first(self) -> int:
        """Return the piece that stands for the start of a text."""
        known = self.tokeniser
        pieces = (known.bos_token_id, known.eos_token_id, known.cls_token_id, 0)
        return int(next(piece for piece in pieces if piece is not None))


class MaskedReader(TransformerReader):
    """Both sides: the word's pieces hidden, the text around it in view."""

    def surprisals(self, passage: Passage) -> Floats:
        """Return -log P of each token with all of its pieces hidden."""
        pieces, spans = self.cut(passage.text)
        return np.array([-self._hidden(pieces, owned) for owned in self.owners(passage, spans)])

    def compare(self, passage: Passage, token: int, words: tuple[str, str]) -> Comparison:
        """Compare two words between the text on both sides; without ranks."""
        start, end = passage.offsets[token]
        left, right = self.cut(passage.text[:start])[0], self.cut(passage.text[end:])[0]
        logs = []
        for word in words:
            pieces = self.pieces_of(passage, token, word)
            owned = list(range(len(left), len(left) + len(pieces)))
            logs.append(self._hidden([*left, *pieces, *right], owned))
        return Comparison(*logs)

    def _hidden(self, pieces: list[int], owned: list[int]) -> float:
        """Return the log probability of the owned pieces when they are masked."""
        if not owned:
            return 0.0
        room = self.size - 2
        low = max(0, min(owned[0] - room // 2, len(pieces) - room))
        window = list(pieces[low : low + room])
        inside = [piece - low for piece in owned if piece - low < len(window)]
        for index in inside:
            window[index] = self.tokeniser.mask_token_id
        ends = [self.tokeniser.cls_token_id], [self.tokeniser.sep_token_id]
        logs = self.log_probabilities([*ends[0], *window, *ends[1]])
        return float(sum(logs[index + 1, pieces[low + index]] for index in inside))


def _load(name: str, kind: str) -> tuple[Any, Any]:
    """Return a model and its tokeniser; a name that is a folder is never looked up elsewhere."""
    if not name:
        raise InputError("a model is needed", fix="name it: --model gpt2, or a folder")
    try:
        import transformers
    except ImportError as error:
        raise MissingExtra(
            "models of others load by the package transformers", fix=install_line("nets")
        ) from error
    loader = transformers.AutoModelForCausalLM
    if kind == "masked":
        loader = transformers.AutoModelForMaskedLM
    is_folder = Path(name).exists()
    if is_folder:
        use_model(Path(name))
    try:
        tokeniser = transformers.AutoTokenizer.from_pretrained(name, local_files_only=is_folder)
        # weights as safetensors alone: the older form is a pickle, which could run anything
        model = loader.from_pretrained(name, local_files_only=is_folder, use_safetensors=True)
    except (OSError, ValueError) as error:
        raise InputError(
            "the language model cannot be loaded",
            at=name,
            got=str(error).partition("\n")[0],
            fix="give the folder of a downloaded model",
        ) from error
    if not is_folder:
        use_named_model(name, getattr(model.config, "_commit_hash", None))
    return model.eval(), tokeniser
