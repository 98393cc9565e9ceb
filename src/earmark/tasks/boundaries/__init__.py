"""Boundaries: where a sentence ends in a transcript.

WiSeBE and its peers, in linear time; texts in every format that recognisers and annotators
write; two networks and a baseline that predict where sentences end.
"""

from typing import TYPE_CHECKING

from earmark.task.slot import Late, Slot, attributes
from earmark.task.task import Task, each_by_itself
from earmark.tasks.boundaries.ask import QUESTION
from earmark.tasks.boundaries.given import given
from earmark.tasks.boundaries.measure import measure
from earmark.tasks.boundaries.papers import rebuild
from earmark.tasks.boundaries.reconcile import PEOPLE
from earmark.tasks.boundaries.run.outputs import read_outputs
from earmark.tasks.boundaries.score.describe import describe
from earmark.tasks.boundaries.tour import TOUR
from earmark.tasks.boundaries.values import Boundaries, Panel, PanelPosterior, Transcript, talks
from earmark.values.paper import Paper

if TYPE_CHECKING:
    from earmark.tasks.boundaries.formats import read_texts
    from earmark.tasks.boundaries.score.agreement_metrics import agreement_ratio, fleiss_kappa
    from earmark.tasks.boundaries.score.segment_metrics import (
        boundary_similarity,
        pk,
        segmentation_similarity,
        window_diff,
    )
    from earmark.tasks.boundaries.score.soft_metrics import matched_f1, soft_f1, tool_soft
    from earmark.tasks.boundaries.score.window_metrics import (
        window_f1,
        window_precision,
        window_recall,
        wisebe,
    )
    from earmark.tasks.boundaries.score.word_metrics import (
        consensus_f1,
        lenient_error_rate,
        mean_f1,
        mean_precision,
        mean_recall,
        slot_error_rate,
    )

__all__ = [
    "TASK",
    "Boundaries",
    "Panel",
    "Transcript",
    "agreement_ratio",
    "boundary_similarity",
    "consensus_f1",
    "fleiss_kappa",
    "lenient_error_rate",
    "matched_f1",
    "mean_f1",
    "mean_precision",
    "mean_recall",
    "pk",
    "read_texts",
    "segmentation_similarity",
    "slot_error_rate",
    "soft_f1",
    "tool_soft",
    "window_diff",
    "window_f1",
    "window_precision",
    "window_recall",
    "wisebe",
]

PAPER = Paper(
    key="gonzalezgallardo2018wisebe",
    authors="Carlos-Emiliano González-Gallardo and Juan-Manuel Torres-Moreno",
    title="WiSeBE: Window-Based Sentence Boundary Evaluation",
    venue="Advances in Computational Intelligence (MICAI), LNAI 11289, 119-131",
    year=2018,
)

