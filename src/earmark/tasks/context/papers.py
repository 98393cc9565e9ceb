"""The published figures that can be rebuilt: the survey of Huber et al. (2018), table 1."""

import math
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from earmark.files.json_text import read_json
from earmark.stats.rates import f1, mean_defined
from earmark.task.extras import MissingExtra
from earmark.task.options import call_with
from earmark.tasks.context.make.corrupted import passage_item
from earmark.tasks.context.make.documents import document
from earmark.tasks.context.run import classifier, language_model
from earmark.tasks.context.score.curve import PrecisionRecallCurve
from earmark.tasks.context.train.examples import LabelledPassages
from earmark.tasks.context.values import Flags, Passage
from earmark.values.counts import Hits
from earmark.values.errors import InputError
from earmark.values.paper import Paper

PAPER = Paper(
    key="huber2018automated",
    authors="Patrick Huber and Jan Niehues and Alex Waibel",
    title="Automated Evaluation of Out-of-Context Errors",
    venue="Proceedings of LREC 2018",
    year=2018,
)


def survey(path: Path) -> dict[str, Any]:
    """Return the human baseline on the systems' scale, from each subject's right and wrong marks.

    The file holds `subjects` with `correct` and `incorrect`, and `reported.words_replaced`. The
    paper's 28.53 % is the macro mean over subjects (unrounded 28.536 %, printed truncated).
    """
    published = read_json(path, what="a survey must be JSON")
    try:
        swapped = int(published["reported"]["words_replaced"])
        marks = [(int(s["correct"]), int(s["incorrect"])) for s in published["subjects"]]
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(
            "a survey must list subjects with their marks", at=path, got=error
        ) from error
    hits = [Hits(right, swapped - right, wrong) for right, wrong in marks]
    each = [f1(one) for one in hits]
    pooled = Hits(*(math.fsum(column) for column in zip(*(h.row() for h in hits), strict=True)))
    return {"subjects": each, "macro": mean_defined(each), "micro": f1(pooled)}


def survey_sentences(path: Path) -> LabelledPassages:
    """Return the sentences of the survey, in each of which the replaced words are marked."""
    published = read_json(path, what="a survey must be JSON")
    passages, truths = [], []
    for row in published["sentences"]:
        one = document(f"sentence {row['n']}", row["text"])
        passages.append(Passage.of(passage_item(one.id, one.text, one.offsets)))
        marked = frozenset(k for k, token in enumerate(one.tokens) if token in row["replaced"])
        truths.append(Flags(len(one.tokens), marked))
    return LabelledPassages(tuple(passages), tuple(truths))


def sentence_scores(labelled: LabelledPassages) -> Iterator[tuple[str, float]]:
    """Yield the shipped detectors that can be run here, with their best F on the sentences."""
    from earmark.tasks.context.run.discourse import detector
    from earmark.tasks.context.run.far.model import SHIPPED, load_far
    from earmark.tasks.context.run.said_once import said_once_scores
    from earmark.text.causal_model import load_causal_model

    labels = np.concatenate(labelled.labels)
    beneath = detector.load(detector.SHIPPED)
    rows = {
        "said-once": said_once_scores(labelled.passages),
        "local": beneath.scores(labelled.passages, "local"),
        "discourse": beneath.scores(labelled.passages, "all"),
    }
    with suppress(MissingExtra):
        model = load_causal_model()
        rows["discourse-lm"] = list(load_far(SHIPPED).scores(labelled.passages, beneath, model))
    for name, scores in rows.items():
        yield name, PrecisionRecallCurve.of(np.concatenate(scores), labels).best().f


def network_scores(labelled: LabelledPassages, folder: Path) -> Iterator[tuple[str, float]]:
    """Yield the paper's networks with their best F, where a folder has them trained: `NAME.npz`."""
    systems: dict[str, Callable[..., Any]] = {
        "language-model": language_model.language_model,
        "classifier": classifier.classifier,
    }
    labels = np.concatenate(labelled.labels)
    items = [
        passage_item(passage.id, passage.text, np.array(passage.offsets).ravel())
        for passage in labelled.passages
    ]
    for name, system in systems.items():
        model = folder / f"{name}.npz"
        if model.exists():
            outputs = call_with(system, items, options={"model": model}, train_on=None, seed=0)
            scores = np.concatenate([output.value.scores for output in outputs])
            yield name, PrecisionRecallCurve.of(scores, labels).best().f


def papers(data: Path) -> Iterator[str]:
    """Yield the row of the paper's table 1 that its published data rebuilds, as lines of text."""
    rebuilt = survey(data / "human_baseline.json")
    yield "Huber et al. 2018, table 1, human survey: F* 28.53 % published"
    each = ", ".join(f"{100 * f:.2f}" for f in rebuilt["subjects"])
    yield f"  rebuilt from {len(rebuilt['subjects'])} subjects: {each}"
    yield f"  macro mean {100 * rebuilt['macro']:.3f} %, micro {100 * rebuilt['micro']:.2f} %"
    labelled = survey_sentences(data / "human_baseline.json")
    swapped = sum(map(sum, labelled.labels))
    yield f"  models on its {len(labelled.passages)} sentences, {swapped} replaced words, best F:"
    yield "  published: language model 8.65, classifier 13.43"
    for name, best in (*network_scores(labelled, data), *sentence_scores(labelled)):
        yield f"  {name} {100 * best:.2f}"
