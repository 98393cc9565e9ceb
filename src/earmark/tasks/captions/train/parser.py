"""Training and testing of the parser that Earmark ships: a small spaCy pipeline.

Every sentence of the treebank is seen as written and in lower case without punctuation, because
captions come both ways; made-up caption trees are mixed in. The same seed gives the same weights.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from earmark.files.folder import whole_folder, write_file
from earmark.stats.draw import stream
from earmark.stats.rates import proportion
from earmark.task.progress import track
from earmark.tasks.captions.train.caption_kinds import USUAL, caption_trees
from earmark.text.shipped_models import folder_digest
from earmark.text.treebank import Tree, plain, read_trees
from earmark.values.errors import InputError

CONFIG = """
[nlp]
lang = "en"
pipeline = ["tok2vec", "tagger", "morphologizer", "parser"]

[components]

[components.tok2vec]
factory = "tok2vec"

[components.tok2vec.model]
@architectures = "spacy.Tok2Vec.v2"

[components.tok2vec.model.embed]
@architectures = "spacy.MultiHashEmbed.v2"
width = 128
attrs = ["NORM", "PREFIX", "SUFFIX", "SHAPE"]
rows = [5000, 1000, 2500, 500]
include_static_vectors = false

[components.tok2vec.model.encode]
@architectures = "spacy.MaxoutWindowEncoder.v2"
width = 128
depth = 4
window_size = 1
maxout_pieces = 3

[components.tagger]
factory = "tagger"

[components.tagger.model]
@architectures = "spacy.Tagger.v2"

[components.tagger.model.tok2vec]
@architectures = "spacy.Tok2VecListener.v1"
width = 128

[components.morphologizer]
factory = "morphologizer"

[components.morphologizer.model]
@architectures = "spacy.Tagger.v2"

[components.morphologizer.model.tok2vec]
@architectures = "spacy.Tok2VecListener.v1"
width = 128

[components.parser]
factory = "parser"
min_action_freq = 10

[components.parser.model]
@architectures = "spacy.TransitionBasedParser.v2"
state_type = "parser"
extra_state_tokens = false
hidden_width = 96
maxout_pieces = 2
use_upper = true

