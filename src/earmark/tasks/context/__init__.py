"""Context: which word does not belong here.

Huber, Niehues and Waibel (2018) swap nouns that a passage leans on and ask systems and people to
find them. This folder makes such passages with exact labels, asks people, runs the paper's
baselines and our own detector, and scores them all on one scale.
"""

from earmark.task.task import Task
from earmark.tasks.context.ask import SURVEY
from earmark.tasks.context.files import change_line, measure, read_outputs, truth_line
from earmark.tasks.context.make.corrupt import corrupt, rebuild
from earmark.tasks.context.make.corrupted import make_corrupted
from earmark.tasks.context.make.documents import document, read_documents
from earmark.tasks.context.make.rebuilt import make_rebuilt
from earmark.tasks.context.make.recipe import CorruptionRecipe, recipe_of
from earmark.tasks.context.make.three_ways import make_three_ways
from earmark.tasks.context.papers import PAPER, papers, survey
from earmark.tasks.context.reconcile import by_majority, by_share, by_union, people
from earmark.tasks.context.report import (
    draw_curves,
    draw_difficulty,
    draw_passage,
    draw_quality,
    draw_quartiles,
)
from earmark.tasks.context.run.classifier import classifier
from earmark.tasks.context.run.discourse.system import discourse, local
from earmark.tasks.context.run.language_model import language_model
from earmark.tasks.context.run.ngrams import ngrams
from earmark.tasks.context.run.pretrained import pretrained
from earmark.tasks.context.score.words import (
    average_precision,
    best_f,
    contrastive,
    f_at_dev_threshold,
    perplexity,
)
from earmark.tasks.context.tour import TOUR
from earmark.tasks.context.train.discourse import train_discourse
from earmark.tasks.context.train.lstm import train_classifier, train_language_model
from earmark.tasks.context.train.ngrams import train_ngrams
from earmark.tasks.context.train.tagger import train_tagger
from earmark.tasks.context.values import KINDS, Choice, Flags, Passage, Scores, Swap, Swaps

TASK = Task(
    name="context",
    title="Words out of context",
    asks="Which word does not belong here?",
    paper=PAPER,
    kinds=KINDS,
    make={"corrupted": make_corrupted, "three-ways": make_three_ways, "rebuilt": make_rebuilt},
    ask=SURVEY,
    reconcile={"majority": by_majority, "share": by_share, "union": by_union},
    run={
        "discourse": discourse,
        "local": local,
        "language-model": language_model,
        "classifier": classifier,
        "ngrams": ngrams,
        "pretrained": pretrained,
    },
    train={
        "discourse": train_discourse,
        "classifier": train_classifier,
        "language-model": train_language_model,
        "ngrams": train_ngrams,
        "tagger": train_tagger,
    },
    score={
        "best_f": best_f,
        "f_at_dev_threshold": f_at_dev_threshold,
        "average_precision": average_precision,
        "perplexity": perplexity,
        "contrastive": contrastive,
    },
    report={
        "passage": draw_passage,
        "curves": draw_curves,
        "quartiles": draw_quartiles,
        "quality": draw_quality,
        "difficulty": draw_difficulty,
    },
    measure=measure,
    outputs=read_outputs,
    people=people,
    papers=papers,
    tour=TOUR,
    examples={
        "make": "earmark make context talks --text talks.jsonl --swaps 2",
        "measure": "earmark measure context --reference truth.jsonl --output scores.jsonl",
        "train": "earmark train context ngrams --text talks.jsonl --out model.npz",
    },
)

__all__ = [
    "PAPER",
    "TASK",
    "Choice",
    "CorruptionRecipe",
    "Flags",
    "Passage",
    "Scores",
    "Swap",
    "Swaps",
    "average_precision",
    "best_f",
    "change_line",
    "contrastive",
    "corrupt",
    "document",
    "f_at_dev_threshold",
    "perplexity",
    "read_documents",
    "rebuild",
    "recipe_of",
    "survey",
    "truth_line",
]
