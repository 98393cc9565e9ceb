"""The tour: three made-up speakers, each with a keyword of their own."""

from pathlib import Path

from earmark.stats.draw import stream
from earmark.task.progress import track
from earmark.task.task import Step, Tour

VOICES = {"Ada": "en-us+f3", "Ben": "en-gb-x-rp+m7", "Cleo": "fr+m5"}
KEYWORDS = {"Ada": "hello lantern", "Ben": "open sesame", "Cleo": "good morning computer"}
OTHER_WORDS = ("turn the radio off", "what time is it", "hello my friend")
TAKES = 8
OTHER_TAKES = 2


def record_speakers(folder: Path, seed: int) -> None:
    """Takes of keywords and other words, no two spoken alike, as <speaker>/<word>/<take>.wav."""
    from earmark.files.sound import write_sound
    from earmark.tasks.keywords.make.synthesis import RATE, Manner, speak

    for person, voice in track(list(VOICES.items()), label="speak"):
        for word in (*KEYWORDS.values(), *OTHER_WORDS):
            takes = TAKES if word == KEYWORDS[person] else OTHER_TAKES
            for take in range(takes):
                rng = stream(seed, person, word, take)
                manner = Manner(
                    voice,
                    speed=int(rng.integers(140, 176)),
                    pitch=int(rng.integers(42, 59)),
                    liveliness=int(rng.integers(35, 66)),
                )
                path = folder / "recordings" / person / word.replace(" ", "-") / f"{take}.wav"
                path.parent.mkdir(parents=True, exist_ok=True)
                write_sound(path, speak(word, manner), RATE)


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
        "baselines and our own system decide which clips wake."
    ),
)
