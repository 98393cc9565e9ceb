"""Context: which word does not belong here.

Huber, Niehues and Waibel (2018) swap nouns that a passage leans on and ask systems and people to
find them. This folder makes such passages with exact labels, asks people, runs the paper's
baselines and our own detector, and scores them all on one scale.
"""

from typing import TYPE_CHECKING

from earmark.task.slot import Late, Slot, attributes
from earmark.task.task import Task, each_by_itself
from earmark.tasks.context.ask import SURVEY
from earmark.tasks.context.files import measure, read_outputs
from earmark.tasks.context.given import given
from earmark.tasks.context.papers import PAPER, papers
from earmark.tasks.context.people import PEOPLE
from earmark.tasks.context.posterior import FlagPosterior
from earmark.tasks.context.tour import TOUR
from earmark.tasks.context.values import KINDS, talks

if TYPE_CHECKING:
    from earmark.tasks.context.files import change_line, read_truth, truth_line
    from earmark.tasks.context.make.corrupt import corrupt, rebuild
    from earmark.tasks.context.make.documents import document, read_documents
    from earmark.tasks.context.make.recipe import CorruptionRecipe, recipe_of
    from earmark.tasks.context.papers import survey
    from earmark.tasks.context.score.words import (
        average_precision,
        best_f,
        contrastive,
        f_at_dev_threshold,
        perplexity,
    )
    from earmark.tasks.context.values import Choice, Flags, Passage, Scores, Swap, Swaps

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
    "read_truth",
    "rebuild",
    "recipe_of",
    "survey",
    "truth_line",
]


MAKERS = Slot(
    __name__,
    {
        "corrupted": "make.corrupted.make_corrupted",
        "three-ways": "make.three_ways.make_three_ways",
        "mixed": "make.three_ways.make_mixed",
        "rebuilt": "make.rebuilt.make_rebuilt",
        "labelled": "make.labelled.make_labelled",
    },
)
METHODS = Slot(
    __name__,
    {
        "majority": "reconcile.by_majority",
        "share": "reconcile.by_share",
        "union": "reconcile.by_union",
    },
)
SYSTEMS = Slot(
    __name__,
    {
        "discourse": "run.discourse.system.discourse",
        "discourse-lm": "run.far.system.discourse_lm",
        "local": "run.discourse.system.local",
        "language-model": "run.language_model.language_model",
        "classifier": "run.classifier.classifier",
        "ngrams": "run.ngrams.ngrams",
        "pretrained": "run.pretrained.pretrained",
        "said-once": "run.said_once.said_once",
    },
)
TRAINERS = Slot(
    __name__,
    {
        "discourse": "train.discourse.train_discourse",
        "discourse-lm": "train.far.train_discourse_lm",
        "classifier": "train.lstm.train_classifier",
        "language-model": "train.lstm.train_language_model",
        "ngrams": "train.ngrams.train_ngrams",
        "tagger": "train.tagger.train_tagger",
    },
)
METRICS = Slot(
    __name__,
    {
        "best_f": "score.words.best_f",
        "f_at_dev_threshold": "score.words.f_at_dev_threshold",
        "average_precision": "score.words.average_precision",
        "perplexity": "score.words.perplexity",
        "contrastive": "score.words.contrastive",
    },
)
PICTURES = Slot(
    __name__,
    {
        "passage": "report.passage.draw_passage",
        "curves": "report.quality.draw_curves",
        "quartiles": "report.quality.draw_quartiles",
        "quality": "report.quality.draw_quality",
        "difficulty": "report.difficulty.draw_difficulty",
    },
)
EXPORTERS = Slot(
    __name__,
    {
        "tokens": "formats.export.TOKENS",
        "mturk": "formats.export.MTURK",
        "prolific": "formats.export.PROLIFIC",
        "label-studio": "formats.export.LABEL_STUDIO",
    },
)
ROWS = Slot(
    __name__,
    {
        "answers": "formats.export.answer_rows",
        "questions": "formats.export.question_rows",
        "brief": "formats.export.brief_rows",
    },
)

# F1 is the paper's; detection of grammatical errors weighs precision twice (F0.5), where a missed
# word costs more than a false one F2 is used.
BETAS: dict[str, tuple[object, ...]] = {"beta": (0.5, 1.0, 2.0)}
CHOICES: dict[str, dict[str, tuple[object, ...]]] = {"best_f": BETAS, "f_at_dev_threshold": BETAS}
TITLES = {
    "f_at_dev_threshold": "F at a threshold from other data",
    "contrastive": "Contrastive accuracy",
}

TASK = Task(
    name="context",
    title="Words out of context",
    asks="Which word does not belong here?",
    paper=PAPER,
    kinds=KINDS,
    posteriors=(FlagPosterior,),
    make=MAKERS,
    ask=SURVEY,
    reconcile=METHODS,
    run=SYSTEMS,
    train=TRAINERS,
    score=METRICS,
    titles=TITLES,
    report=PICTURES,
    export=EXPORTERS,
    rows=ROWS,
    choices=CHOICES,
    measure=measure,
    given=given,
    outputs=read_outputs,
    people=PEOPLE,
    papers=papers,
    submission=Late(__name__, "formats.contract.contract"),
    tour=TOUR,
    groups={"passage": each_by_itself, "talk": talks},
    parent="talk",
    examples={
        "make": "earmark make context talks --text talks.jsonl --swaps 2\n"
        "earmark make context mine --reference truth.jsonl",
        "measure": "earmark measure context --reference truth.jsonl --output scores.jsonl",
        "train": "earmark train context ngrams --study talks --out model.npz",
    },
)

__getattr__ = attributes(
    __name__,
    METRICS,
    change_line="files.change_line",
    truth_line="files.truth_line",
    corrupt="make.corrupt.corrupt",
    rebuild="make.corrupt.rebuild",
    document="make.documents.document",
    read_documents="make.documents.read_documents",
    CorruptionRecipe="make.recipe.CorruptionRecipe",
    recipe_of="make.recipe.recipe_of",
    survey="papers.survey",
    Choice="values.Choice",
    Flags="values.Flags",
    Passage="values.Passage",
    Scores="values.Scores",
    Swap="values.Swap",
    Swaps="values.Swaps",
    read_truth="files.read_truth",
)


def __dir__() -> list[str]:
    """Return the public names, for tab completion."""
    return sorted(__all__)
