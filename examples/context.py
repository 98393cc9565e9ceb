"""Swap nouns in some talks, look for them, and see what needs context to be found."""

import tempfile
from pathlib import Path

from earmark.study import Study
from earmark.tasks.context import Flags, Scores, best_f
from earmark.tasks.context.tour import prepare

# One number from two things you already have.
truth = Flags(5, frozenset({1, 3}))
print(best_f()(truth, Scores((0.1, 0.9, 0.8, 0.7, 0.2))))

with tempfile.TemporaryDirectory() as name:
    folder = Path(name)
    prepare(folder, seed=7)  # writes talks.jsonl; any file of documents will do
    study = Study.create(folder / "talks", task="context", seed=7)
    study.make(text=folder / "talks.jsonl", swaps=5)

    # What was swapped in the first talk, and where it had been said before.
    item = study.items()[0]
    for swap in study.truth().values[item.id].swaps:
        print(f"{item.id}: {swap.was} -> {swap.now}, last said {swap.nouns_back} nouns before")

    # The same detector with the words beside a noun alone, and with the whole talk. Each talk is
    # read by a detector that learnt from the others.
    for system in ("local", "discourse"):
        study.run(system, train_on="truth")
    answer = study.score(against="truth", resamples=200)
    for system, result in answer["systems"].items():
        score = result["scores"]["best_f"]
        print(f"{system}: best F {score['value']:.3f} [{score['low']:.3f}, {score['high']:.3f}]")
