"""Boundaries: where a sentence ends in a transcript.

WiSeBE and its peers, in linear time; texts in every format that recognisers and annotators
write; two networks and a baseline that predict where sentences end.
"""

from earmark.task.task import Task
from earmark.tasks.boundaries.ask import QUESTION
from earmark.tasks.boundaries.make import make_transcripts
from earmark.tasks.boundaries.measure import measure
from earmark.tasks.boundaries.papers import rebuild
from earmark.tasks.boundaries.reconcile import (
    by_consensus,
    by_panel,
    by_windows,
    people_as_systems,
)
from earmark.tasks.boundaries.report import (
    draw_baselines,
    draw_correlations,
    draw_limits,
    draw_marks,
)
from earmark.tasks.boundaries.run.outputs import read_outputs
from earmark.tasks.boundaries.run.pauses import pauses
from earmark.tasks.boundaries.run.systems import cnn, gru
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
from earmark.tasks.boundaries.tour import TOUR
from earmark.tasks.boundaries.train import train_cnn, train_gru
from earmark.tasks.boundaries.values import Boundaries, Panel, Transcript
from earmark.values.paper import Paper

__all__ = [
    "TASK", "Boundaries", "Panel", "Transcript", "agreement_ratio", "boundary_similarity",
    "consensus_f1", "fleiss_kappa", "lenient_error_rate", "matched_f1", "mean_f1",
    "mean_precision", "mean_recall", "pk", "segmentation_similarity", "slot_error_rate", "soft_f1",
    "tool_soft", "window_diff", "window_f1", "window_precision", "window_recall", "wisebe",
]  # fmt: skip

PAPER = Paper(
    key="gonzalezgallardo2018wisebe",
    authors="Carlos-Emiliano González-Gallardo and Juan-Manuel Torres-Moreno",
    title="WiSeBE: Window-Based Sentence Boundary Evaluation",
    venue="Advances in Computational Intelligence (MICAI), LNAI 11289, 119-131",
    year=2018,
)

TASK = Task(
    name="boundaries",
    title="Sentence boundaries in transcripts",
    asks="Where does a sentence end in a transcript?",
    paper=PAPER,
    kinds=(Transcript, Boundaries, Panel),
    make={"transcripts": make_transcripts},
    ask=QUESTION,
    reconcile={"panel": by_panel, "consensus": by_consensus, "windows": by_windows},
    run={"cnn": cnn, "gru": gru, "pauses": pauses},
    train={"cnn": train_cnn, "gru": train_gru},
    score={
        "wisebe": wisebe,
        "window_f1": window_f1,
        "window_precision": window_precision,
        "window_recall": window_recall,
        "agreement_ratio": agreement_ratio,
        "fleiss_kappa": fleiss_kappa,
        "mean_f1": mean_f1,
        "mean_precision": mean_precision,
        "mean_recall": mean_recall,
        "pk": pk,
        "window_diff": window_diff,
        "boundary_similarity": boundary_similarity,
        "segmentation_similarity": segmentation_similarity,
        "slot_error_rate": slot_error_rate,
        "lenient_error_rate": lenient_error_rate,
        "consensus_f1": consensus_f1,
        "matched_f1": matched_f1,
        "soft_f1": soft_f1,
        "tool_soft": tool_soft,
    },
    report={
        "marks": draw_marks,
        "limits": draw_limits,
        "baselines": draw_baselines,
        "correlations": draw_correlations,
    },
    measure=measure,
    outputs=read_outputs,
    people=people_as_systems,
    papers=rebuild,
    tour=TOUR,
    examples={
        "make": "earmark make boundaries talks --text speech.txt --seed 7",
        "measure": "earmark measure boundaries --reference a.txt --reference b.txt "
        "--output guess.txt",
        "train": "earmark train boundaries cnn --text speech.txt --epochs 2 --out model",
    },
)
