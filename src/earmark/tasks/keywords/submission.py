"""Our systems as submissions to the challenge: three scripts each, and what they call.

The folders `submissions/<system>` hold initialize.sh, enrollment.sh and predict.sh as the
challenge calls them. Between enrolment and prediction only the work folder is handed on.
"""

import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from earmark.arrays import Samples
from earmark.files.npz import read_arrays
from earmark.tasks.keywords.clips import read_clip
from earmark.tasks.keywords.files import sound_files, write_predictions
from earmark.tasks.keywords.values import PENALTY
from earmark.values import checks
from earmark.values.errors import InputError

if TYPE_CHECKING:
    from earmark.tasks.keywords.run.speakers import WakeDetector

# The arrays that enrolment leaves in the work folder for prediction.
STATE = "state.npz"
State = Mapping[str, Any]
# A submission is called with no seed; the augmented copies of an enrolment need one.
SEED = 0


@dataclass(frozen=True, slots=True)
class Submission:
    """What the three scripts of one system do."""

    initialise: Callable[[], object]
    enrol: Callable[[Sequence[Samples]], State]
    detector: "Callable[[State], WakeDetector]"


def write_submission(system: str, folder: Path) -> None:
    """Write a submission folder for one of our systems, ready to be zipped."""
    checks.one_of(system, SUBMISSIONS, what="submission")
    place = Path(str(files("earmark.tasks.keywords").joinpath(f"submissions/{system}")))
    folder.mkdir(parents=True, exist_ok=True)
    for script in sorted(place.glob("*.sh")):
        shutil.copy(script, folder / script.name)
        (folder / script.name).chmod(0o755)


def initialise(system: str) -> None:
    """Raise InputError if something is missing that enrolment and prediction need."""
    SUBMISSIONS[system].initialise()


def enrol(system: str, enrolment: Path, work: Path) -> None:
    """Enrol with a folder of recordings, and write what was learned to the work folder."""
    clips = [read_clip(path).floats() for path in sound_files(enrolment)]
    if not clips:
        raise InputError("an enrolment needs recordings", at=enrolment, got="no sound file")
    work.mkdir(parents=True, exist_ok=True)
    np.savez(work / STATE, **SUBMISSIONS[system].enrol(clips))


def predict(system: str, test: Path, work: Path, output: Path) -> None:
    """Judge every clip of a folder, and write one line per clip."""
    path = work / STATE
    if not path.exists():
        raise InputError("there is no enrolment in the work folder", at=path, fix="enrol first")
    state = read_arrays(path, what="an enrolment is a table that Earmark wrote")
    detector = SUBMISSIONS[system].detector(state)
    verdicts = {p.name: detector.judge(read_clip(p).floats()) for p in sound_files(test)}
    output.parent.mkdir(parents=True, exist_ok=True)
    write_predictions(output, verdicts, scores=False)


def _initialise_auto() -> None:
    from earmark.tasks.keywords.run.auto import load_networks_and_model

    load_networks_and_model()


def _enrol_auto(clips: Sequence[Samples]) -> State:
    from earmark.tasks.keywords.run.enrolment import enrol
    from earmark.tasks.keywords.run.enrolment_file import packed

    return packed(enrol(clips, seed=SEED, speaker="owner"))


def _auto_detector(state: State) -> "WakeDetector":
    from earmark.tasks.keywords.run.auto import AutoDetector, load_networks_and_model
    from earmark.tasks.keywords.run.enrolment_file import unpacked

    development = load_networks_and_model()
    return AutoDetector.of(development, unpacked(state), "owner", penalty=PENALTY)


def _initialise_template() -> None:
    from earmark.tasks.keywords.run.networks.speaker_embedding import weights_file

    _initialise_window()
    weights_file()


def _enrol_template(clips: Sequence[Samples]) -> State:
    from earmark.tasks.keywords.run.features import extractor
    from earmark.tasks.keywords.run.template import enrol

    learned = enrol(clips, extractor("sound"))
    return {"template": learned.template, "voice": learned.voice}


def _template_detector(state: State) -> "WakeDetector":
    from earmark.tasks.keywords.run.features import extractor
    from earmark.tasks.keywords.run.template import TemplateDetector, TemplateEnrolment

    enrolment = TemplateEnrolment(state["template"], state["voice"])
    return TemplateDetector(enrolment, extractor("sound"))


def _initialise_window() -> None:
    from earmark.tasks.keywords.run.features import extractor

    extractor("sound")


def _enrol_window(clips: Sequence[Samples]) -> State:
    from earmark.tasks.keywords.run.features import extractor
    from earmark.tasks.keywords.run.window import enrol

    learned = enrol(clips, extractor("sound"))
    return {"template": learned.template, "threshold": np.array(learned.threshold)}


def _window_detector(state: State) -> "WakeDetector":
    from earmark.tasks.keywords.run.features import extractor
    from earmark.tasks.keywords.run.window import WindowDetector, WindowEnrolment

    enrolment = WindowEnrolment(state["template"], float(state["threshold"]))
    return WindowDetector(enrolment, extractor("sound"))


SUBMISSIONS = {
    "auto": Submission(_initialise_auto, _enrol_auto, _auto_detector),
    "template": Submission(_initialise_template, _enrol_template, _template_detector),
    "window": Submission(_initialise_window, _enrol_window, _window_detector),
}


def main(words: list[str]) -> int:
    """Run what a script asks for: `enrol auto DIR WORK`, `predict auto DIR WORK FILE` and so on."""
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
        checks.one_of(words[1], SUBMISSIONS, what="system")
        actions[words[0]][1](words[1], *map(Path, words[2:]))
    except InputError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
