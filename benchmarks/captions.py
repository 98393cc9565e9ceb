"""Captions: 1,000 candidates with five references each, beside pycocoevalcap and aac-metrics.

pycocoevalcap sends captions through a tokeniser in Java; its time is its own, as cutting captions
into words is ours. aac-metrics fetches that tokeniser from elsewhere: it cuts at blanks here, which
these captions allow, and its part for CLAP is left out.
"""

import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace

from benchmarks.rows import Row

WHO = "a dog|two men|heavy rain|an engine|birds|a train horn|a woman|water|a bell|people".split("|")
DOES = "barks|are speaking|is falling|idles|chirp|blows|laughs|flows|rings|cheer".split("|")
WHERE = "loudly|in the background|on a roof|nearby|in a forest|as wind blows|and stops".split("|")
SYLLABLES = "ba do ke li mu na po ri sa tu ve wo ya zu".split()
SIZE = 1000


def caption(draw):
    """A made-up caption; now and then of something that has not been named before."""
    parts = [draw.choice(WHO), draw.choice(DOES), draw.choice(WHERE)]
    if draw.random() < 0.6:
        parts += ["and", draw.choice(WHO), draw.choice(DOES), draw.choice(WHERE)]
    if draw.random() < 0.3:
        parts += ["near the", "".join(draw.choices(SYLLABLES, k=3))]
    return " ".join(parts)


def captions(size=SIZE, seed=5):
    """Item to references, and item to candidate."""
    draw = random.Random(seed)
    names = [f"sound-{at:04d}" for at in range(size)]
    return (
        {name: [caption(draw) for _ in range(5)] for name in names},
        {name: caption(draw) for name in names},
    )


def ours(*metrics):
    def side(made):
        from earmark.score.counting import Prepared
        from earmark.tasks.captions import METRICS
        from earmark.tasks.captions.values import Captions

        references = {name: Captions(tuple(texts)) for name, texts in made[0].items()}
        outputs = {name: Captions((text,)) for name, text in made[1].items()}
        prepared = Prepared(references, outputs, tuple(references))
        return [METRICS[name]().counts(prepared) for name in metrics]

    return side


def cut(made):
    """The words of both sides, by pycocoevalcap's own tokeniser."""
    from pycocoevalcap.tokenizer.ptbtokenizer import PTBTokenizer

    references = {name: [{"caption": text} for text in texts] for name, texts in made[0].items()}
    outputs = {name: [{"caption": text}] for name, text in made[1].items()}
    return PTBTokenizer().tokenize(references), PTBTokenizer().tokenize(outputs)


def pycocoevalcap(made):
    from pycocoevalcap.bleu.bleu import Bleu
    from pycocoevalcap.cider.cider import Cider
    from pycocoevalcap.rouge.rouge import Rouge

    references, outputs = cut(made)
    return [scorer.compute_score(references, outputs) for scorer in (Bleu(4), Rouge(), Cider())]


def java_meteor(made):
    """METEOR's own program, through pycocoevalcap."""
    from pycocoevalcap.meteor.meteor import Meteor

    return Meteor().compute_score(*cut(made))


def aac_metrics(made):
    sys.modules.setdefault("msclap", SimpleNamespace(CLAP=None))
    from aac_metrics.functional import bleu, cider_d, rouge_l

    references, outputs = list(made[0].values()), list(made[1].values())
    return [
        bleu(outputs, references),
        rouge_l(outputs, references),
        cider_d(outputs, references),
    ]


def graphs(made):
    """From nothing: the cache of vectors lies in a new folder."""
    with tempfile.TemporaryDirectory() as place:
        os.environ["EARMARK_CACHE"] = place
        return ours("spice_plus_emb")(made)


def files(items=166_667, seed=5):
    """A million captions, five to one, in two files; their folder, which goes with the process."""
    folder, draw = tempfile.TemporaryDirectory(), random.Random(seed)
    for name, each in (("references", 5), ("outputs", 1)):
        with (Path(folder.name) / f"{name}.csv").open("w") as file:
            file.write("item,caption\n")
            for at in range(items):
                file.writelines(f"sound-{at:06d},{caption(draw)}\n" for _ in range(each))
    return folder


def from_files(*metrics):
    """`earmark measure captions` in a process of its own, to see its memory."""

    def side(folder):
        command = [sys.executable, "-m", "earmark", "measure", "captions", "--quiet", "--json"]
        command += ["--reference", f"{folder.name}/references.csv"]
        command += ["--output", f"{folder.name}/outputs.csv"]
        command += [part for name in metrics for part in ("--metric", name)]
        subprocess.run(command, check=True, capture_output=True)

    return side


ROWS = [
    Row(
        "bleu, rouge, cider: 1,000 captions x 5 references",
        setup=captions,
        sides={
            "earmark": ours("bleu_4", "rouge_l", "cider"),
            "pycocoevalcap": pycocoevalcap,
            "aac-metrics": aac_metrics,
        },
        target="at least 5 x both",
    ),
    Row(
        "meteor: 1,000 captions x 5 references, its index of paraphrases made before",
        setup=captions,
        sides={"earmark": ours("meteor"), "Java through pycocoevalcap": java_meteor},
        target="at least 5 x",
    ),
    Row(
        "a million captions from files: cider",
        setup=files,
        sides={"earmark": from_files("cider")},
        repeats=1,
        target="within 1 GB",
    ),
    Row(
        "spice_plus_emb: 1,000 captions x 5 references",
        setup=captions,
        sides={"earmark": graphs},
        repeats=1,
        target="under 60 s of CPU on one core",
    ),
]
