"""Our systems as submissions to the challenge: three scripts each, and what they call.

The folders `submissions/<system>` hold initialize.sh, enrollment.sh and predict.sh as the
challenge calls them. Between enrolment and prediction only the work folder is handed on.
"""

import shutil
import sys
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

from earmark.tasks.keywords.clips import arrive
from earmark.tasks.keywords.files import sound_files, write_predictions
from earmark.values import checks
from earmark.values.errors import InputError

SYSTEMS = ("auto", "template", "window")
STATE = "state.npz"
SEED = 0


def write_submission(system: str, folder: Path) -> None:
    """A ready submission folder for one of our systems."""
    checks.one_of(system, SYSTEMS, what="submission")
    place = Path(str(files("earmark.tasks.keywords").joinpath(f"submissions/{system}")))
    folder.mkdir(parents=True, exist_ok=True)
    for script in sorted(place.glob("*.sh")):
        shutil.copy(script, folder / script.name)
        (folder / script.name).chmod(0o755)


def initialise(system: str) -> None:
    """See that everything is there that enrolment and prediction need."""
    if system == "auto":
        from earmark.tasks.keywords.run.auto import ready

        ready()
        return
    from earmark.tasks.keywords.run.frames import extractor
    from earmark.tasks.keywords.run.voice import weights_file

    extractor("sound")
    weights_file()


def enrol(system: str, enrolment: Path, work: Path) -> None:
    """Learn from a folder of recordings; keep what is learned in the work folder."""
    import numpy as np

    clips = [arrive(path).floats() for path in sound_files(enrolment)]
    if not clips:
        raise InputError("an enrolment has recordings", at=enrolment, got="no sound file")
    work.mkdir(parents=True, exist_ok=True)
    np.savez(work / STATE, **_learned(system, clips))


def _learned(system: str, clips: list[Any]) -> dict[str, Any]:
    import numpy as np

    if system == "auto":
        from earmark.tasks.keywords.run import evidence

        found = evidence.enrol(clips, seed=SEED, speaker="owner")
        lengths = np.array([len(clip) for clip in clips])
        return {
            "samples": np.concatenate(clips),
            "lengths": lengths,
            "voice": found.voice,
            "expected": np.array(found.expected),
        }
    from earmark.tasks.keywords.run import template, window
    from earmark.tasks.keywords.run.frames import extractor

    learn: Callable[..., Any] = template.enrol if system == "template" else window.enrol
    return dict(learn(clips, extractor("sound")))


def predict(system: str, test: Path, work: Path, output: Path) -> None:
    """Judge every clip of a folder, and write one line for each."""
    judge = _judge(system, work / STATE)
    verdicts = {path.name: judge(arrive(path).floats()) for path in sound_files(test)}
    output.parent.mkdir(parents=True, exist_ok=True)
    write_predictions(output, verdicts, scores=False)


def _judge(system: str, path: Path) -> Any:
    import numpy as np

    if not path.exists():
        raise InputError("there is no enrolment in the work folder", at=path, fix="enrol first")
    with np.load(path, allow_pickle=False) as kept:
        state = {name: kept[name] for name in kept.files}
    if system == "auto":
        return _auto_judge(state)
    from earmark.tasks.keywords.run import template, window
    from earmark.tasks.keywords.run.frames import extractor

    judge_of: Callable[..., Any] = template.judge_of if system == "template" else window.judge_of
    return judge_of(state, extractor("sound"))


def _auto_judge(state: dict[str, Any]) -> Any:
    import numpy as np

    from earmark.tasks.keywords.run.auto import judge_of, ready
    from earmark.tasks.keywords.run.evidence import Enrolment
    from earmark.tasks.keywords.run.utterance import Utterance

    clips = np.split(state["samples"], np.cumsum(state["lengths"])[:-1])
    keyword, sound, voice = state["expected"].tolist()
    enrolment = Enrolment(
        tuple(Utterance(clip) for clip in clips), state["voice"], (keyword, sound, voice)
    )
    return judge_of(ready(), enrolment, "owner", penalty=9.0)


def main(words: list[str]) -> int:
    """What the scripts call: `enrol auto DIR WORK`, `predict auto DIR WORK FILE` and so on."""
    actions: dict[str, tuple[int, Callable[..., None]]] = {
        "initialize": (0, initialise),
        "enrol": (2, enrol),
        "predict": (3, predict),
        "write": (1, write_submission),
    }
    try:
        if len(words) < 2 or words[0] not in actions or len(words) != actions[words[0]][0] + 2:
            raise InputError(
                "a submission is called with an action, a system and folders", got=words
            )
        checks.one_of(words[1], SYSTEMS, what="system")
        actions[words[0]][1](words[1], *map(Path, words[2:]))
    except InputError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
