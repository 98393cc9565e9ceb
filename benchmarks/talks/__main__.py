"""How the systems of boundaries and context do on talks: figures, intervals, CPU seconds.

    python -m benchmarks.talks boundaries ted_test2011.tsv OUT --system "language-model --fast"
    python -m benchmarks.talks context talks.jsonl.gz OUT --talks 20 --system "discourse-lm --fast"

Every step is a command of `earmark`, printed before it is run. `boundaries` prints F1 of ends with
an interval that resamples blocks of 250 words (a file of talks is one text), and CPU seconds a
word. `context` makes each kind of corruption on talks drawn by the seed from the 150 test talks of
the split 700/50/150, prints best F with an interval over talks, beside the floor that learns
nothing (`said-once`), and CPU seconds a talk.
"""

import argparse
import json
import shlex
import subprocess
import sys
from pathlib import Path

BLOCK, RESAMPLES = 250, 1000
KINDS = {
    "paper-2018": ["--preset", "paper-2018"],
    "clean": [],
    "same-talk": ["--same-talk"],
    "sound-alike": ["--sound-alike"],
    "recogniser": ["--recogniser"],
}


def earmark(*words):
    """Run a command and return what it printed; stop if it fails."""
    command = [str(word) for word in words]
    print("  earmark", shlex.join(command), flush=True)
    done = subprocess.run(
        [sys.executable, "-m", "earmark", *command], capture_output=True, text=True
    )
    if done.returncode:
        sys.exit(done.stderr)
    return done.stdout


def rows_of(path):
    """Return the lines of a file after its heading."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()[1:]]


def boundaries(words):
    """Run systems on one text with marks."""
    import numpy as np

    earmark("make", "boundaries", words.out, "--text", words.text)
    truth = rows_of(words.out / "1-material" / "truth.jsonl")[0]["value"]
    length = truth["length"]
    right = np.isin(np.arange(length - 1), truth["after"])
    for line in words.system:
        system, *options = shlex.split(line)
        earmark("run", words.out, system, *options)
        folder = words.out / "4-outputs" / system
        value = rows_of(folder / "outputs.jsonl")[0]["value"]
        cost = json.loads((folder / "cost.json").read_text())["cpu_seconds"]
        marked = np.isin(np.arange(length - 1), value["after"])
        counts = np.stack([right & marked, right, marked])  # the end of the text is left out
        blocks = np.add.reduceat(counts.astype(int), np.arange(0, length - 1, BLOCK), axis=1)
        draw = np.random.default_rng(words.seed)
        drawn = draw.integers(blocks.shape[1], size=(RESAMPLES, blocks.shape[1]))
        both, ends, said = blocks[:, drawn].sum(-1)
        low, high = np.quantile(2 * both / (ends + said), [0.025, 0.975])
        both, ends, said = counts.sum(-1)
        print(
            f"{system}: F1 of ends {2 * both / (ends + said):.3f} [{low:.3f}, {high:.3f}], "
            f"precision {both / said:.3f}, recall {both / ends:.3f}, {length:,} words, "
            f"{cost / length:.4f} CPU s a word",
            flush=True,
        )


def context(words):
    """Run systems on talks changed in several ways, beside the floor."""
    for kind in words.kind or KINDS:
        study = words.out / kind
        parts = (850 - words.talks, 50, words.talks)
        split = [text for size in parts for text in ("--split", size)] + ["--part", "test"]
        made = [*KINDS[kind], *shlex.split(words.make), *(split if words.talks else ())]
        earmark("make", "context", study, "--text", words.text, "--seed", words.seed, *made)
        for line in ("said-once", *words.system):
            earmark("run", study, *shlex.split(line))
        scored = json.loads(earmark("score", study, "--against", "truth", "--json"))["systems"]
        for system, row in scored.items():
            best = row["scores"]["best_f"]
            at = row["scores"].get("f_at_dev_threshold", {}).get("value")
            cost = json.loads((study / "4-outputs" / system / "cost.json").read_text())
            print(
                f"{kind}, {best['items']} talks, {system}: best F {best['value']:.3f} "
                f"[{best['low']:.3f}, {best['high']:.3f}]"
                + (f", at its threshold {at:.3f}" if at is not None else "")
                + f", {cost['cpu_seconds'] / best['items']:.1f} CPU s a talk",
                flush=True,
            )


def main():
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("task", choices=("boundaries", "context"))
    parser.add_argument("text", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument(
        "--system", action="append", required=True, help="a system, with its options in quotes"
    )
    parser.add_argument("--kind", action="append", choices=KINDS)
    parser.add_argument("--talks", type=int, default=20, help="0: all of the file, without a split")
    parser.add_argument("--make", default="", help="further options of `make context`, in quotes")
    parser.add_argument("--seed", type=int, default=7)
    words = parser.parse_args()
    {"boundaries": boundaries, "context": context}[words.task](words)


if __name__ == "__main__":
    main()
