"""A challenge drawn from recordings of words: who enrols with what, who is played to whom."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from earmark.arrays import Samples
from earmark.stats.draw import stream
from earmark.task.progress import track
from earmark.task.task import Made
from earmark.tasks.keywords.augment import augment
from earmark.tasks.keywords.clips import clip_of, read_clip, refuse_silence
from earmark.tasks.keywords.files import sound_files
from earmark.tasks.keywords.make.items import clip_item
from earmark.tasks.keywords.make.options import TrialOptions
from earmark.tasks.keywords.make.plans import CUT_SHORT, ClipPlan, ClipSources, plan_clips
from earmark.tasks.keywords.make.recordings import choose_keyword, divide_speakers, read_recordings
from earmark.tasks.keywords.values import RATE, Trial
from earmark.values.errors import InputError

# Seconds of silence between two spliced recordings. Chosen by hand; the paper gives none.
GAP = 0.15
# A near miss is cut near the middle of its speech: late enough to be recognisable as the keyword,
# early enough to lose its end. Chosen by hand.
CUT_BETWEEN = (0.45, 0.6)
# Frames per second of the log-mel energies in which speech is looked for.
FRAME_RATE = 100
# Impulse responses may be much shorter than clips.
SHORTEST_NOISE = 0.01


@dataclass(frozen=True, slots=True, eq=False)
class Surroundings:
    """What test clips are augmented with, and how probably."""

    probability: float
    noises: tuple[Samples, ...] = ()
    rooms: tuple[Samples, ...] = ()

    @classmethod
    def of(cls, options: TrialOptions) -> "Surroundings":
        """Read noises and impulse responses from the folders that the options name."""
        return cls(options.chance, _read_folder(options.noises), _read_folder(options.rooms))


def _read_folder(folder: Path | None) -> tuple[Samples, ...]:
    if folder is None:
        return ()
    paths = sound_files(folder)
    if not paths:
        raise InputError("a folder of noises or rooms must have sound files", at=folder)
    return tuple(read_clip(path, shortest=SHORTEST_NOISE).floats() for path in paths)


def draw_challenge(folder: Path, options: TrialOptions, *, seed: int) -> Iterator[Made]:
    """Yield every speaker's enrolment and test clips.

    Names and order say nothing about the labels: speakers are numbered and clips are sorted by a
    random permutation.
    """
    surroundings = Surroundings.of(options)
    recordings = read_recordings(folder)
    phase_of = divide_speakers(sorted(recordings), options.phases, seed=seed)
    numbers = stream(seed, "names").permutation(len(recordings))
    for index, (person, phase) in enumerate(track(list(phase_of.items()), label="speakers")):
        own = recordings[person]
        others = {
            other: recordings[other]
            for other, other_phase in phase_of.items()
            if other_phase == phase and other != person
        }
        rng = stream(seed, "speaker", person)
        keyword = choose_keyword(
            own, others, rng, enrolments=options.enrolments, at=folder / person
        )
        shuffled = [own[keyword][k] for k in rng.permutation(len(own[keyword]))]
        enrolment, spare = shuffled[: options.enrolments], shuffled[options.enrolments :]
        speaker = f"P{numbers[index] + 1:04d}"
        yield from _enrolment(speaker, phase, enrolment)
        plans = plan_clips(ClipSources.of(own, others, keyword, spare), options, rng)
        yield from _tests(speaker, phase, plans, surroundings, rng)


def _enrolment(speaker: str, phase: str, paths: Sequence[Path]) -> Iterator[Made]:
    for number, path in enumerate(paths, start=1):
        clip = read_clip(path)
        refuse_silence(path, clip)
        yield clip_item(speaker, "enrolment", f"{speaker}E{number:03d}", clip, phase=phase)


def _tests(
    speaker: str,
    phase: str,
    plans: Sequence[ClipPlan],
    surroundings: Surroundings,
    rng: np.random.Generator,
) -> Iterator[Made]:
    """Yield the test clips in a shuffled order, numbered by it."""
    for number, index in enumerate(rng.permutation(len(plans)), start=1):
        plan = plans[int(index)]
        samples = augment(
            _spliced(plan, rng),
            rng,
            probability=surroundings.probability,
            noises=surroundings.noises,
            rooms=surroundings.rooms,
        )
        truth = Trial(speaker, plan.is_target, plan.kind)
        name = f"{speaker}T{number:04d}"
        yield clip_item(speaker, "trial", name, clip_of(samples), truth, phase=phase)


def _spliced(plan: ClipPlan, rng: np.random.Generator) -> Samples:
    """Return the sound of a plan before it is augmented."""
    from earmark.audio.splice import splice

    parts = [read_clip(path).floats() for path in plan.files]
    if plan.near_miss:
        parts[-1] = _near_miss(parts[-1], plan.near_miss, rng)
    if plan.in_one_breath:
        return splice(*[_spoken(part) for part in parts], rate=RATE)
    return splice(*parts, rate=RATE, gap=GAP)


def _near_miss(samples: Samples, way: str, rng: np.random.Generator) -> Samples:
    """Return the keyword with its speech cut short, or with its halves in the wrong order."""
    span = _speech(samples)
    start, stop = span.start, span.stop
    middle = start + round((stop - start) * rng.uniform(*CUT_BETWEEN))
    if way == CUT_SHORT:
        return samples[:middle]
    return np.concatenate(
        (samples[:start], samples[middle:stop], samples[start:middle], samples[stop:])
    )


def _spoken(samples: Samples) -> Samples:
    """Return the recording without what is before and after its speech."""
    return samples[_speech(samples)]


def _speech(samples: Samples) -> slice:
    """Return the samples from the beginning to the end of the speech."""
    from earmark.audio.features import log_mel
    from earmark.audio.speech import speech_frames, speech_span

    span = speech_span(speech_frames(log_mel(samples, RATE, bands=40)), margin=0)
    start, stop = (frame * RATE // FRAME_RATE for frame in (span.start, span.stop))
    return slice(start, min(len(samples), stop))
