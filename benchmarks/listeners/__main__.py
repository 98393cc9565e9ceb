"""What recognisers trained on real recordings call the synthesised sounds.

    python scripts/peers.py listeners
    .bench/listeners/bin/python -m benchmarks.listeners [--real DIR] [--seeds 100 130]

`--real` names a folder with one folder of real clips a label (dog, helicopter, crying_baby,
speech ...), the controls that show how good a recogniser is. Development used the seeds 0 to 29.
These are machines, not people: they tell whether a sound has what real ones have.
"""

import argparse
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from benchmarks.listeners import birdnet, notes, speech_music

RATE = 22_050
MOST = 30


def made(seeds: range) -> Iterator[tuple[str, list[Any]]]:
    """Every class with one clip a seed, drawn as soundscapes draw theirs."""
    from earmark.tasks.events.make.clips import synthesised_clips
    from earmark.tasks.events.make.sounds import SOUNDS

    for label in SOUNDS:
        yield label, [synthesised_clips(RATE, seed).samples(label, 0) for seed in seeds]


def controls(folder: Path | None) -> Iterator[tuple[str, list[Any]]]:
    """The controls: real clips, real music, and noise that is nothing at all."""
    from earmark.audio.noise import noise
    from earmark.files.sound import read_sound

    for place in sorted(folder.iterdir()) if folder else ():
        paths = sorted(path for path in place.rglob("*") if path.suffix in (".flac", ".wav"))
        chosen = paths[:: max(1, len(paths) // MOST)][:MOST]
        yield place.name, [read_sound(path, rate=RATE)[0] for path in chosen]
    found = find_spec("arcade")
    tracks = Path(str(found.origin)).parent.glob("**/music/*.mp3") if found else ()
    songs = [read_sound(path, rate=RATE)[0] for path in sorted(tracks)]
    parts = [song[k : k + 10 * RATE] for song in songs for k in range(RATE, len(song), 10 * RATE)]
    if parts:
        yield "music", [part for part in parts[:MOST] if np.abs(part).max() > 0]
    rng = np.random.default_rng(0)
    yield "brown noise", [noise("brown", 5 * RATE, rate=RATE, rng=rng) for _ in range(MOST)]


def main(seeds: range, folder: Path | None) -> None:
    """Print a row for every class and every control."""
    head = ["clips", *birdnet.HEAD, *speech_music.HEAD, *notes.HEAD]
    print(f"seeds {seeds.start} to {seeds.stop - 1}, real clips of {folder or 'nowhere'}")
    print("| | " + " | ".join(head) + " |\n|" + "---|" * (len(head) + 1))
    for kind, rows in (("made", made(seeds)), ("control", controls(folder))):
        for name, clips in rows:
            cells = birdnet.row(name, clips, RATE)
            cells += speech_music.row(clips, RATE) + notes.row(clips, RATE)
            print(f"| {kind} {name} | {len(clips)} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--real", type=Path)
    asked.add_argument("--seeds", type=int, nargs=2, default=(100, 130))
    given = asked.parse_args()
    main(range(*given.seeds), given.real)
