"""Captions: 1,000 candidates with five references each, beside pycocoevalcap and aac-metrics.

Both peers send captions through a tokeniser in Java; its time is theirs, as cutting captions into
words is ours. Where there is no Java, their sides are given words that are already cut.
"""

from benchmarks.rows import Row

WHO = "a dog|two men|heavy rain|an engine|birds|a train horn|a woman|water|a bell|people".split("|")
DOES = "barks|are speaking|is falling|idles|chirp|blows|laughs|flows|rings|cheer".split("|")
WHERE = "loudly|in the background|on a roof|nearby|in a forest|as wind blows|and stops".split("|")
SIZE = 1000


def captions(size=SIZE, seed=5):
    """Made-up captions: item to references, and item to candidate."""
    import numpy as np

    draw = np.random.default_rng(seed)

    def one():
        parts = [draw.choice(WHO), draw.choice(DOES), draw.choice(WHERE)]
        if draw.random() < 0.6:
            parts += ["and", draw.choice(WHO), draw.choice(DOES), draw.choice(WHERE)]
        return " ".join(parts)

    names = [f"sound-{at:04d}" for at in range(size)]
    return {name: [one() for _ in range(5)] for name in names}, {name: one() for name in names}


def ours(*metrics):
    def side(made):
        from earmark.tasks.captions.score.names import METRICS
        from earmark.tasks.captions.values import Captions

        references = {name: Captions(tuple(texts)) for name, texts in made[0].items()}
        outputs = {name: Captions((text,)) for name, text in made[1].items()}
        return [METRICS[name]().count_all(references, outputs) for name in metrics]

    return side


def cut(made):
    """The words of both sides, by the peers' own tokeniser where Java is there."""
    import shutil

    references = {name: [{"caption": text} for text in texts] for name, texts in made[0].items()}
    outputs = {name: [{"caption": text}] for name, text in made[1].items()}
    if shutil.which("java"):
        from pycocoevalcap.tokenizer.ptbtokenizer import PTBTokenizer

        return PTBTokenizer().tokenize(references), PTBTokenizer().tokenize(outputs)
    plain = [{n: [row["caption"] for row in rows] for n, rows in side.items()}
             for side in (references, outputs)]  # fmt: skip
    return plain[0], plain[1]


def pycocoevalcap(made):
    from pycocoevalcap.bleu.bleu import Bleu
    from pycocoevalcap.cider.cider import Cider
    from pycocoevalcap.rouge.rouge import Rouge

    references, outputs = cut(made)
    return [scorer.compute_score(references, outputs) for scorer in (Bleu(4), Rouge(), Cider())]


def aac_metrics(made):
    from aac_metrics.functional import bleu, cider_d, rouge_l

    references, outputs = list(made[0].values()), list(made[1].values())
    return [
        bleu(outputs, references),
        rouge_l(outputs, references),
        cider_d(outputs, references),
    ]


def graphs(made):
    """From nothing: the cache of vectors lies in a new folder."""
    import os
    import tempfile

    with tempfile.TemporaryDirectory() as place:
        os.environ["EARMARK_CACHE"] = place
        return ours("spice_plus_emb")(made)


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
        "spice_plus_emb: 1,000 captions x 5 references",
        setup=captions,
        sides={"earmark": graphs},
        repeats=1,
        target="under 60 s of CPU on one core",
    ),
]
