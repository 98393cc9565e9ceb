"""An enrolment as arrays by name, for the folder that a submission hands from script to script."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from earmark.tasks.keywords.run.comparison import EnrolledTake, Voices
from earmark.tasks.keywords.run.enrolment import Enrolment, SelfTrials
from earmark.tasks.keywords.run.utterance import Spectrum

Arrays = Mapping[str, NDArray[Any]]


def packed(enrolment: Enrolment) -> dict[str, NDArray[Any]]:
    """Return the arrays of an enrolment; the second voice is empty where there is none."""
    voices, own = enrolment.voices, enrolment.self_trials
    second = np.empty(0, dtype=np.float32) if voices.second is None else voices.second
    arrays = {
        "takes": np.array([len(take.sounds) for take in enrolment.takes]),
        "first": voices.first,
        "second": second,
        "mean": own.mean,
        "deviation": own.deviation,
    }
    for number, take in enumerate(enrolment.takes):
        for name, spectrum in (("spectrum", take.spectrum), ("backwards", take.backwards)):
            arrays[f"{number}.{name}"] = spectrum.energies
            arrays[f"{number}.{name}.span"] = np.array([spectrum.span.start, spectrum.span.stop])
        arrays[f"{number}.backward_sounds"] = take.backward_sounds
        for copy, rows in enumerate(take.sounds):
            arrays[f"{number}.sounds.{copy}"] = rows
    return arrays


def unpacked(arrays: Arrays) -> Enrolment:
    """Return the enrolment that was packed."""
    takes = tuple(
        EnrolledTake(
            spectrum=_spectrum(arrays, f"{number}.spectrum"),
            backwards=_spectrum(arrays, f"{number}.backwards"),
            sounds=tuple(arrays[f"{number}.sounds.{copy}"] for copy in range(copies)),
            backward_sounds=arrays[f"{number}.backward_sounds"],
        )
        for number, copies in enumerate(arrays["takes"].tolist())
    )
    second = arrays["second"]
    return Enrolment(
        takes,
        Voices(arrays["first"], second if len(second) else None),
        SelfTrials(arrays["mean"], arrays["deviation"]),
    )


def _spectrum(arrays: Arrays, name: str) -> Spectrum:
    start, stop = arrays[f"{name}.span"].tolist()
    return Spectrum(arrays[name], slice(start, stop))
