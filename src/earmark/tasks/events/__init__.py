"""Events: which sounds are active when? From a crowd's weak answers to strong labels, scored."""

from typing import TYPE_CHECKING

from earmark.task.slot import Late, Slot, attributes
from earmark.task.task import Task, each_by_itself
from earmark.tasks.events.ask.question import QUESTION
from earmark.tasks.events.people import PEOPLE
from earmark.tasks.events.reconcile.posteriors import (
    OpinionPosterior,
    PathPosterior,
    TagPosterior,
)
from earmark.tasks.events.tour import TOUR
from earmark.tasks.events.values import Event, FrameScores, Tags, Timeline
from earmark.values.paper import Paper

if TYPE_CHECKING:
    from earmark.tasks.events.files import read_durations, read_events, read_jams
    from earmark.tasks.events.frame_files import read_scores
    from earmark.tasks.events.reconcile.files import reconcile_windows
    from earmark.tasks.events.score.collars import event_f1
    from earmark.tasks.events.score.intersections import intersection_f1
    from earmark.tasks.events.score.psds import psds, psds_2
    from earmark.tasks.events.score.segments import (
        segment_error_rate,
        segment_f1,
        segment_precision,
        segment_recall,
    )
    from earmark.tasks.events.score.soft import soft_f1
    from earmark.tasks.events.score.tags import tag_f1, tag_precision, tag_recall
    from earmark.tasks.events.values import timeline

__all__ = [
    "TASK",
    "Event",
    "FrameScores",
    "Tags",
    "Timeline",
    "event_f1",
    "intersection_f1",
    "psds",
    "psds_2",
    "read_durations",
    "read_events",
    "read_jams",
    "read_scores",
    "reconcile_windows",
    "segment_error_rate",
    "segment_f1",
    "segment_precision",
    "segment_recall",
    "soft_f1",
    "tag_f1",
    "tag_precision",
    "tag_recall",
    "timeline",
]

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
HMM_CROWD = Paper(
    key="nguyen2017aggregating",
    authors="Nguyen, An Thanh and Wallace, Byron C. and Li, Junyi Jessy and Nenkova, Ani and "
    "Lease, Matthew",
    title="Aggregating and Predicting Sequence Labels from Crowd Annotations",
    venue="Proceedings of ACL, 299-309",
    year=2017,
)
BSC = Paper(
    key="simpson2019bayesian",
    authors="Simpson, Edwin and Gurevych, Iryna",
    title="A Bayesian Approach for Sequence Tagging with Crowds",
    venue="Proceedings of EMNLP-IJCNLP, 1093-1104",
    year=2019,
)
SEGMENTS = Paper(
    key="mesaros2016metrics",
    authors="Mesaros, Annamaria and Heittola, Toni and Virtanen, Tuomas",
    title="Metrics for Polyphonic Sound Event Detection",
    venue="Applied Sciences 6(6), 162",
    year=2016,
)
SOFT = Paper(
    key="martinmorato2023training",
    authors="Martín-Morató, Irene and Harju, Manu and Ahokas, Paul and Mesaros, Annamaria",
    title="Training Sound Event Detection with Soft Labels from Crowdsourced Annotations",
    venue="IEEE International Conference on Acoustics, Speech and Signal Processing",
    year=2023,
)
PSDS = Paper(
    key="bilen2020framework",
    authors="Bilen, Çağdaş and Ferroni, Giacomo and Tuveri, Francesco and Azcarreta, Juan and "
    "Krstulović, Sacha",
    title="A Framework for the Robust Evaluation of Sound Event Detection",
    venue="IEEE International Conference on Acoustics, Speech and Signal Processing, 61-65",
    year=2020,
)
SEGMENT_METRICS = (
    "segment_f1",
    "segment_error_rate",
    "segment_precision",
    "segment_recall",
    "event_f1",
)

