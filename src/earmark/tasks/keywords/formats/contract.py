"""Submissions to a keyword challenge: three scripts, called as Auto-KWS 2021 calls them."""

from collections.abc import Iterator
from functools import partial
from hashlib import sha256
from pathlib import Path

from earmark.files.sound import sound_seconds
from earmark.files.text import read_text
from earmark.task.contract import OUTPUT, WORK, Contract, Part, ScriptCall
from earmark.tasks.keywords.run.speakers import Speaker, speakers
from earmark.tasks.keywords.submission import SUBMISSIONS, write_submission
from earmark.tasks.keywords.values import Verdict
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.names import some
from earmark.values.output import Output

VERDICTS = {"0": False, "1": True}
FORMATS = """\
Your folder (or a zip of it) holds three scripts, which are called with bash:

- `initialize.sh`, once, without arguments. It may write into its own folder, and nowhere else.
- `enrollment.sh ENROLL WORK` for each speaker: `ENROLL` has the speaker's recordings `E001.wav` and
  so on, 16 kHz, mono, 16 bit; keep what you learn in `WORK`, which exists and is empty.
- `predict.sh TEST WORK OUTPUT` for each speaker: `TEST` has clips `T0001.wav` and so on, in no
  order that means anything; `WORK` is as enrolment left it. Write to the file `OUTPUT` one line per
  clip: its name, a blank or a tab, and 1 if the device wakes, 0 if it does not; a third column may
  hold a score. Every clip once, no other names.

Score: S = miss rate + 9 x false-alarm rate, the mean over speakers; lower is better.
"""


def speaker_parts(items: tuple[Item, ...], key: str) -> tuple[Part, ...]:
    """Return a part per speaker; clips are named and ordered by `key`, not by what they hold."""
    return tuple(_part(speaker, key) for speaker in speakers(items) if speaker.trials)


def _part(speaker: Speaker, key: str) -> Part:
    enrolment = _shuffled(speaker.enrolment, key)
    trials = _shuffled(speaker.trials, key)
    tests = {f"T{number:04d}{_suffix(item)}": item for number, item in enumerate(trials, start=1)}
    owns = {f"E{number:03d}{_suffix(item)}": item for number, item in enumerate(enrolment, start=1)}
    return Part(
        speaker.name,
        speaker.trials,
        {
            "enroll": {name: Path(item.media or "") for name, item in owns.items()},
            "test": {name: Path(item.media or "") for name, item in tests.items()},
        },
        {item.id: name for name, item in tests.items()},
        sum(sound_seconds(item.media or "") for item in speaker.trials),
    )


def _suffix(item: Item) -> str:
    return Path(item.media or "").suffix.lower()


def _shuffled(items: tuple[Item, ...], key: str) -> list[Item]:
    """Return items in an order that only the holder of the key can know."""
    return sorted(items, key=lambda item: sha256(f"{key}\n{item.id}".encode()).digest())


def read_verdict_lines(path: Path, part: Part) -> Iterator[Output[Verdict]]:
    """Return a verdict for every clip of a speaker; raise InputError for anything but that.

    Stricter than the challenge's own reader, which passes over names that it does not know and
    takes the last of two lines: both are signs of a mistake, and are told to its maker.
    """
    ids = {name: item for item, name in part.names.items()}
    by_stem = {Path(name).stem: item for name, item in ids.items()}
    verdicts: dict[str, Verdict] = {}
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        words = line.split()
        if not words:
            continue
        at = f"line {number}"
        if len(words) not in (2, 3) or words[1] not in VERDICTS:
            raise InputError("a line is a clip, and 0 or 1", at=at, got=line)
        item = ids.get(words[0], by_stem.get(words[0]))
        if item is None:
            raise InputError("a line names a clip that was not given", at=at, got=words[0])
        if item in verdicts:
            raise InputError("a clip has two verdicts", at=at, got=words[0])
        score = _score(words[2], at) if len(words) == 3 else None
        verdicts[item] = Verdict(VERDICTS[words[1]], score)
    missing = sorted(part.names[item] for item in part.names.keys() - verdicts.keys())
    if missing:
        raise InputError("every clip needs a verdict", got=f"none for {some(missing, 'clip')}")
    return iter([Output("", item, verdict, verdict.score) for item, verdict in verdicts.items()])


def _score(word: str, at: str) -> float:
    try:
        score = float(word)
    except ValueError:
        score = float("nan")
    if not abs(score) < float("inf"):
        raise InputError("a score is a finite number", at=at, got=word)
    return score


def never_wakes(part: Part, status: str) -> Iterator[Output[Verdict]]:
    """Return the verdicts of a speaker for whom the submission failed: the device never wakes."""
    verdict = Verdict(awake=False, status=f"failed: {status}")
    return (Output("", item.id, verdict) for item in part.items)


def contract() -> Contract:
    """Return how submissions to a keyword challenge are run."""
    return Contract(
        calls=(
            ScriptCall("enroll", "enrollment.sh", ("enroll", WORK)),
            ScriptCall("predict", "predict.sh", ("test", WORK, OUTPUT)),
        ),
        parts=speaker_parts,
        read=read_verdict_lines,
        output="predictions.txt",
        formats=FORMATS,
        sample="submissions/sample",
        failed=never_wakes,
        parts_are="speakers",
        failing="count as a device that never wakes, S = 1",
        initialise=True,
        baselines={name: partial(write_submission, name) for name in SUBMISSIONS},
    )
