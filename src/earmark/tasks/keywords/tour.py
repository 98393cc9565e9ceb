"""The tour: three synthetic speakers, each with a keyword of their own."""

from pathlib import Path

from earmark.stats.draw import stream
from earmark.task.progress import track
from earmark.task.task import Step, Tour
from earmark.tasks.keywords.values import RATE

# Variants of eSpeak NG that a speaker network tells apart; Cleo has French phonemes.
VOICES = {"Ada": "en-us+f3", "Ben": "en-gb-x-rp+m7", "Cleo": "fr+m5"}
KEYWORDS = {"Ada": "hello lantern", "Ben": "open sesame", "Cleo": "good morning computer"}
OTHER_WORDS = ("turn the radio off", "what time is it", "hello my friend")
# Five recordings of a keyword enrol its speaker and three are left for test clips.
KEYWORD_RECORDINGS = 8
OTHER_RECORDINGS = 2


def record_speakers(folder: Path, seed: int) -> None:
    """Write keywords and other words, no two spoken alike, as <speaker>/<word>/<take>.wav."""
    from earmark.files.sound import write_sound
    from earmark.tasks.keywords.make.synthesis import SpeakingStyle, speak

    for person, voice in track(list(VOICES.items()), label="speak"):
        for word in (*KEYWORDS.values(), *OTHER_WORDS):
            for take in range(KEYWORD_RECORDINGS if word == KEYWORDS[person] else OTHER_RECORDINGS):
                rng = stream(seed, person, word, take)
                style = SpeakingStyle(
                    voice,
                    speed=int(rng.integers(140, 176)),
                    pitch=int(rng.integers(42, 59)),
                    pitch_range=int(rng.integers(35, 66)),
                )
                path = folder / "recordings" / person / word.replace(" ", "-") / f"{take}.wav"
                path.parent.mkdir(parents=True, exist_ok=True)
                write_sound(path, speak(word, style), RATE)


TOUR = Tour(
    steps=(
        Step(
            "make",
            {
                "recordings": "{folder}/recordings",
                "positives": 6,
                "own_words": 5,
                "impostors": 4,
                "strangers": 3,
                "near_misses": 2,
            },
        ),
        Step("ask", {"simulate": True}),
        Step("run", {"system": "template"}),
        Step("run", {"system": "window"}),
        Step("run", {"system": "auto"}),
        Step("score", {"against": "truth"}),
        Step("report"),
    ),
    prepare=record_speakers,
    about=(
        "Three synthetic speakers choose a keyword each; their devices hear the keyword, other "
        "words, impostors and near misses, in rooms and among noise. The challenge's two "
        "baselines, our own system and six simulated listeners decide which clips wake."
    ),
    extras=("speech", "nets"),
)
