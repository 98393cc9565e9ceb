"""Strong labels from a crowd's weak ones: sections 3.1 to 3.4 of Martin-Morato et al. 2021.

Twenty soundscapes of three minutes are made as in the paper, 680 simulated people answer 17,100
questions about windows of ten seconds, and every method of reconciling is scored against the
truth. docs/strong-labels.md says what differs from the paper, and why.

    python examples/strong_labels.py [seed] [recordings]
"""

import sys
import tempfile

import numpy as np

from earmark import Study, evaluate
from earmark.reconcile.competence import alpha_by_trust
from earmark.stats import rates
from earmark.tasks import events
from earmark.tasks.events.reconcile.methods import mace_fit, tags_of
from earmark.tasks.events.reconcile.window_answers import window_answers
from earmark.values.counts import Hits

TAGS = {"majority": "P .98 R .52 F .68", "mace": "P .97 R .77 F .86", "union": "P .70 R .89 F .78"}
TABLE_2 = {
    "all": "ER .55 (S .01 D .51 I .03)  F1 .626 P .912 R .477  F.7 .390  F.1 .674",
    "trusted": "ER .44 (S .02 D .36 I .05)  F1 .726 P .889 R .613  F.7 .440  F.1 .813",
    "mace-vb": "ER .36 (S .02 D .19 I .14)  F1 .801 P .823 R .779  F.7 .412  F.1 .895",
}
METHODS = {
    "all": ("share", {}),
    "trusted": ("trusted", {}),
    "mace-vb": ("mace", {}),
    "mace-em": ("mace", {"inference": "em"}),
    "window-hmm": ("window-hmm", {}),
}
METRICS = {
    "F1": events.segment_f1(),
    "P": events.segment_precision(),
    "R": events.segment_recall(),
    "F.7": events.intersection_f1(),
    "F.1": events.intersection_f1(detection=0.1, coverage=0.1),
}


def show_windows(study: Study, seed: int) -> None:
    """Print how good the tags of single windows are, and how far people agree."""
    answers, truth = window_answers(study.ballots()), study.truth().values
    sounding = np.array([
        [any(e.label == k and e.onset < u.span.end and e.offset > u.span.start
             for e in truth[u.group].events) for k in answers.labels]
        for u in study.units()
    ])  # fmt: skip
    fit = mace_fit(answers, inference="vb", restarts=10, iterations=50, seed=seed)
    ticked, asked = answers.votes()
    tags = {"majority": ticked * 2 > asked[:, None], "mace": tags_of(fit, answers)}
    print("Tags of windows")
    for name, chosen in {**tags, "union": ticked > 0}.items():
        parts = (sounding & chosen, sounding & ~chosen, ~sounding & chosen)
        hits = Hits(*(int(part.sum()) for part in parts))
        values = (rates.precision(hits), rates.recall(hits), rates.f1(hits))
        ours = "P {:.2f} R {:.2f} F {:.2f}".format(*values)
        print(f"  {name:9} ours {ours:26} paper {TAGS[name]}")
    print("\nAgreement among people above a competence: the paper has .57, .72 and .80")
    for row in alpha_by_trust(answers.pairs(), fit.competence, (-1.0, 0.6, 0.8)):
        print(f"  above {max(0, row.threshold):.1f}: {row.people} people, alpha {row.alpha:.2f}")


def show_table_2(study: Study) -> None:
    """Print how good the strong labels of each method are."""
    truth = study.truth().values
    print("\nTable 2")
    for name, (method, options) in METHODS.items():
        study.reconcile(method, name, **options)
        lines = study.reference(name).values
        error = evaluate(events.segment_error_rate(), truth, lines, resamples=0)
        parts = {k[0].upper(): error.parts[k] for k in ("substitutions", "deletions", "insertions")}
        row = {"ER": error.value, **parts}
        row |= {k: evaluate(m, truth, lines, resamples=0).value for k, m in METRICS.items()}
        print(f"  {name:10} ours  " + "  ".join(f"{k} {v:.3f}" for k, v in row.items()))
        if name in TABLE_2:
            print(f"  {'':10} paper {TABLE_2[name]}")


def main(seed: int = 7, recordings: int = 20) -> None:
    with tempfile.TemporaryDirectory() as folder:
        study = Study.create(f"{folder}/street", task="events", seed=seed)
        study.make("soundscapes", recordings=recordings)
        asked = study.ask(simulate=True)
        count = sum(len(line.events) for line in study.truth().values.values())
        print(f"{recordings} recordings, {count} events, {asked['units']} windows, ", end="")
        print(f"{asked['answers']} answers from {asked['answered_by']} people\n")
        show_windows(study, seed)
        show_table_2(study)


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))