MAKERS = Slot(
    __name__,
    {
        "transcripts": "make.transcripts.make_transcripts",
    },
)
METHODS = Slot(
    __name__,
    {
        "panel": "reconcile.by_panel",
        "consensus": "reconcile.by_consensus",
        "windows": "reconcile.by_windows",
    },
)
SYSTEMS = Slot(
    __name__,
    {
        "cnn": "run.systems.cnn",
        "gru": "run.systems.gru",
        "committee": "run.systems.committee",
        "language-model": "run.language_model.language_model",
        "tagger": "run.tagger.tagger",
        "pauses": "run.pauses.pauses",
    },
)
TRAINERS = Slot(
    __name__,
    {
        "cnn": "train.train_cnn",
        "gru": "train.train_gru",
        "language-model": "train.train_language_model",
    },
)
METRICS = Slot(
    __name__,
    {
        "wisebe": "score.window_metrics.wisebe",
        "window_f1": "score.window_metrics.window_f1",
        "window_precision": "score.window_metrics.window_precision",
        "window_recall": "score.window_metrics.window_recall",
        "agreement_ratio": "score.agreement_metrics.agreement_ratio",
        "fleiss_kappa": "score.agreement_metrics.fleiss_kappa",
        "mean_f1": "score.word_metrics.mean_f1",
        "mean_precision": "score.word_metrics.mean_precision",
        "mean_recall": "score.word_metrics.mean_recall",
        "pk": "score.segment_metrics.pk",
        "window_diff": "score.segment_metrics.window_diff",
        "boundary_similarity": "score.segment_metrics.boundary_similarity",
        "segmentation_similarity": "score.segment_metrics.segmentation_similarity",
        "slot_error_rate": "score.word_metrics.slot_error_rate",
        "lenient_error_rate": "score.word_metrics.lenient_error_rate",
        "consensus_f1": "score.word_metrics.consensus_f1",
        "matched_f1": "score.soft_metrics.matched_f1",
        "soft_f1": "score.soft_metrics.soft_f1",
        "tool_soft": "score.soft_metrics.tool_soft",
    },
)
PICTURES = Slot(
    __name__,
    {
        "marks": "report.marks.draw_marks",
        "limits": "report.limits.draw_limits",
        "baselines": "report.baselines.draw_baselines",
        "correlations": "report.correlations.draw_correlations",
    },
)
EXPORTERS = Slot(
    __name__,
    {
        "lines": "formats.export.LINES",
        "text": "formats.export.TEXT",
        "labels": "formats.export.LABELS",
        "seg": "formats.export.SEG",
        "textgrid": "formats.export.TEXTGRID",
        "elan": "formats.export.ELAN",
        "rttm": "formats.export.RTTM",
        "ctm": "formats.export.CTM",
        "srt": "formats.export.SRT",
        "vtt": "formats.export.VTT",
        "whisper": "formats.export.WHISPER",
        "mturk": "formats.export.MTURK",
        "prolific": "formats.export.PROLIFIC",
        "label-studio": "formats.export.LABEL_STUDIO",
    },
)
ROWS = Slot(
    __name__,
    {
        "references": "formats.export.boundary_rows",
        "outputs": "formats.export.boundary_rows",
        "answers": "formats.export.answer_rows",
        "questions": "formats.export.question_rows",
    },
)

# The paper's limit is 2 and its tool's 3; the tool counts the end of the text, the paper does not.
OF_WORDS: dict[str, tuple[object, ...]] = {"final": ("exclude", "include")}
OF_WINDOWS: dict[str, tuple[object, ...]] = {"limit": (1, 2, 3, 4), **OF_WORDS}
CHOICES: dict[str, dict[str, tuple[object, ...]]] = {
    **dict.fromkeys(("wisebe", "window_f1", "window_precision", "window_recall"), OF_WINDOWS),
    **dict.fromkeys(("mean_f1", "mean_precision", "mean_recall", "slot_error_rate"), OF_WORDS),
    "consensus_f1": {"share": (0.34, 0.5, 0.67), **OF_WORDS},
}

TITLES = {
    "wisebe": "WiSeBE",
    "fleiss_kappa": "Fleiss' kappa",
    "pk": "Pk",
    "window_diff": "WindowDiff",
    "tool_soft": "Soft score of the authors' tool",
}

TASK = Task(
    name="boundaries",
    title="Sentence boundaries in transcripts",
    asks="Where does a sentence end in a transcript?",
    paper=PAPER,
    kinds=(Transcript, Boundaries, Panel),
    posteriors=(PanelPosterior,),
    make=MAKERS,
    ask=QUESTION,
    reconcile=METHODS,
    run=SYSTEMS,
    train=TRAINERS,
    score=METRICS,
    titles=TITLES,
    report=PICTURES,
    export=EXPORTERS,
    rows=ROWS,
    measure=measure,
    given=given,
    describe=describe,
    outputs=read_outputs,
    people=PEOPLE,
    papers=rebuild,
    choices=CHOICES,
    submission=Late(__name__, "formats.contract.contract"),
    tour=TOUR,
    groups={"text": each_by_itself, "talk": talks},
    parent="talk",
    examples={
        "make": "earmark make boundaries talks --text speech.txt --seed 7",
        "measure": "earmark measure boundaries --reference a.txt --reference b.txt "
        "--output guess.txt",
        "train": "earmark train boundaries cnn --text speech.txt --epochs 2 --out model",
    },
)

__getattr__ = attributes(__name__, METRICS, read_texts="formats.read_texts")


def __dir__() -> list[str]:
    """Return the public names, for tab completion."""
    return sorted(__all__)
