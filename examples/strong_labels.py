"""Strong labels from a crowd's weak ones: sections 3.1 to 3.4 of Martin-Morato et al. 2021.

Twenty soundscapes of three minutes are laid out as in the paper, 680 simulated people answer
17,100 questions about windows of ten seconds, and every way of reconciling is scored against the
truth. docs/strong-labels.md says what differs from the paper, and why.

    python examples/strong_labels.py [seed] [recordings]
"""

import sys

import numpy as np

from earmark.reconcile.competence import alpha_by_trust
from earmark.score.metric import Metric
from earmark.tasks.events import tag_f1, tag_precision, tag_recall, trial
from earmark.tasks.events.reconcile import mace_fit
from earmark.tasks.events.score.tallies import ByLabel
from earmark.values.counts import Hits

PAPER = {
    "all": "ER .55 (S .01 D .51 I .03)  F1 .626 P .912 R .477  F.7 .390  F.1 .674",
    "trusted": "ER .44 (S .02 D .36 I .05)  F1 .726 P .889 R .613  F.7 .440  F.1 .813",
    "mace vb": "ER .36 (S .02 D .19 I .14)  F1 .801 P .823 R .779  F.7 .412  F.1 .895",
}
TAGS = {"majority": "P .98 R .52 F .68", "mace": "P .97 R .77 F .86", "union": "P .70 R .89 F .78"}


def tag_line(truth: np.ndarray, tags: np.ndarray) -> str:
    found, missed, made_up = (truth & tags).sum(), (truth & ~tags).sum(), (~truth & tags).sum()
    counts = ByLabel.of({"any": Hits(int(found), int(missed), int(made_up))})
    metrics: list[Metric] = [tag_precision(), tag_recall(), tag_f1()]
    return " ".join(f"{n} {m.rate(counts):.2f}" for n, m in zip("PRF", metrics, strict=True))


def main(seed: int = 7, recordings: int = 20) -> None:
    found = trial.trial(seed, recordings=recordings)
    sheet, truth = found.sheet, trial.true_tags(found)
    events = sum(len(line.events) for line in found.truth.values())
    print(f"{recordings} recordings, {events} events, {sheet.windows} windows, ", end="")
    print(f"{len(sheet.window)} answers from {len(sheet.people)} people\n\nTags of windows")
    fit = mace_fit(sheet, inference="vb", restarts=10, iterations=50, seed=seed)
    ticked, asked = sheet.votes()
    tags = {"majority": ticked * 2 > asked[:, None], "mace": trial.tags_of(sheet, fit)}
    for name, chosen in {**tags, "union": ticked > 0}.items():
        print(f"  {name:9} ours {tag_line(truth, chosen):26} paper {TAGS[name]}")
    print("\nAgreement among people above a competence: the paper has .57, .72 and .80")
    for row in alpha_by_trust(sheet.pairs(), fit.competence, (-1.0, 0.6, 0.8)):
        print(f"  above {max(0, row.threshold):.1f}: {row.people} people, alpha {row.alpha:.2f}")
    print("\nTable 2")
    for name, lines in trial.ways(sheet, seed):
        row = trial.table_row(found.truth, lines)
        print(f"  {name:10} ours  " + "  ".join(f"{k} {v:.3f}" for k, v in row.items()))
        if name in PAPER:
            print(f"  {'':10} paper {PAPER[name]}")


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))