MAKERS = Slot(
    __name__,
    {
        "soundscapes": "make.soundscapes.make_soundscapes",
        "recordings": "make.recordings.make_recordings",
    },
)
METHODS = Slot(
    __name__,
    {
        "mace": "reconcile.methods.by_mace",
        "majority": "reconcile.methods.by_majority",
        "union": "reconcile.methods.by_union",
        "share": "reconcile.methods.by_share",
        "trusted": "reconcile.methods.by_trusted",
        "dawid-skene": "reconcile.methods.by_dawid_skene",
        "window-hmm": "reconcile.methods.by_window_hmm",
        "hmm-crowd": "reconcile.sequence_methods.by_hmm_crowd",
        "bsc": "reconcile.sequence_methods.by_bsc",
    },
)
SYSTEMS = Slot(
    __name__,
    {
        "crnn": "run.crnn.crnn",
        "energy": "run.energy.energy",
        "silent": "run.floors.silent",
        "frequent": "run.floors.frequent",
        "loud": "run.floors.loud",
        "labels": "run.labels.labels",
    },
)
TRAINERS = Slot(
    __name__,
    {
        "crnn": "train.train_crnn",
        "energy": "train.train_energy",
        "frequent": "train.train_frequent",
        "loud": "train.train_loud",
    },
)
METRICS = Slot(
    __name__,
    {
        "segment_f1": "score.segments.segment_f1",
        "segment_error_rate": "score.segments.segment_error_rate",
        "segment_precision": "score.segments.segment_precision",
        "segment_recall": "score.segments.segment_recall",
        "event_f1": "score.collars.event_f1",
        "intersection_f1": "score.intersections.intersection_f1",
        "psds": "score.psds.psds",
        "psds_2": "score.psds.psds_2",
        "soft_f1": "score.soft.soft_f1",
        "tag_f1": "score.tags.tag_f1",
        "tag_precision": "score.tags.tag_precision",
        "tag_recall": "score.tags.tag_recall",
    },
)
PICTURES = Slot(
    __name__,
    {
        "timeline": "report.timeline.draw_timeline",
        "labels": "report.labels.draw_labels",
        "competence": "report.people.draw_competence",
        "agreement": "report.people.draw_agreement",
        "activity": "report.people.draw_activity",
        "psd-roc": "report.labels.draw_psd_roc",
    },
)
EXPORTERS = Slot(
    __name__,
    {
        "dcase": "formats.export.DCASE",
        "jams": "formats.export.JAMS",
        "audacity": "formats.export.AUDACITY",
        "textgrid": "formats.export.TEXTGRID",
        "elan": "formats.export.ELAN",
        "rttm": "formats.export.RTTM",
        "maestro": "formats.export.MAESTRO",
        "mturk": "formats.questions.MTURK",
        "prolific": "formats.questions.PROLIFIC",
        "label-studio": "formats.questions.LABEL_STUDIO",
    },
)
ROWS = Slot(
    __name__,
    {
        "references": "formats.export.event_rows",
        "outputs": "formats.export.event_rows",
        "answers": "formats.export.answer_rows",
        "questions": "formats.questions.question_rows",
    },
)

# Segment lengths and collars of the field's challenges and toolkits; detection and coverage as the
# paper varies them (0.7 and 0.1), with the half of the challenges between them.
OF_SEGMENTS: dict[str, tuple[object, ...]] = {
    "seconds": (0.1, 0.5, 1.0, 2.0),
    "average": ("micro", "macro"),
}
CHOICES: dict[str, dict[str, tuple[object, ...]]] = {
    **{name: OF_SEGMENTS for name in SEGMENT_METRICS if name != "event_f1"},
    "event_f1": {"collar": (0.1, 0.2, 0.5), "offsets": (True, False)},
    "intersection_f1": {"detection": (0.1, 0.5, 0.7), "coverage": (0.1, 0.5, 0.7)},
}

TITLES = {
    "psds": "PSDS 1",
    "psds_2": "PSDS 2",
}

TASK = Task(
    name="events",
    title="Sound events in recordings",
    asks="Which sounds are active when?",
    paper=PAPER,
    kinds=(Event, FrameScores, Tags, Timeline),
    posteriors=(TagPosterior, OpinionPosterior, PathPosterior),
    make=MAKERS,
    ask=QUESTION,
    reconcile=METHODS,
    run=SYSTEMS,
    train=TRAINERS,
    score=METRICS,
    titles=TITLES,
    reconcile_files=Late(__name__, "reconcile.files.reconcile_windows"),
    report=PICTURES,
    export=EXPORTERS,
    rows=ROWS,
    measure=Late(__name__, "measure.measure"),
    given=Late(__name__, "given.given"),
    outputs=Late(__name__, "run.outputs.read_outputs"),
    people=PEOPLE,
    learns_within=frozenset({"crnn", "energy", "frequent", "loud"}),
    cites={
        "mace": MACE,
        "trusted": MACE,
        "dawid-skene": SKENE,
        "hmm-crowd": HMM_CROWD,
        "bsc": BSC,
        **dict.fromkeys(SEGMENT_METRICS, SEGMENTS),
        "intersection_f1": PSDS,
        "soft_f1": SOFT,
        "psds": PSDS,
        "psds_2": PSDS,
    },
    choices=CHOICES,
    submission=Late(__name__, "formats.contract.contract"),
    tour=TOUR,
    groups={"recording": each_by_itself},
    parent="recording",
    examples={
        "make": "earmark make events street --recordings 2 --seconds 60 --seed 7\n"
        "earmark make events mine --reference reference.tsv",
        "measure": "earmark measure events --reference reference.tsv --output output.tsv",
        "train": "earmark train events crnn --study street --epochs 2 --out model",
    },
)

__getattr__ = attributes(
    __name__,
    METRICS,
    timeline="values.timeline",
    read_durations="files.read_durations",
    read_events="files.read_events",
    read_jams="files.read_jams",
    read_scores="frame_files.read_scores",
    reconcile_windows="reconcile.files.reconcile_windows",
)


def __dir__() -> list[str]:
    """Return the public names, for tab completion."""
    return sorted(__all__)
