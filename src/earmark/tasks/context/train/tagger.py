"""Training of the part-of-speech tagger that ships with Earmark."""

from dataclasses import dataclass
from pathlib import Path

from earmark.task.options import option
from earmark.task.task import Json, Training
from earmark.values.errors import InputError


@dataclass(frozen=True, slots=True, kw_only=True)
class TaggerOptions:
    """What the tagger learns from, and for how long."""

    text: tuple[Path, ...] = option((), "CoNLL-U files to learn from.")
    test: Path | None = option(None, "A CoNLL-U file to measure on.")
    turns: int = option(10, "Epochs, passes over the treebank.")


def train_tagger(
    train_on: Training | None,
    options: TaggerOptions = TaggerOptions(),
    *,
    out: Path,
    seed: int,
) -> Json:
    """Train the part-of-speech tagger on a treebank; return the model's card."""
    from earmark.text import tagger as tagging

    if not options.text:
        raise InputError("a treebank is needed", fix="name it: --text train.conllu")
    corpus = [sentence for path in options.text for sentence in tagging.read_tagged(path)]
    tagger = tagging.train(corpus, seed=seed, epochs=options.turns, name=out.stem)
    tagger.save(out)
    card: Json = {
        "sentences": len(corpus),
        "tokens": sum(len(sentence.words) for sentence in corpus),
        "tags": len(tagger.names),
        "seed": seed,
    }
    if options.test is None:
        return card
    return {**card, **tagging.measure(tagger, tagging.read_tagged(options.test))}
