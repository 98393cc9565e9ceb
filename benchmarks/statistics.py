"""Rows of the house: agreement and resampling."""

from typing import Any

from benchmarks.rows import Row


def make_answers() -> Any:
    import numpy as np

    rng = np.random.default_rng(0)
    people, items = 680, 20_520
    answers = np.full((people, items), np.nan)
    for item in range(items):
        chosen = rng.choice(people, 5, replace=False)
        answers[chosen, item] = rng.integers(0, 2, 5)
    return answers


def alpha_from_counts(answers: Any) -> float:
    import numpy as np

    from earmark.stats.agreement import krippendorff_alpha

    table = np.stack([(answers == label).sum(axis=0) for label in (0, 1)], axis=1)
    return krippendorff_alpha(table)


def alpha_from_matrix(answers: Any) -> float:
    import krippendorff

    return float(krippendorff.alpha(answers, level_of_measurement="nominal"))


def make_outputs() -> Any:
    import numpy as np

    rng = np.random.default_rng(0)
    return rng.integers(0, 9, size=(10_000, 3)).tolist()


def resample_rows(rows: Any) -> Any:
    from earmark.score.evaluate import evaluate
    from earmark.score.metric import Metric
    from earmark.stats.rates import f1
    from earmark.values.counts import Hits

    metric = Metric("bench", "f1", lambda _, output: Hits(*output), f1)
    sides = {f"item-{index}": row for index, row in enumerate(rows)}
    return evaluate(metric, sides, sides, resamples=1000)


def resample_loop(rows: Any) -> Any:
    import numpy as np

    rng = np.random.default_rng(0)
    values = []
    for _ in range(1000):
        drawn = rng.integers(0, len(rows), len(rows))
        true_positives = false_negatives = false_positives = 0
        for index in drawn:
            true_positives += rows[index][0]
            false_negatives += rows[index][1]
            false_positives += rows[index][2]
        wrong = false_negatives + false_positives
        values.append(2 * true_positives / (2 * true_positives + wrong))
    return np.quantile(values, [0.025, 0.975])


ROWS = [
    Row(
        "Krippendorff's alpha, 680 people x 20,520 items",
        make_answers,
        {"earmark": alpha_from_counts, "krippendorff": alpha_from_matrix},
    ),
    Row(
        "1,000 resamples of F1 over 10,000 items",
        make_outputs,
        {"earmark": resample_rows, "plain loop": resample_loop},
        repeats=1,
    ),
]
