"""Events: which sounds are active when? From a crowd's weak answers to strong labels, scored."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from earmark.task.task import Task
from earmark.tasks.events.ask.question import QUESTION
from earmark.tasks.events.make.soundscapes import make_soundscapes
from earmark.tasks.events.measure import measure, read_outputs
from earmark.tasks.events.reconcile.files import reconcile_windows
from earmark.tasks.events.reconcile.methods import METHODS
from earmark.tasks.events.report import (
    draw_activity,
    draw_agreement,
    draw_competence,
    draw_labels,
    draw_psd_roc,
    draw_timeline,
)
from earmark.tasks.events.run.crnn import crnn
from earmark.tasks.events.run.energy import energy
from earmark.tasks.events.run.labels import labels
from earmark.tasks.events.score.collars import event_f1
from earmark.tasks.events.score.intersections import intersection_f1
from earmark.tasks.events.score.psds import psds, psds_2
from earmark.tasks.events.score.segments import (
    segment_error_rate,
    segment_f1,
    segment_precision,
    segment_recall,
)
from earmark.tasks.events.score.tags import tag_f1, tag_precision, tag_recall
from earmark.tasks.events.tour import TOUR
from earmark.tasks.events.train import train_crnn
from earmark.tasks.events.values import Event, FrameScores, Tags, Timeline, timeline
from earmark.values.paper import Paper

if TYPE_CHECKING:
    from earmark.score.metric import Metric

__all__ = [
    "TASK", "Event", "FrameScores", "Tags", "Timeline", "event_f1", "intersection_f1", "psds",
    "psds_2", "reconcile_windows", "segment_error_rate", "segment_f1", "segment_precision",
    "segment_recall", "tag_f1", "tag_precision", "tag_recall", "timeline",
]  # fmt: skip

PAPER = Paper(
    key="martinmorato2021crowdsourcing",
    authors="Martín-Morató, Irene and Harju, Manu and Mesaros, Annamaria",
    title="Crowdsourcing Strong Labels for Sound Event Detection",
    venue="IEEE Workshop on Applications of Signal Processing to Audio and Acoustics (WASPAA)",
    year=2021,
)
MACE = Paper(
    key="hovy2013learning",
    authors="Hovy, Dirk and Berg-Kirkpatrick, Taylor and Vaswani, Ashish and Hovy, Eduard",
    title="Learning Whom to Trust with MACE",
    venue="Proceedings of NAACL-HLT, 1120-1130",
    year=2013,
)
SKENE = Paper(
    key="dawid1979maximum",
    authors="Dawid, A. Philip and Skene, Allan M.",
    title="Maximum Likelihood Estimation of Observer Error-Rates Using the EM Algorithm",
    venue="Journal of the Royal Statistical Society C 28, 20-28",
    year=1979,
)
SEGMENTS = Paper(
    key="mesaros2016metrics",
    authors="Mesaros, Annamaria and Heittola, Toni and Virtanen, Tuomas",
    title="Metrics for Polyphonic Sound Event Detection",
    venue="Applied Sciences 6(6), 162",
    year=2016,
)
PSDS = Paper(
    key="bilen2020framework",
    authors="Bilen, Çağdaş and Ferroni, Giacomo and Tuveri, Francesco and Azcarreta, Juan and "
    "Krstulović, Sacha",
    title="A Framework for the Robust Evaluation of Sound Event Detection",
    venue="IEEE International Conference on Acoustics, Speech and Signal Processing, 61-65",
    year=2020,
)
SEGMENT_METRICS: dict[str, Callable[..., "Metric"]] = {
    "segment_f1": segment_f1,
    "segment_error_rate": segment_error_rate,
    "segment_precision": segment_precision,
    "segment_recall": segment_recall,
    "event_f1": event_f1,
}

TASK = Task(
    name="events",
    title="Sound events in street recordings",
    asks="Which sounds are active when?",
    paper=PAPER,
    kinds=(Event, FrameScores, Tags, Timeline),
    make={"soundscapes": make_soundscapes},
    ask=QUESTION,
    reconcile=METHODS,
    run={"crnn": crnn, "energy": energy, "labels": labels},
    train={"crnn": train_crnn},
    score={
        **SEGMENT_METRICS,
        "intersection_f1": intersection_f1,
        "psds": psds,
        "psds_2": psds_2,
        "tag_f1": tag_f1,
        "tag_precision": tag_precision,
        "tag_recall": tag_recall,
    },
    reconcile_files=reconcile_windows,
    report={
        "timeline": draw_timeline,
        "labels": draw_labels,
        "competence": draw_competence,
        "agreement": draw_agreement,
        "activity": draw_activity,
        "psd-roc": draw_psd_roc,
    },
    measure=measure,
    outputs=read_outputs,
    learns_within=frozenset({"crnn", "energy"}),
    cites={
        "mace": MACE,
        "trusted": MACE,
        "dawid-skene": SKENE,
        **dict.fromkeys(SEGMENT_METRICS, SEGMENTS),
        "intersection_f1": PSDS,
        "psds": PSDS,
        "psds_2": PSDS,
    },
    tour=TOUR,
)
