"""Personal wake words: a device that wakes to its owner's own keyword, and to nothing else."""

from typing import TYPE_CHECKING

from earmark.task.slot import Late, Slot, attributes
from earmark.task.task import Task
from earmark.tasks.keywords.ask.judging import PEOPLE, VerdictPosterior
from earmark.tasks.keywords.ask.recording import RECORDING
from earmark.tasks.keywords.files import measure_folders, speakers
from earmark.tasks.keywords.given import given
from earmark.tasks.keywords.run.outputs import read_outputs
from earmark.tasks.keywords.tour import TOUR
from earmark.tasks.keywords.values import Heard, Recording, Screening, Takes, Trial, Verdict
from earmark.values.paper import Paper

if TYPE_CHECKING:
    from earmark.tasks.keywords.files import read_challenge, read_label_folder, read_predictions
    from earmark.tasks.keywords.score.curve import det_points, lowest_score
    from earmark.tasks.keywords.score.operating import misses_at_false_alarms
    from earmark.tasks.keywords.score.wake import false_alarm_rate, miss_rate, wake_score

__all__ = [
    "TASK",
    "Trial",
    "Verdict",
    "det_points",
    "false_alarm_rate",
    "lowest_score",
    "miss_rate",
    "misses_at_false_alarms",
    "read_challenge",
    "read_label_folder",
    "read_predictions",
    "wake_score",
]

PAPER = Paper(
    key="wang2021autokws",
    authors="Jingsong Wang and Yuxuan He and Chunyu Zhao and Qijie Shao and Wei-Wei Tu and Tom Ko "
    "and Hung-yi Lee and Lei Xie",
    title="Auto-KWS 2021 Challenge: Task, Datasets, and Baselines",
    venue="Interspeech",
    year=2021,
)

MAKERS = Slot(
    __name__,
    {
        "trials": "make.trials.make_trials",
        "prompts": "make.prompts.make_prompts",
    },
)
METHODS = Slot(
    __name__,
    {
        "listeners": "reconcile.by_listeners",
        "majority": "reconcile.by_majority",
    },
)
SYSTEMS = Slot(
    __name__,
    {
        "auto": "run.auto.auto",
        "template": "run.template.template",
        "window": "run.window.window",
    },
)
TRAINERS = Slot(
    __name__,
    {
        "auto": "train.train_auto",
    },
)
METRICS = Slot(
    __name__,
    {
        "wake_score": "score.wake.wake_score",
        "miss_rate": "score.wake.miss_rate",
        "false_alarm_rate": "score.wake.false_alarm_rate",
        "misses_at_false_alarms": "score.operating.misses_at_false_alarms",
    },
)
PICTURES = Slot(
    __name__,
    {
        "speakers": "report.speakers.draw_speakers",
        "trade-off": "report.trade_off.draw_trade_off",
        "warping": "report.warping.draw_warping",
    },
)
EXPORTERS = Slot(
    __name__,
    {
        "auto-kws": "formats.export.AUTO_KWS",
        "label-studio": "formats.listening.LABEL_STUDIO",
        "mturk": "formats.listening.MTURK",
        "prolific": "formats.export.PROLIFIC",
    },
)
ROWS = Slot(
    __name__,
    {
        "references": "formats.export.trial_rows",
        "outputs": "formats.export.verdict_rows",
        "questions": "formats.export.question_rows",
        "answers": "formats.export.answer_rows",
    },
)

TASK = Task(
    name="keywords",
    title="Personal wake words from five recordings",
    asks="Did this speaker say their own keyword?",
    paper=PAPER,
    kinds=(Trial, Verdict, Recording, Heard, Screening, Takes),
    posteriors=(VerdictPosterior,),
    make=MAKERS,
    ask=RECORDING,
    reconcile=METHODS,
    run=SYSTEMS,
    train=TRAINERS,
    score=METRICS,
    report=PICTURES,
    export=EXPORTERS,
    rows=ROWS,
    measure=measure_folders,
    given=given,
    outputs=read_outputs,
    choices={
        "wake_score": {"penalty": (1.0, 3.0, 9.0, 27.0)},
        "misses_at_false_alarms": {"false_alarms": (0.001, 0.01, 0.05)},
    },
    titles={"misses_at_false_alarms": "misses at 1 % false alarms"},
    tour=TOUR,
    groups={"speaker": speakers},
    parent="speaker",
    people=PEOPLE,
    submission=Late(__name__, "formats.contract.contract"),
    examples={
        "make": "earmark make keywords wake --recordings recordings",
        "measure": "earmark measure keywords --reference labels --output predictions",
        "train": "earmark train keywords auto --study wake --out model",
    },
)

__getattr__ = attributes(
    __name__,
    METRICS,
    det_points="score.curve.det_points",
    lowest_score="score.curve.lowest_score",
    read_challenge="files.read_challenge",
    read_label_folder="files.read_label_folder",
    read_predictions="files.read_predictions",
)


def __dir__() -> list[str]:
    """Return the public names, for tab completion."""
    return sorted(__all__)
