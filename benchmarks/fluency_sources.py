"""What detectors of disfluency do on captions of sources that they did not learn from.

    python -m benchmarks.fluency_sources CAPTIONS DETECTOR ...

CAPTIONS is the folder of the benchmarks (audiocaps_eval.json, clotho_half_a.json, the 723
annotations, AudioCaps' test references), a DETECTOR a folder that `earmark train captions fluency`
wrote. A line each: the share of people's captions that are flagged at .9, agreement with the
annotations, and the total of `fense` with it on both benchmarks.
"""

import argparse
import json
from pathlib import Path

import numpy as np

from earmark.stats.rates import f1
from earmark.tables.rows import read_table
from earmark.tasks.captions import METRICS
from earmark.tasks.captions.audit.benchmark import read_benchmark
from earmark.tasks.captions.audit.protocol import judge
from earmark.tasks.captions.score.fluency.detector import detector
from earmark.tasks.captions.score.fluency.penalty import FACTOR, THRESHOLD
from earmark.values.counts import Hits

BENCHMARKS = ("audiocaps_eval.json", "clotho_half_a.json")


def peoples_captions(folder):
    rows = read_table(folder / "audiocaps_test_refs.csv", columns=("caption",))
    sounds = json.loads((folder / BENCHMARKS[1]).read_text())
    return (
        sorted({cells["caption"] for _, cells in rows}),
        sorted({text for sound in sounds for text in sound["references"]}),
    )


def agreement(contests, verdicts, own):
    """The share of decided contests that `sentence` with this detector's penalty gets right."""
    captions = [[contest.captions[side] for contest in contests] for side in (0, 1)]
    flagged = np.stack([own.probabilities(texts) > THRESHOLD for texts in captions], axis=1)
    scores = np.maximum(verdicts.scores, 0) * np.where(flagged, FACTOR, 1.0)
    preferred = np.array([contest.preferred for contest in contests])
    return ((scores[:, 0] - scores[:, 1]) * preferred > 0)[preferred != 0].mean()


def main(words=None):
    from sklearn.metrics import roc_auc_score

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("captions", type=Path)
    parser.add_argument("detectors", nargs="+", type=Path)
    options = parser.parse_args(words)
    people = peoples_captions(options.captions)
    table = options.captions / "fluency_annotations_723.csv"
    rows = [cells for _, cells in read_table(table, columns=("caption", "fluency_issue"))]
    truth = np.array([cells["fluency_issue"] == "1" for cells in rows])
    contests = [read_benchmark(options.captions / name) for name in BENCHMARKS]
    verdicts = [judge(one, METRICS["sentence"]()) for one in contests]
    for folder in options.detectors:
        own = detector(folder)
        shares = [100 * (own.probabilities(texts) > THRESHOLD).mean() for texts in people]
        probabilities = own.probabilities([cells["caption"] for cells in rows])
        flagged = probabilities > THRESHOLD
        both = int((flagged & truth).sum())
        hits = Hits(both, int(truth.sum()) - both, int(flagged.sum()) - both)
        totals = [
            100 * agreement(one, verdict, own)
            for one, verdict in zip(contests, verdicts, strict=True)
        ]
        print(
            f"{folder}: flagged {shares[0]:.1f} / {shares[1]:.1f} %   AUC "
            f"{roc_auc_score(truth, probabilities):.3f}   F1 {f1(hits):.3f}   fense "
            f"{totals[0]:.1f} / {totals[1]:.1f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
