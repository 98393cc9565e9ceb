"""Synthetic development speakers for `auto`, by two engines, in the challenge's layout.

    python -m benchmarks.keyword_voices OUT [--speakers 1] [--languages de,tr] [--seed 0]
    python -m benchmarks.keyword_voices OUT --engine kokoro --weights FOLDER [--speakers 2]

writes OUT/voices/<speaker>/enroll and test, OUT/labels/<speaker>_test_labels.txt, OUT/kinds with
what each clip is, and, for eSpeak NG, OUT/sounds.npz, the scale of Google's speech embedding over
these voices (src/earmark/tasks/keywords/models/sounds.npz is the one of the defaults). A speaker's
name begins with the engine (ES is eSpeak NG, KO Kokoro) and the language (ESde01), so that engines
and languages can be left out. benchmarks.kokoro says what FOLDER holds; where it does not, this
says so and makes eSpeak NG's voices alone. Keywords are numbers, which
eSpeak NG reads in every language, or made-up words where it reads Latin letters. No two takes are
alike: speed, pitch, intonation, timbre and pauses differ. Voices are drawn until they are distinct:
CAM++'s cosine of a speaker's first recording with those of the speakers in OUT, and with the
speaker's impostors, is below .6. Test clips are disturbed by the
conditions of earmark.tasks.keywords.run.conditions; one in four is not.
"""

import argparse
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.kokoro import Kokoro, MissingKokoro, Style
from earmark.files.sound import write_sound
from earmark.stats.draw import stream
from earmark.tasks.keywords.clips import read_clip
from earmark.tasks.keywords.make.synthesis import SpeakingStyle, speak
from earmark.tasks.keywords.run.conditions import CONDITIONS, Bystanders, disturbed
from earmark.tasks.keywords.run.networks.speech_embedding import speech_embeddings
from earmark.tasks.keywords.run.utterance import SOUND_STEP, Utterance
from earmark.tasks.keywords.values import RATE

LATIN = "en-us de es it pt-br pl tr sv fi nl hu ro cs id sw".split()
OTHERS = "ru ar hi cmn ja ko el vi".split()
VARIANTS = (
    "f1 f2 f3 f4 f5 m1 m2 m3 m4 m5 m6 m7 m8 Andrea anika Annie Denis Diogo Gene Michael Mike linda "
    "michel Alicia Andy adam aunty benjamin boris caleb david edward2 grandma john pablo paul"
).split()
READS_LATIN = frozenset((*LATIN, "en", "fr"))
CONSONANTS, VOWELS = "b d f g k l m n p r s t v".split(), "a e i o u".split()
CLEAN_SHARE = 0.25
MIXED_SHARE = 0.6  # of Kokoro's speakers: halves of two styles are a new voice
OTHER_PHRASES = 6  # of a speaker of Kokoro's
# CAM++ gives two recordings of one voice cosines around .8, seldom below .6.
DISTINCT, DRAWS = 0.6, 20
# Speakers per language, unless told otherwise. A speaker of Kokoro's takes about 40 CPU s.
ESPEAK_SPEAKERS = {language: 2 if language == "ar" else 1 for language in (*LATIN, *OTHERS)}
KOKORO_SPEAKERS = {"en-us": 3, "en": 3, "es": 3, "fr": 1, "hi": 3}
KOKORO_SPEAKERS |= {"it": 1, "ja": 1, "pt-br": 1, "cmn": 2}


@dataclass(frozen=True)
class Voice:
    """A speaker: eSpeak NG's voice, and how much its spectrum is stretched and its pitch raised."""

    name: str
    stretch: float
    pitch: int
    speed: int


@dataclass(frozen=True, eq=False)
class NeuralVoice:
    """A speaker of Kokoro: a style of its own, how much its spectrum is stretched, its speed."""

    name: str
    language: str
    style: Style
    stretch: float
    speed: float


class EspeakEngine:
    """eSpeak NG: cheap, so that every reading is made anew."""

    prefix, speakers = "ES", ESPEAK_SPEAKERS

    def voice_of(self, language, rng):
        variant = VARIANTS[rng.integers(len(VARIANTS))]
        stretch, pitch = rng.uniform(0.88, 1.12), rng.integers(30, 70)
        speed = rng.integers(140, 185)
        return Voice(f"{language}+{variant}", float(stretch), int(pitch), int(speed))

    def spoken(self, text, voice, rng):
        style = SpeakingStyle(
            voice.name,
            speed=int(np.clip(voice.speed * rng.normal(1, 0.09), 100, 260)),
            pitch=int(np.clip(voice.pitch + rng.normal(0, 6), 0, 99)),
            pitch_range=int(rng.integers(25, 80)),
        )
        return speak(text, style)

    def others(self, keyword, language, rng):
        """What gives a phrase that is not the keyword: a new one each time."""
        return lambda: other_than(keyword, language, rng)


