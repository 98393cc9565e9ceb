"""Real sounds never heard: train on clips of all folds but one, test on soundscapes of that one.

    python -m benchmarks.real_sounds CLIPS [--fold 1] [--recordings 10] [--seconds 180] [--alone]
                                           [--folder DIR]

CLIPS has one folder per label; a clip's fold is the digits that its name begins with (ESC-50:
fold-source-take-class). The CRNN learns from soundscapes that are mixed anew in every epoch, the
others from a study of twenty soundscapes of the same clips. Nothing is chosen on the fold that is
tested on. `--alone` leaves out the other systems. With `--folder` everything stays there, and the
same command goes on with a training that was ended.
"""

import argparse
import re
import tempfile
import time
from pathlib import Path
from typing import Any

from earmark.study import Study
from earmark.tasks.events.train import CrnnTrainingOptions, train_crnn

METRICS = ("segment_f1", "segment_error_rate", "intersection_f1", "psds")


def split(clips: Path, fold: str, folder: Path) -> tuple[Path, Path]:
    """Link the clips of one fold and those of the others into two folders; return both."""
    parts = folder / "others", folder / "fold"
    for path in sorted(clips.glob("*/*")):
        digits = re.match(r"\d+", path.name)
        link = parts[bool(digits) and digits[0] == fold] / path.parent.name / path.name
        link.parent.mkdir(parents=True, exist_ok=True)
        link.unlink(missing_ok=True)
        link.symlink_to(path.resolve())
    if not all(part.is_dir() for part in parts):
        raise SystemExit(f"fold {fold} must hold some of the clips of {clips}, not all or none")
    return parts


def soundscapes(folder: Path, clips: Path, recordings: int, seconds: float, seed: int) -> Study:
    """Return a study of soundscapes of these clips."""
    study = Study.create(folder, task="events", seed=seed)
    study.make("soundscapes", sounds=clips, recordings=recordings, seconds=seconds)
    return study


def timed(what: str, function: Any, *args: Any, **named: Any) -> Any:
    """Call a function and print the CPU seconds it took."""
    start = time.process_time()
    result = function(*args, **named)
    print(f"{what}: {time.process_time() - start:.0f} CPU seconds", flush=True)
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description="Train on real clips, test on others.")
    parser.add_argument("clips", type=Path)
    parser.add_argument("--fold", default="1")
    parser.add_argument("--recordings", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=180.0)
    parser.add_argument("--epochs", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--alone", action="store_true")
    parser.add_argument("--folder", type=Path)
    given = parser.parse_args()
    if given.folder:
        given.folder.mkdir(parents=True, exist_ok=True)
        measure(given, given.folder)
        return
    with tempfile.TemporaryDirectory() as name:
        measure(given, Path(name))


def measure(given: argparse.Namespace, folder: Path) -> None:
    """Train in the folder, and print how well the systems do on clips of the fold."""
    others, fold = split(given.clips, given.fold, folder)
    options = CrnnTrainingOptions(sounds=others, epochs=given.epochs)
    card = timed("training crnn", train_crnn, None, options, out=folder / "crnn", seed=given.seed)
    shown_of_card = ("best_epoch", "epochs", "clips", "parameters", "cpu_seconds")
    print({name: card[name] for name in shown_of_card})
    print(card["reading"])
    test = soundscapes(folder / "test", fold, given.recordings, given.seconds, 100 + given.seed)
    systems = ("crnn",) if given.alone else ("crnn", "energy", "loud", "frequent")
    if not given.alone:
        train = soundscapes(folder / "train", others, 20, 180.0, given.seed)
        for system in systems[1:]:
            timed(f"training {system}", train.train, system, out=folder / system)
    for system in systems:
        test.run(system, model=folder / system)
    board = test.score(against="truth", metrics=METRICS)["systems"]
    for system, own in board.items():
        for metric, row in own["scores"].items():
            print(f"{system:10} {metric:20} {shown(row)}")


def shown(row: dict[str, Any]) -> str:
    """Return a score with its interval, where there are any."""
    value = "undefined" if row["value"] is None else f"{row['value']:.3f}"
    interval = "" if row["low"] is None else f" [{row['low']:.3f}, {row['high']:.3f}]"
    return value + interval


if __name__ == "__main__":
    main()