[components.parser.model.tok2vec]
@architectures = "spacy.Tok2VecListener.v1"
width = 128
"""
BATCH_WORDS = 900  # words per update; by hand
# How many words an epoch of EWT and 6000 made-up captions has, for the learning rate's plan.
EPOCH_WORDS = 260_000
RATE = 0.001  # spaCy's default for Adam
# Of a parser that is trained on: a third, so that what it knows is not unlearned; by hand.
RATE_ON = RATE / 3


@dataclass(frozen=True, slots=True)
class ParserTrainingPlan:
    """How long to train: the rate falls over `epochs`, of which `stop_after` are done."""

    epochs: int = 16
    stop_after: int | None = None
    captions: int = 6000
    kinds: tuple[str, ...] = (USUAL,)  # of made-up captions
    start: Path | None = None  # a parser to train on; None begins with random weights
    sentences: int | None = None  # of the treebank, drawn at random; None takes all

    def rate(self, done: float) -> float:
        """Return the learning rate after `done` epochs.

        It is full for three tenths of the plan, then falls to a twentieth.
        """
        first = RATE_ON if self.start else RATE
        return first * max(0.05, 1 - 0.95 * max(0.0, done / self.epochs - 0.3) / 0.7)


def train_pipeline(
    treebank: Path, *, out: Path, seed: int, plan: ParserTrainingPlan, dev: Path | None = None
) -> dict[str, object]:
    """Train on a CoNLL-U file, write the pipeline to `out`, and return its card."""
    from spacy.util import fix_random_seed

    _refuse_other_folder(out)
    fix_random_seed(seed)
    nlp = _loaded(plan.start) if plan.start else _blank()
    trees = _some(list(read_trees(treebank)), plan.sentences, seed)
    captions = list(caption_trees(plan.captions, seed=seed, kinds=plan.kinds))
    try:
        examples = _examples(nlp, [*trees, *captions])
    except ValueError as error:  # spaCy's, for a tag or a head that there cannot be
        raise InputError("a treebank must be CoNLL-U", at=treebank, got=error) from error
    optimizer = (
        nlp.resume_training()
        if plan.start
        else nlp.initialize(lambda: [e for e in examples[0] if e is not None])
    )
    log = []
    todo = range(plan.stop_after or plan.epochs)
    for epoch in track(todo, label="train parser", total=len(todo)):
        _one_epoch(nlp, optimizer, examples, stream(seed, "parser epoch", epoch), (plan, epoch))
        with nlp.use_params(optimizer.averages):
            log.append(_progress(nlp, dev, epoch))
    card: dict[str, object] = {
        "trained_on": f"{treebank.name}: {len(trees)} sentences, each as written and plain",
        "made_captions": len(captions),
        "kinds": plan.kinds,
        "epochs": f"{len(todo)} of a plan of {plan.epochs}",
        "seed": seed,
        "start": folder_digest(plan.start) if plan.start else None,
        "log": log,
    }
    with nlp.use_params(optimizer.averages), whole_folder(out) as place:
        nlp.to_disk(place)
        write_file(place / "card.json", json.dumps(card, indent=1))
    return card


def _some(trees: list[Tree], count: int | None, seed: int) -> list[Tree]:
    """Return that many of the trees, drawn at random, or all."""
    order = stream(seed, "parser sentences").permutation(len(trees))
    return trees if count is None else [trees[k] for k in order[:count].tolist()]


def _refuse_other_folder(out: Path) -> None:
    """Raise InputError if a folder is there that holds no pipeline: it would be replaced."""
    if out.is_dir() and any(out.iterdir()) and not (out / "config.cfg").exists():
        raise InputError(
            "a parser needs a folder of its own",
            at=out,
            got="a folder that holds other files",
            fix="name a folder that is empty or not there yet",
        )


def test_pipeline(nlp: Any, trees: Iterable[Tree]) -> dict[str, float]:
    """Return shares of words with the right tag, head (uas), and head and label (las); gold tokens.

    `las` compares whole labels; `las_universal` the part before the colon, as in the CoNLL
    2018 shared task.
    """
    trees = [tree for tree in trees if tree]
    docs = (_doc(nlp.vocab, tree, gold=False) for tree in trees)
    right = dict.fromkeys(("tag", "pos", "uas", "las", "las_universal"), 0)
    total = 0
    for doc, tree in zip(nlp.pipe(docs, batch_size=64), trees, strict=True):
        for token, word in zip(doc, tree, strict=True):
            total += 1
            for name, hit in _hits(token, word):
                right[name] += hit
    return {name: proportion(hits, of=total) for name, hits in right.items()}


def _hits(token: Any, word: Any) -> Iterator[tuple[str, bool]]:
    head = -1 if token.head.i == token.i else token.head.i
    label = "root" if token.dep_ == "ROOT" else token.dep_
    yield "tag", token.tag_ == word.tag
    yield "pos", token.pos_ == word.pos
    yield "uas", head == word.head
    yield "las", head == word.head and label == word.relation
    same = label.split(":")[0] == word.relation.split(":")[0]
    yield "las_universal", head == word.head and same


def _blank() -> Any:
    from spacy.lang.en import English
    from thinc.api import Config

    return English.from_config(Config().from_str(CONFIG))


def _loaded(folder: Path) -> Any:
    """Return a parser to train on; a fresh copy, so that the one in use stays as it is."""
    import spacy

    try:
        return spacy.load(folder)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, EOFError) as error:
        raise InputError(
            "there is no parser here that could be trained on",
            at=folder,
            got=str(error).split("\n")[0],
            fix="name a folder that `earmark train captions parser` wrote",
        ) from error


def _doc(vocab: Any, tree: Tree, *, gold: bool) -> Any:
    from spacy.tokens import Doc

    forms = [word.form for word in tree]
    if not gold:
        return Doc(vocab, words=forms)
    return Doc(
        vocab,
        words=forms,
        tags=[word.tag for word in tree],
        pos=[word.pos for word in tree],
        heads=[word.head if word.head >= 0 else index for index, word in enumerate(tree)],
        deps=["ROOT" if word.head < 0 else word.relation for word in tree],
    )


def _examples(nlp: Any, trees: Sequence[Tree]) -> list[list[Any]]:
    from spacy.training import Example

    examples: list[list[Any]] = [[], []]
    for tree in trees:
        for kind, shape in enumerate((tree, plain(tree))):
            examples[kind].append(
                Example(_doc(nlp.vocab, shape, gold=False), _doc(nlp.vocab, shape, gold=True))
                if shape
                else None
            )
    return examples


def _one_epoch(
    nlp: Any,
    optimizer: Any,
    examples: list[list[Any]],
    rng: Any,
    schedule: tuple[ParserTrainingPlan, int],
) -> None:
    """Train on half of the sentences as written and half plain; the next epoch the other way."""
    plan, epoch = schedule
    order = rng.permutation(len(examples[0]))
    batches = list(_batches(examples, order, epoch))
    words = len(batches) * BATCH_WORDS if plan.start else EPOCH_WORDS
    for step, batch in enumerate(batches):
        optimizer.learn_rate = plan.rate(epoch + step * BATCH_WORDS / words)
        nlp.update(batch, sgd=optimizer, drop=0.15)


def _batches(examples: list[list[Any]], order: Any, epoch: int) -> Iterator[list[Any]]:
    batch: list[Any] = []
    words = 0
    for place in order:
        example = examples[(int(place) + epoch) % 2][place]
        if example is None:
            continue
        batch.append(example)
        words += len(example.reference)
        if words >= BATCH_WORDS:
            yield batch
            batch, words = [], 0
    if batch:
        yield batch


def _progress(nlp: Any, dev: Path | None, epoch: int) -> dict[str, object]:
    if dev is None:
        return {"epoch": epoch}
    trees = list(read_trees(dev))[:600]
    written = test_pipeline(nlp, trees)
    bare = test_pipeline(nlp, map(plain, trees))
    return {"epoch": epoch, "written": written, "plain": bare}
