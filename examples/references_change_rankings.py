"""What an imperfect reference does to results: Table 3 of Martin-Morato et al. 2021, and ranks.

The same outputs are scored against the truth and against labels that a simulated crowd gave;
systems are also trained on those labels. Each difference has an interval over recordings, and the
order of six systems under each reference is compared with that under the truth. By default a few
short recordings, to show how; docs/references.md has the figures of the full size:

    python examples/references_change_rankings.py [seed] [recordings] [seconds] [epochs]
    python examples/references_change_rankings.py 7 20 180 20
"""

import sys
import tempfile
import time

from earmark import Study

REFERENCES = {"trusted": "trusted", "mace": "mace", "hmm": "window-hmm"}
# name, system, what it learns from
SYSTEMS = [
    ("crnn", "crnn", "truth"),
    ("crnn-mace", "crnn", "mace"),
    ("crnn-hmm", "crnn", "hmm"),
    ("energy", "energy", "truth"),
    ("energy-mace", "energy", "mace"),
    ("loud", "loud", "truth"),
]
ROWS = {
    "crnn@truth": ".49  .648 .264 .396",
    "crnn@trusted": ".78  .491 .125 .312",
    "crnn@mace": ".65  .522 .130 .311",
    "crnn-mace@mace": ".58  .559 .164 .403",
    "crnn@hmm": "",
    "crnn-hmm@hmm": "",
}
METRICS = {"ER": "segment_error_rate", "F1": "segment_f1", "F.7": "intersection_f1"}


def prepared(folder: str, seed: int, recordings: int, seconds: int, epochs: int) -> Study:
    """Return a study with soundscapes, a crowd's references, and outputs of six systems."""
    study = Study.create(f"{folder}/street", task="events", seed=seed)
    study.make("soundscapes", recordings=recordings, seconds=float(seconds))
    study.ask(simulate=True)
    for name, method in REFERENCES.items():
        study.reconcile(method, name)
    for name, system, reference in SYSTEMS:
        how = {"epochs": epochs} if system == "crnn" else {}
        # two folds: clips that are tested on are never learned from
        study.run(system, name=name, train_on=reference, folds=2, **how)
    return study


def compared(study: Study) -> dict:
    """Return rows and orders by each metric; the last asks for little overlap."""
    names, rows = tuple(METRICS.values()), tuple(ROWS)
    metrics = study.compare_references(rows=rows, metrics=names)["metrics"]
    loose = study.compare_references(
        rows=rows, metrics=("intersection_f1",), detection=0.1, coverage=0.1
    )["metrics"]
    results = {title: metrics[name] for title, name in METRICS.items()}
    return {**results, "F.1": loose["intersection_f1"]}


def show_table_3(results: dict) -> None:
    """Print every row's values, and how far each is from the first row's."""
    print("Table 3: value, difference to the first row [95 % interval over recordings]")
    for title, result in results.items():
        print(f"  {title}")
        for row, name in zip(result["rows"][0], ROWS, strict=True):
            words = "undefined" if row["value"] is None else f"{row['value']:.3f}"
            difference = row.get("difference", {"value": None, "low": None})
            if difference["value"] is not None:
                words += f"  {difference['value']:+.3f}"
            if difference["low"] is not None:
                words += " [{low:+.3f}, {high:+.3f}]".format(**difference)
            print(f"    {name:15} {words}")
    print("  the paper: ER, F1, F.7, F.1")
    for name, paper in ROWS.items():
        if paper:
            print(f"    {name:15} {paper}")


def show_orders(orders: list) -> None:
    """Print the order of the six systems under each reference, and how often it changes."""
    print("\nThe order of six systems by segment F1; in resamples of the recordings:")
    for row in orders:
        print(f"  {row['reference']:8} {' > '.join(row['order'])}")
        own = row["resampled"]
        print(f"  {'':8} {len(row['swapped'])} of {row['pairs']} pairs turned round", end="")
        changed, best = own["order_changed"], own["another_is_best"]
        print(f"; order changed in {changed:.0%}, another system best in {best:.0%}")


def main(seed: int = 7, recordings: int = 4, seconds: int = 60, epochs: int = 3) -> None:
    start = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        study = prepared(folder, seed, recordings, seconds, epochs)
        results = compared(study)
        show_table_3(results)
        show_orders(results["F1"]["orders"])
    print(f"\n{time.process_time() - start:.0f} CPU seconds")


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))
