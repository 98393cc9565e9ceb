"""Training the tagger that ships with Earmark."""

from pathlib import Path

from earmark.task.task import Json, Training
from earmark.values.errors import InputError


def train_tagger(
    train_on: Training | None,
    *,
    out: Path,
    seed: int,
    text: tuple[Path, ...] = (),
    test: Path | None = None,
    turns: int = 10,
) -> Json:
    """Train the part-of-speech tagger on a treebank.

    Parameters
    ----------
    text
        CoNLL-U files to learn from.
    test
        A CoNLL-U file to measure on.
    turns
        Passes over the treebank.
    """
    from earmark.text import tags

    if not text:
        raise InputError("a treebank is needed", fix="name it: --text train.conllu")
    corpus = [sentence for path in text for sentence in tags.read_tagged(path)]
    tagger = tags.train(corpus, seed=seed, turns=turns, name=out.stem)
    tagger.save(out)
    card: Json = {
        "sentences": len(corpus),
        "tokens": sum(len(sentence.words) for sentence in corpus),
        "tags": len(tagger.names),
        "seed": seed,
    }
    return {**card, **tags.measure(tagger, tags.read_tagged(test))} if test else card
