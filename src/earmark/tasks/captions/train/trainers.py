"""What `earmark train captions` offers: the parser, the fluency detector, weights of earshot."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from earmark.task.options import option
from earmark.task.task import Training
from earmark.tasks.captions.train.caption_kinds import KINDS, USUAL
from earmark.values.errors import InputError


@dataclass(frozen=True, slots=True, kw_only=True)
class ParserOptions:
    """What the parser learns from, and how long."""

    treebank: Path | None = option(None, "CoNLL-U file of sentences to learn from.")
    dev: Path | None = option(None, "CoNLL-U file to watch.")
    epochs: int = option(
        16,
        "Epochs that the learning rate is planned for; each sentence is seen once per epoch, as "
        "written or in lower case without punctuation, by turns.",
    )
    stop_after: int | None = option(None, "Stop after this many of them.")
    made_captions: int = option(6000, "How many captions to make up.")
    kind: tuple[str, ...] = option(
        (USUAL,), f"A kind of made-up captions: {', '.join(KINDS)}; may be given several times."
    )
    sentences: int | None = option(
        None, "Sentences of the treebank to learn from, drawn at random; all if not given."
    )
    start: Path | None = option(None, "A parser to train on, at a third of the rate.")


@dataclass(frozen=True, slots=True, kw_only=True)
class FluencyTrainingOptions:
    """What the fluency detector learns from."""

    captions: Path | None = option(None, "CSV, TSV or JSONL with a column `caption`.")
    text: tuple[Path, ...] = option(
        (),
        "Other text, CoNLL-U or plain, so that unusual captions are not taken for disfluent; may "
        "be given several times.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class EarshotOptions:
    """What the weights of earshot are fitted to."""

    benchmark: Path | None = option(None, "JSON file of preferences, as for `audit`.")
    folds: int = option(10, "Parts of the sounds for cross-validation.")
    attacks: float = option(
        0.2, "Weight of padded captions against people's preferences; 0 rewards extra words."
    )


def train_parser(
    train_on: Training | None,
    options: ParserOptions = ParserOptions(),
    *,
    out: Path,
    seed: int = 7,
) -> dict[str, Any]:
    """Train the spaCy pipeline on a treebank and on made-up captions; return its card."""
    if options.treebank is None:
        raise InputError("a parser learns from a treebank", fix="add --treebank F.conllu")
    from earmark.tasks.captions.train.parser import ParserTrainingPlan, train_pipeline

    plan = ParserTrainingPlan(
        options.epochs,
        options.stop_after,
        options.made_captions,
        kinds=options.kind,
        start=options.start,
        sentences=options.sentences,
    )
    return train_pipeline(options.treebank, out=out, seed=seed, plan=plan, dev=options.dev)


def train_fluency(
    train_on: Training | None,
    options: FluencyTrainingOptions = FluencyTrainingOptions(),
    *,
    out: Path,
    seed: int = 7,
) -> dict[str, Any]:
    """Train the detector on clean captions and on ones made disfluent; return its card."""
    from earmark.tables.rows import read_table
    from earmark.tasks.captions.train.fluency import train_detector
    from earmark.tasks.captions.train.other_text import other_sentences

    if options.captions is not None:
        rows = read_table(options.captions, columns=("caption",))
        texts = [cells["caption"] for _, cells in rows]
    elif train_on is not None:
        captions = train_on.reference.values.values()
        texts = [text for said in captions for text in said.texts]
    elif options.text:
        texts = []
    else:
        raise InputError("a detector learns from captions", fix="add --captions F.csv or --study S")
    texts += other_sentences(options.text, seed=seed)
    return train_detector(texts, out=out, seed=seed)


def train_earshot(
    train_on: Training | None,
    options: EarshotOptions = EarshotOptions(),
    *,
    out: Path,
    seed: int = 7,
) -> dict[str, Any]:
    """Fit the weights of `earshot` to preferences, cross-validated over sounds; return the card."""
    if options.benchmark is None:
        raise InputError("weights are fitted to preferences", fix="add --benchmark F.json")
    from earmark.tasks.captions.train.earshot import fit_weights

    folds, attacks = options.folds, options.attacks
    return fit_weights(options.benchmark, out=out, seed=seed, folds=folds, attacks=attacks)
