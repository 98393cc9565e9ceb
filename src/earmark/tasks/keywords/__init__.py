"""Personal wake words: a device that wakes to its owner's own keyword, and to nothing else."""

from earmark.task.task import Task
from earmark.tasks.keywords.ask import RECORDING
from earmark.tasks.keywords.files import measure_folders, read_outputs
from earmark.tasks.keywords.make.prompts import make_prompts
from earmark.tasks.keywords.make.trials import make_trials
from earmark.tasks.keywords.reconcile import by_listeners
from earmark.tasks.keywords.report import draw_speakers, draw_trade_off, draw_warping
from earmark.tasks.keywords.run.auto import auto
from earmark.tasks.keywords.run.template import template
from earmark.tasks.keywords.run.window import window
from earmark.tasks.keywords.score import (
    det_points,
    false_alarm_rate,
    lowest_score,
    miss_rate,
    wake_score,
)
from earmark.tasks.keywords.tour import TOUR
from earmark.tasks.keywords.train import train_auto
from earmark.tasks.keywords.values import (
    Heard,
    Recording,
    Screening,
    Takes,
    Trial,
    Verdict,
)
from earmark.values.paper import Paper

__all__ = [
    "TASK",
    "Trial",
    "Verdict",
    "det_points",
    "false_alarm_rate",
    "lowest_score",
    "miss_rate",
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

TASK = Task(
    name="keywords",
    title="Personal wake words from five recordings",
    asks="Did this speaker say their own keyword?",
    paper=PAPER,
    kinds=(Trial, Verdict, Recording, Heard, Screening, Takes),
    make={"trials": make_trials, "prompts": make_prompts},
    ask=RECORDING,
    reconcile={"listeners": by_listeners},
    run={"auto": auto, "template": template, "window": window},
    train={"auto": train_auto},
    score={
        "wake_score": wake_score,
        "miss_rate": miss_rate,
        "false_alarm_rate": false_alarm_rate,
    },
    report={
        "speakers": draw_speakers,
        "trade-off": draw_trade_off,
        "warping": draw_warping,
    },
    measure=measure_folders,
    outputs=read_outputs,
    tour=TOUR,
    examples={
        "make": "earmark make keywords wake --recordings recordings",
        "measure": "earmark measure keywords --reference labels --output predictions",
        "train": "earmark train keywords auto --recordings recordings --out model",
    },
)
