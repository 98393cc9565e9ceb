"""A challenge drawn from recordings of words: who enrols with what, who is played to whom."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from earmark.stats.draw import stream
from earmark.task.progress import track
from earmark.task.task import Made
from earmark.tasks.keywords.augment import disturb
from earmark.tasks.keywords.clips import Arrived, arrive, refuse_silence
from earmark.tasks.keywords.files import sound_files
from earmark.tasks.keywords.make.trials import clip_made
from earmark.tasks.keywords.values import Trial
from earmark.values import checks
from earmark.values.errors import InputError

if TYPE_CHECKING:
    import numpy as np

RATE = 16000
GAP = 0.15
Words = dict[str, tuple[Path, ...]]


@dataclass(frozen=True, slots=True)
class Wanted:
    """How many clips of each kind a speaker gets."""

    enrolments: int
    positives: int
    own_words: int
    impostors: int
    strangers: int
    near_misses: int


@dataclass(frozen=True, slots=True)
class Plan:
    """One test clip to come: files to splice in order, and what becomes of the last."""

    kind: str
    files: tuple[Path, ...]
    is_target: bool = False
    spoil: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Surroundings:
    """What test clips are disturbed with, and how likely."""

    chance: float
    noises: tuple[Any, ...] = ()
    rooms: tuple[Any, ...] = ()

    @classmethod
    def read(cls, chance: float, noises: Path | None, rooms: Path | None) -> "Surroundings":
        """Noises and impulse responses from their folders."""
        checks.within(chance, 0.0, 1.0, what="a chance")
        heard = [
            tuple(arrive(path, shortest=0.01).floats() for path in sound_files(place))
            if place
            else ()
            for place in (noises, rooms)
        ]
        for place, found in zip((noises, rooms), heard, strict=True):
            if place and not found:
                raise InputError("a folder of noises or rooms has sound files", at=place)
        return cls(chance, *heard)


def drawn_challenge(
    folder: Path, wanted: Wanted, around: Surroundings, *, seed: int, phases: str
) -> Iterator[Made]:
    """Every speaker's enrolment and test clips; names and order say nothing about the labels."""
    people = read_recordings(folder)
    shared_out = share_out(sorted(people), phases, seed=seed)
    names = stream(seed, "names").permutation(len(people))
    for index, (person, phase) in enumerate(track(list(shared_out.items()), label="speakers")):
        others = {p: people[p] for p, other in shared_out.items() if other == phase and p != person}
        rng = stream(seed, "speaker", person)
        word = keyword_of(people[person], others, wanted, rng, at=folder / person)
        takes = [people[person][word][k] for k in rng.permutation(len(people[person][word]))]
        speaker = f"P{names[index] + 1:04d}"
        yield from _enrolment(speaker, phase, takes[: wanted.enrolments])
        spare = takes[wanted.enrolments :]
        plans = list(_plans(people[person], word, spare, others, wanted, rng))
        yield from _tests(speaker, phase, plans, around, rng)


def _enrolment(speaker: str, phase: str, takes: Sequence[Path]) -> Iterator[Made]:
    for number, path in enumerate(takes, start=1):
        arrived = arrive(path)
        refuse_silence(path, arrived)
        yield clip_made(speaker, "enrolment", f"{speaker}E{number:03d}", arrived, phase=phase)


def _tests(
    speaker: str,
    phase: str,
    plans: Sequence[Plan],
    around: Surroundings,
    rng: "np.random.Generator",
) -> Iterator[Made]:
    """The test clips in a shuffled order, numbered by it."""
    for number, k in enumerate(rng.permutation(len(plans)), start=1):
        plan = plans[int(k)]
        sound = disturb(
            _spliced(plan, rng),
            rng,
            chance=around.chance,
            noises=around.noises,
            rooms=around.rooms,
        )
        truth = Trial(speaker, plan.is_target, plan.kind)
        name = f"{speaker}T{number:04d}"
        yield clip_made(speaker, "trial", name, _as_arrived(sound), truth, phase=phase)


def read_recordings(folder: Path) -> dict[str, Words]:
    """Speaker to word to takes, from <speaker>/<word>/<take>.wav."""
    if not folder.is_dir():
        raise InputError("recordings lie in a folder", at=folder)
    people = {
        place.name: {w.name: sound_files(w) for w in sorted(place.iterdir()) if sound_files(w)}
        for place in sorted(folder.iterdir())
        if place.is_dir()
    }
    people = {name: words for name, words in people.items() if words}
    if len(people) < 2:
        raise InputError(
            "a challenge needs at least two speakers: one is an impostor to the other",
            at=folder,
            got=f"{len(people)} speakers with sound files",
            want="<speaker>/<word>/<take>.wav",
        )
    return people


