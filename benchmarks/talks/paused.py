"""What pauses add to `committee`, and what they cost where they say nothing: made-up pauses.

    python -m benchmarks.talks.paused ted_test2011.tsv [--part 2000] [--seeds 5]

Words get silences drawn by a process that is ours and known to no system; no real talk with times
is measured. After 6 % of all words somebody hesitates (.3 s in the median, log-normal). `clear`:
after every end a pause of .6 s, after six of ten commas one of .3 s; `some`: the same after three
of four ends; `breath`: as `some`, and one word in eight has a pause of .6 s wherever it stands;
`nothing`: hesitations alone. Each part of so many words learns by itself, as a talk would. Printed
is F1 of ends, the mean over seeds and its range.
"""

import argparse
from pathlib import Path

import numpy as np

from earmark.stats.draw import stream
from earmark.stats.rates import f1
from earmark.tasks.boundaries.run.labelled import NONE, SENTENCE_ENDS, labelled_from_files
from earmark.tasks.boundaries.run.pause_odds import pause_log_odds
from earmark.tasks.boundaries.run.systems import KINDS, mean_log_odds, needed_log_odds, shipped
from earmark.values.counts import Hits

SPREAD = 0.6  # of the logarithm of a pause
ENDS = {"nothing": 0.0, "some": 0.75, "breath": 0.75, "clear": 1.0}


def silences(kind, ends, commas, rng):
    """Return seconds after every word."""

    def pause(seconds):
        return rng.lognormal(np.log(seconds), SPREAD, len(ends))

    gaps = np.where(rng.random(len(ends)) < 0.06, pause(0.3), 0.0)
    gaps = np.where(ends & (rng.random(len(ends)) < ENDS[kind]), pause(0.6), gaps)
    if kind != "nothing":
        gaps = np.where(commas & (rng.random(len(ends)) < 0.6), pause(0.3), gaps)
    if kind == "breath":
        gaps = np.where(rng.random(len(ends)) < 1 / 8, pause(0.6), gaps)
    return gaps


def measure(marked, ends):
    """Return F1 of ends."""
    hits = int((marked & ends).sum())
    return f1(Hits(hits, int(ends.sum()) - hits, int(marked.sum()) - hits))


def main():
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("text", type=Path)
    parser.add_argument("--part", type=int, default=2000)
    parser.add_argument("--seeds", type=int, default=5)
    given = parser.parse_args()
    texts = labelled_from_files((given.text,), units=None, encoding="utf-8")
    words = [word for text in texts for word in text.words]
    classes = np.concatenate([text.classes for text in texts])
    ends = np.isin(classes, SENTENCE_ENDS)
    members = [shipped(kind) for kind in KINDS]
    text, needed = mean_log_odds(members, words), needed_log_odds(members)
    starts = range(0, len(words), given.part)
    print(f"{len(words):,} words, no pauses: F1 {measure(text >= needed, ends):.3f}")
    for kind in ENDS:
        values = []
        for seed in range(given.seeds):
            gaps = silences(kind, ends, (classes != NONE) & ~ends, stream(seed, "pauses", kind))
            parts = [slice(start, start + given.part) for start in starts]
            both = [text[p] + pause_log_odds(gaps[p][:-1], text[p]) for p in parts]
            values.append(measure(np.concatenate(both) >= needed, ends))
        print(f"{kind}: F1 {np.mean(values):.3f}, {min(values):.3f} to {max(values):.3f}")


if __name__ == "__main__":
    main()
