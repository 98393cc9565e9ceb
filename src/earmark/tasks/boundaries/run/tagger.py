"""Any token-classification model of transformers in a folder, as a system: punctuation models."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from earmark.arrays import Floats
from earmark.files.models import use_model
from earmark.learn.threads import limited_threads
from earmark.task.extras import needs
from earmark.task.options import option
from earmark.task.progress import track
from earmark.task.task import Training
from earmark.tasks.boundaries.values import Boundaries, transcript_of
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.output import Output

NAME = "tagger"
# Names that such models give to labels after which a sentence ends, or the marks themselves.
ENDING_NAMES = re.compile(
    r"PERIOD|FULL.?STOP|QUESTION|EXCLAM|SEMICOLON|SENT|EOS|END|BOUNDARY|[.?!;]", re.IGNORECASE
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderTaggerOptions:
    """Which model is run, which of its labels end a sentence, and from which probability on."""

    model: Path | None = option(
        None, "A folder of a token-classification model of transformers, with safetensors."
    )
    ends: tuple[str, ...] = option(
        (), "Labels that end a sentence; by default those named after marks or ends."
    )
    words: int = option(100, "Words that the model sees at once; half of them are seen twice.")
    threshold: float = option(0.5, "The probability from which a sentence ends.")

    def __post_init__(self) -> None:
        if not 0 <= self.threshold <= 1:
            raise InputError("threshold must be between 0 and 1", got=self.threshold)
        if self.words < 4:
            raise InputError("words must be at least 4", got=self.words)


def tagger(
    items: Iterable[Item],
    options: FolderTaggerOptions = FolderTaggerOptions(),
    *,
    train_on: Training | None,
    seed: int,
) -> Iterator[Output[Boundaries]]:
    """Run a punctuation or segmentation model of your own, which labels every word."""
    del train_on, seed
    needs("nets", "torch", "transformers")()
    if options.model is None:
        raise InputError("a model is needed", fix="name its folder: --model FOLDER")
    model = _load(use_model(options.model), options.ends)
    for item in track(list(items), label="read"):
        words = transcript_of(item).words
        probabilities = end_probabilities(model, words, size=options.words)
        after = frozenset(np.flatnonzero(probabilities >= options.threshold).tolist())
        yield Output(NAME, item.id, Boundaries(len(words), after).with_final())


class LoadedTagger(NamedTuple):
    """A network, its tokeniser, and the numbers of the labels that end a sentence."""

    network: Any
    tokeniser: Any
    ends: list[int]


def end_probabilities(model: LoadedTagger, words: Sequence[str], *, size: int) -> Floats:
    """Return the probability of an end after each word, judged in the middle half of a window."""
    probabilities = np.zeros(len(words))
    quarter = size // 4
    for start in range(0, max(1, len(words)), 2 * quarter):
        low = max(0, start - quarter)
        own = _window(model, words[low : start + 3 * quarter])
        judged = own[start - low : start - low + 2 * quarter]
        probabilities[start : start + len(judged)] = judged
    return probabilities


def _window(model: LoadedTagger, words: Sequence[str]) -> Floats:
    """Return the probability of an end after each word: that at the word's last piece."""
    import torch

    cut = model.tokeniser(list(words), is_split_into_words=True, return_tensors="pt")
    longest = min(model.tokeniser.model_max_length, model.network.config.max_position_embeddings)
    if cut["input_ids"].shape[1] > longest:
        raise InputError(
            "the model cannot see so many words at once",
            got=f"{cut['input_ids'].shape[1]} pieces of {len(words)} words",
            want=f"{longest} pieces",
            fix="lower --words",
        )
    with limited_threads(1), torch.inference_mode():
        logits = model.network(**cut).logits[0].double()
    # one label is a yes or no of its own, several exclude each other
    shares = logits.sigmoid() if logits.shape[-1] == 1 else logits.softmax(-1)
    of_pieces = shares[:, model.ends].sum(-1).numpy()
    probabilities = np.zeros(len(words))
    for piece, word in enumerate(cut.word_ids(0)):
        if word is not None:
            probabilities[word] = of_pieces[piece]
    return probabilities


def _load(folder: Path, ends: Sequence[str]) -> LoadedTagger:
    """Return the model of a folder; nothing is looked up elsewhere, and no pickle is read."""
    import transformers

    try:
        tokeniser = transformers.AutoTokenizer.from_pretrained(
            str(folder), local_files_only=True, use_fast=True
        )
        network = transformers.AutoModelForTokenClassification.from_pretrained(
            str(folder), local_files_only=True, use_safetensors=True
        )
    except (OSError, ValueError) as error:
        raise InputError(
            "the model cannot be loaded",
            at=folder,
            got=str(error).partition("\n")[0],
            fix="give the folder of a downloaded token-classification model",
        ) from error
    return LoadedTagger(network.eval(), tokeniser, _ends(folder, network.config.id2label, ends))


def _ends(folder: Path, labels: Mapping[int, str], wanted: Sequence[str]) -> list[int]:
    if len(labels) == 1 and not wanted:
        return list(labels)
    chosen = [
        number
        for number, name in labels.items()
        if (name in wanted if wanted else ENDING_NAMES.search(name))
    ]
    unknown = sorted(set(wanted) - set(labels.values()))
    if unknown or not chosen:
        raise InputError(
            "which labels end a sentence is not known",
            at=folder,
            got=", ".join(unknown) or "no label named after a mark",
            want=f"among {', '.join(labels.values())}",
            fix="name them: --ends LABEL --ends LABEL",
        )
    return chosen