class KokoroEngine:
    """Kokoro: a second of speech takes a second, so that readings of other words serve again.

    Of the keyword, every reading is a new one, whoever says it.
    """

    prefix, speakers = "KO", KOKORO_SPEAKERS

    def __init__(self, folder):
        self.kokoro = Kokoro(folder)
        self.readings, self.keyword = {}, ""

    def voice_of(self, language, rng):
        """One style of the language, six times in ten halved with one of any language."""
        own = self.kokoro.voices(language)
        name, other = own[rng.integers(len(own))], self._any(rng)
        style = self.kokoro.styles[name]
        if rng.random() < MIXED_SHARE:
            name, style = f"{name}+{other}", style.mixed(self.kokoro.styles[other], 0.5, 0.5)
        stretch, speed = rng.uniform(0.95, 1.05), rng.uniform(0.9, 1.2)
        return NeuralVoice(name, language, style, float(stretch), float(speed))

    def spoken(self, text, voice, rng):
        """A reading in a manner that is partly somebody else's."""
        if (text, voice.name) in self.readings and text != self.keyword:
            return self.readings[text, voice.name]
        other = self.kokoro.styles[self._any(rng)]
        style = voice.style.mixed(other, 0.0, float(rng.uniform(0, 0.4)))
        speed = float(np.clip(voice.speed * rng.normal(1, 0.1), 0.7, 1.5))
        samples = self.kokoro.speak(text, voice.language, style, speed)
        self.readings[text, voice.name] = samples
        return samples

    def others(self, keyword, language, rng):
        """What gives a phrase that is not the keyword: one of a few."""
        self.readings, self.keyword = {}, text_of(keyword)
        phrases = [other_than(keyword, language, rng) for _ in range(OTHER_PHRASES)]
        return lambda: phrases[rng.integers(len(phrases))]

    def _any(self, rng):
        names = list(self.kokoro.styles)
        return names[rng.integers(len(names))]


def take(engine, text, voice, rng):
    """One reading: as no other of the same text."""
    samples = engine.spoken(text, voice, rng)
    factor = voice.stretch * float(np.clip(rng.normal(1, 0.012), 0.96, 1.04))
    places = np.arange(int(len(samples) / factor)) * factor
    samples = np.interp(places, np.arange(len(samples)), samples)
    tilt = float(rng.uniform(-0.35, 0.35))
    samples = samples + tilt * np.concatenate([[0.0], samples[:-1]])
    level = float(np.abs(samples).max()) or 1.0
    samples = samples * float(rng.uniform(0.2, 0.8)) / level
    before, after = rng.integers(1600, 6400, 2)
    quiet = 10 ** rng.uniform(-4.5, -3) * rng.standard_normal(before + len(samples) + after)
    quiet[before : before + len(samples)] += samples
    return quiet.astype(np.float32)


def syllable(rng, close=0.0):
    end = str(rng.choice(CONSONANTS)) + str(rng.choice(VOWELS))
    return end + ("n" if close and rng.random() < close else "")


def phrase_of(language, rng):
    """A list of parts: digits, numbers, or syllables of a made-up word."""
    latin = language in READS_LATIN
    if latin and rng.random() < 0.55:
        size = int(rng.integers(2, 5))
        parts = [
            str(rng.choice(CONSONANTS))
            + str(rng.choice(VOWELS))
            + ("n" if rng.random() < 0.2 else "")
            for _ in range(size)
        ]
        return parts, ""
    if rng.random() < 0.4:
        return [str(rng.integers(11, 99)) for _ in range(int(rng.integers(1, 3)))], " "
    return [str(rng.integers(0, 10)) for _ in range(int(rng.integers(2, 5)))], " "


def text_of(phrase):
    parts, joint = phrase
    return joint.join(parts)


def near_miss(phrase, language, rng):
    """The phrase with one part replaced, or with two swapped."""
    parts, joint = list(phrase[0]), phrase[1]
    if len(parts) > 1 and rng.random() < 0.3:
        parts = parts[1:] + parts[:1]
        return (parts, joint) if parts != phrase[0] else near_miss(phrase, language, rng)
    index = len(parts) - 1 if rng.random() < 0.6 else int(rng.integers(len(parts)))
    while parts[index] == phrase[0][index]:
        if joint:
            low, high = (0, 10) if len(phrase[0][index]) == 1 else (11, 99)
            parts[index] = str(rng.integers(low, high))
        else:
            parts[index] = syllable(rng)
    return parts, joint


def other_than(keyword, language, rng):
    phrase = phrase_of(language, rng)
    while text_of(phrase) == text_of(keyword):
        phrase = phrase_of(language, rng)
    return text_of(phrase)


def plans(language, owner, keyword, impostors, rng, other):
    """Return (label, kind, list of (text, voice)) of every test clip."""
    word = text_of(keyword)

    def anyone():
        return impostors[rng.integers(len(impostors))]

    rows = [(1, "keyword", [(other(), owner)] * (k % 2) + [(word, owner)]) for k in range(10)]
    rows += [(0, "own words", [(other(), owner) for _ in range(1 + k % 2)]) for k in range(8)]
    rows += [
        (0, "near miss", [(text_of(near_miss(keyword, language, rng)), owner)]) for _ in range(4)
    ]
    rows += [(0, "longer phrase", [(f"{word} {other()}", owner)]) for _ in range(2)]
    for k in range(7):
        voice = anyone()
        rows.append((0, "impostor", [(other(), voice)] * (k % 2) + [(word, voice)]))
    return rows + [(0, "stranger", [(other(), anyone())]) for _ in range(3)]


