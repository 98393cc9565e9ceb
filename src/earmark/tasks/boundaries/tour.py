"""The tour: a made-up talk, three simulated people, two systems."""

import json
from pathlib import Path

from earmark.stats.draw import stream
from earmark.task.task import Step, Tour
from earmark.text.words import tokens

TALK = """
Good evening, and thank you for coming. I would like to tell you about a small island and the
people who listen there. Why should anyone care about listening? Because most of what we know
about the sea we have heard, not seen. Light goes a few metres down and then it is gone. Sound
goes on for hundreds of miles.

Twenty years ago we put a microphone into the water near the harbour. We wanted to hear whales.
What we heard was ships. Day and night there was the noise of engines, and under it, now and
then, something that might have been an animal. My first student listened for three weeks and
wrote down everything. She did not hear a single whale. She did hear the ferry, and she learned
to tell who was steering it.

So we did what people do when they have too many hours and too few ears. We asked for help. We
cut the recordings into pieces of ten seconds, and we sent them to a school. The children were
better than we were. They did not agree with each other, of course. Some of them heard whales
everywhere. Some of them heard nothing at all. But when five of them heard the same thing at the
same moment, they were almost always right.

Do you see what happened? We had been looking for one perfect listener, and there is no such
person. There are only many listeners, and each of them is wrong in a different way. If you know
how they disagree, you know something about the sound that no expert could have told you.

Today the harbour is quieter. The ferry runs on batteries now, and last spring the whales came
back. We heard them before we saw them. That is all I wanted to say tonight. Please listen to
each other on the way home.
"""


# How long a word takes, in seconds, as a power of its letters. Like the pauses below, chosen by
# hand so that the talk has the pace of prepared speech.
LETTER_SECONDS, LETTER_POWER = 0.07, 0.8


def prepare(folder: Path, seed: int) -> None:
    """Write the talk as a recogniser would, with times: pauses are longer where sentences end."""
    generator = stream(seed, "tour", "talk")
    now, words = 0.4, []
    for token in tokens(TALK):
        length = LETTER_SECONDS * len(token.word) ** LETTER_POWER + float(
            generator.gamma(4.0, 0.02)
        )
        words.append(
            {"word": f" {token.written}", "start": round(now, 2), "end": round(now + length, 2)}
        )
        now += length + _pause(token.mark, generator.random(), float(generator.gamma(2.0, 1.0)))
    whisper = {"segments": [{"id": 0, "start": 0.0, "end": round(now, 2), "words": words}]}
    (folder / "talk.json").write_text(json.dumps(whisper) + "\n", encoding="utf-8")


def _pause(mark: str, uniform: float, size: float) -> float:
    """Return the silence after a word: mostly long at ends, short at commas, seldom elsewhere.

    `uniform`, a draw from 0 to 1, decides which kind of pause it is; `size` scales it. One
    sentence in five ends without a pause, and one word in 25 is followed by a hesitation.
    """
    if any(sign in ".?!" for sign in mark):
        return 0.35 + 0.2 * size if uniform < 0.8 else 0.05 * size
    if mark or uniform < 0.04:
        return 0.12 * size
    return 0.01 * size


TOUR = Tour(
    about="A made-up talk of 300 words, three simulated people who disagree, and two systems.",
    prepare=prepare,
    steps=(
        # the talk is written as a recogniser would, but its marks are those of its author
        Step("make", {"text": ("{folder}/talk.json",), "truth": True}),
        Step("ask", {"simulate": True, "people": 3}),
        Step("reconcile", {"by": "panel"}),
        Step("run", {"system": "cnn"}),
        Step("run", {"system": "pauses"}),
        Step("score", {"against": "panel", "resamples": 200}),
        Step("report"),
    ),
    extras=("nets",),
)