def share_out(people: Sequence[str], phases: str, *, seed: int) -> dict[str, str]:
    """Speaker to phase, by weights; every phase has at least two speakers."""
    weights = {}
    for part in phases.split(","):
        name, _, weight = part.strip().partition(":")
        if not name or (weight and not weight.replace(".", "", 1).isdigit()):
            raise InputError("phases are phase:weight pairs", got=part, want="train:5,practice:1")
        weights[name] = float(weight or 1)
    total = sum(weights.values())
    if total <= 0 or len(people) < 2 * len(weights):
        raise InputError(
            "every phase needs two speakers, who are impostors to each other",
            got=f"{len(people)} speakers for {len(weights)} phases",
        )
    sizes = {name: max(2, round(weight / total * len(people))) for name, weight in weights.items()}
    while sum(sizes.values()) != len(people):
        step = 1 if sum(sizes.values()) < len(people) else -1
        largest = max(sizes, key=lambda name: (sizes[name], name))
        sizes[largest] += step
    order = [people[k] for k in stream(seed, "phases").permutation(len(people))]
    phase_of = [name for name, size in sizes.items() for _ in range(size)]
    return dict(sorted(zip(order, phase_of, strict=True)))


def keyword_of(
    own: Words, others: dict[str, Words], wanted: Wanted, rng: "np.random.Generator", *, at: Path
) -> str:
    """A word that the speaker said often enough, rather one that others said too."""
    enough = [word for word, takes in sorted(own.items()) if len(takes) > wanted.enrolments]
    if not enough:
        raise InputError(
            "a keyword needs more takes than the enrolment takes away",
            at=at,
            got=f"at most {max(map(len, own.values()))} takes of a word",
            want=f"{wanted.enrolments + 1} or more",
        )
    shared = [word for word in enough if any(word in words for words in others.values())]
    return str((shared or enough)[rng.integers(len(shared or enough))])


def _plans(
    own: Words,
    word: str,
    spare: Sequence[Path],
    others: dict[str, Words],
    wanted: Wanted,
    rng: "np.random.Generator",
) -> Iterator[Plan]:
    """All test clips of a speaker, before they are shuffled."""
    own_other = [path for w, takes in own.items() if w != word for path in takes]
    same = [path for words in others.values() for path in words.get(word, ())]
    alien = [p for words in others.values() for w, ts in words.items() if w != word for p in ts]

    def one(paths: Sequence[Path]) -> Path:
        return paths[int(rng.integers(len(paths)))]

    for k in range(wanted.positives):
        take = spare[k % len(spare)]
        before = (one(own_other),) if k % 2 and own_other else ()
        yield Plan("keyword after a word" if before else "keyword", (*before, take), True)
    for k in range(wanted.own_words if own_other else 0):
        before = (one(own_other),) if k % 2 else ()
        yield Plan("own words", (*before, one(own_other)))
    for k in range(wanted.impostors if same else 0):
        before = (one(alien),) if k % 2 and alien else ()
        yield Plan("impostor", (*before, one(same)))
    for _ in range(wanted.strangers if alien else 0):
        yield Plan("stranger", (one(alien),))
    for k in range(wanted.near_misses):
        spoil = ("cut short", "halves swapped")[k % 2]
        yield Plan(f"near miss, {spoil}", (one(spare),), spoil=spoil)


def _spliced(plan: Plan, rng: "np.random.Generator") -> Any:
    from earmark.audio.splice import splice

    parts = [arrive(path).floats() for path in plan.files]
    if plan.spoil:
        parts[-1] = _spoilt(parts[-1], plan.spoil, rng)
    return splice(*parts, rate=RATE, gap=GAP)


def _spoilt(samples: Any, how: str, rng: "np.random.Generator") -> Any:
    """The keyword, but not quite: its speech cut short, or its halves in the wrong order."""
    import numpy as np

    from earmark.audio.features import log_mel
    from earmark.audio.speech import speech_frames, speech_span

    span = speech_span(speech_frames(log_mel(samples, RATE, bands=40)), margin=0)
    start, stop = span.start * RATE // 100, min(len(samples), span.stop * RATE // 100)
    border = start + round((stop - start) * rng.uniform(0.45, 0.6))
    if how == "cut short":
        return samples[:border]
    halves = (samples[:start], samples[border:stop], samples[start:border], samples[stop:])
    return np.concatenate(halves)


def _as_arrived(sound: Any) -> Arrived:
    import numpy as np

    return Arrived(np.clip(np.rint(sound * 32768.0), -32768, 32767).astype(np.int16))
