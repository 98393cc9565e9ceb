"""Training of what this task ships: the parser and the fluency detector."""

from pathlib import Path
from typing import Any

from earmark.task.task import Training
from earmark.values.errors import InputError


def train_parser(  # noqa: PLR0913
    train_on: Training | None,
    *,
    out: Path,
    seed: int = 7,
    treebank: Path | None = None,
    dev: Path | None = None,
    epochs: int = 16,
    stop_after: int | None = None,
    made_captions: int = 6000,
) -> dict[str, Any]:
    """Train the spaCy pipeline on a treebank and on made-up captions.

    Parameters
    ----------
    treebank
        CoNLL-U file of sentences to learn from.
    dev
        CoNLL-U file to watch.
    epochs
        Epochs that the learning rate is planned for; in each, every sentence is seen once, as
        written or in lower case without punctuation, turn by turn.
    stop_after
        Stop after this many of them.
    made_captions
        How many captions to make up.
    """
    if treebank is None:
        raise InputError("a parser learns from a treebank", fix="add --treebank F.conllu")
    from earmark.tasks.captions.train.parser import Plan, train_pipeline

    plan = Plan(epochs=epochs, stop_after=stop_after, captions=made_captions)
    return train_pipeline(treebank, out=out, seed=seed, plan=plan, dev=dev)


def train_fluency(
    train_on: Training | None, *, out: Path, seed: int = 7, captions: Path | None = None
) -> dict[str, Any]:
    """Train the detector of broken captions on clean captions and on ones that we break.

    Parameters
    ----------
    captions
        CSV, TSV or JSONL with a column `caption`.
    """
    from earmark.tables.rows import read_table
    from earmark.tasks.captions.train.fluency import train_detector

    if captions is not None:
        texts = [cells["caption"] for _, cells in read_table(captions, columns=("caption",))]
    elif train_on is not None:
        texts = [text for said in train_on.reference.values.values() for text in said.texts]
    else:
        raise InputError("a detector learns from captions", fix="add --captions F.csv or --study S")
    return train_detector(texts, out=out, seed=seed)


def train_listener(
    train_on: Training | None,
    *,
    out: Path,
    seed: int = 7,
    benchmark: Path | None = None,
    folds: int = 10,
    attacks: float = 0.3,
) -> dict[str, Any]:
    """Fit the weights of `earshot` to a benchmark of preferences, cross-validated over sounds.

    Parameters
    ----------
    benchmark
        JSON file of preferences, as for `audit`.
    folds
        Parts of the sounds for cross-validation.
    attacks
        How much padded captions count against people's preferences; 0 rewards extra words.
    """
    if benchmark is None:
        raise InputError("weights are fitted to preferences", fix="add --benchmark F.json")
    from earmark.tasks.captions.train.earshot import fit_weights

    return fit_weights(benchmark, out=out, seed=seed, folds=folds, attacks=attacks)