def clip_of(engine, parts, rng, others):
    takes = [take(engine, text, voice, rng) for text, voice in parts]
    samples = np.concatenate(takes)
    if rng.random() < CLEAN_SHARE:
        return samples, "clean"
    condition = str(rng.choice(list(CONDITIONS)))
    return disturbed(samples, condition, rng, others), condition


def distinct_voice(engine, text, language, others, rng):
    """A voice, and its reading of a text, unlike those of other recordings."""
    theirs = [Utterance(samples).voice for samples in others]
    for _ in range(DRAWS):
        voice = engine.voice_of(language, rng)
        samples = take(engine, text, voice, rng)
        own = Utterance(samples).voice
        if all(own @ other < DISTINCT for other in theirs):
            return voice, samples
    raise RuntimeError(f"{DRAWS} voices of {language} in a row are like one that is there")


def first_recordings(out, name):
    """The first enrolment recording of every other speaker that has been written."""
    paths = sorted((out / "voices").glob("*/enroll/*E001.wav"))
    return [read_clip(path).floats() for path in paths if path.parents[1].name != name]


def write_speaker(engine, name, language, out, rng):
    keyword = phrase_of(language, rng)
    others = engine.others(keyword, language, rng)
    word = text_of(keyword)
    owner, first = distinct_voice(engine, word, language, first_recordings(out, name), rng)
    impostors = [distinct_voice(engine, others(), language, [first], rng) for _ in range(5)]
    bystanders = Bystanders([samples for _, samples in impostors])
    for folder in ("enroll", "test"):
        (out / "voices" / name / folder).mkdir(parents=True, exist_ok=True)
    enrolment = [first, *(take(engine, word, owner, rng) for _ in range(4))]
    for number, samples in enumerate(enrolment, start=1):
        write_sound(out / "voices" / name / "enroll" / f"{name}E{number:03d}.wav", samples, RATE)
    rows = plans(language, owner, keyword, [voice for voice, _ in impostors], rng, others)
    labels, kinds = [], []
    for number, index in enumerate(rng.permutation(len(rows)), start=1):
        label, kind, parts = rows[index]
        samples, condition = clip_of(engine, parts, rng, bystanders)
        clip = f"{name}T{number:04d}.wav"
        write_sound(out / "voices" / name / "test" / clip, samples, RATE)
        labels.append(f"{clip}\t{label}\n")
        kinds.append(f"{clip}\t{kind}\t{condition}\n")
    for folder, lines in (("labels", labels), ("kinds", kinds)):
        (out / folder).mkdir(exist_ok=True)
        (out / folder / f"{name}_test_labels.txt").write_text("".join(lines))


def write_scale(out):
    """Mean and deviation of the speech embedding: one take as it is and one disturbed, of each."""
    rows = []
    for number, folder in enumerate(sorted((out / "voices").iterdir())):
        first, second = (read_clip(p).floats() for p in sorted((folder / "enroll").iterdir())[:2])
        rng = stream(0, folder.name)
        condition = list(CONDITIONS)[(2 * number + 1) % len(CONDITIONS)]
        rows.append(speech_embeddings(first, hop=SOUND_STEP))
        copy = disturbed(second, condition, rng, Bystanders([first, second]))
        rows.append(speech_embeddings(copy, hop=SOUND_STEP))
    frames = np.concatenate(rows)
    np.savez(out / "sounds.npz", mean=frames.mean(axis=0), deviation=frames.std(axis=0))


def engine_of(options):
    if options.engine == "espeak":
        return EspeakEngine()
    try:
        return KokoroEngine(options.weights)
    except MissingKokoro as error:
        print(f"Kokoro's voices are left out: {error}\ngoing on with eSpeak NG", flush=True)
        return EspeakEngine()


def main(words=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--engine", choices=("espeak", "kokoro"), default="espeak")
    parser.add_argument("--weights", type=Path, default=Path(), help="folder of Kokoro's archives")
    parser.add_argument("--speakers", type=int, default=None, help="per language")
    parser.add_argument("--languages", default=None, help="all of the engine's, unless named")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(words)
    engine = engine_of(options)
    languages = options.languages.split(",") if options.languages else engine.speakers
    for language in languages:
        for number in range(1, (options.speakers or engine.speakers[language]) + 1):
            name = f"{engine.prefix}{language.replace('-', '')}{number:02d}"
            rng = stream(options.seed, "voice", name)
            write_speaker(engine, name, language, options.out, rng)
            print(name, flush=True)
    if isinstance(engine, EspeakEngine):
        write_scale(options.out)


if __name__ == "__main__":
    main()
