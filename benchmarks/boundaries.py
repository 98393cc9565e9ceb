"""Boundaries: all metrics at once, beside segeval and the design of the authors' tool.

The authors' tool is on no package index. `nearest_window` repeats its design from its
description: for every boundary of the output, a loop over all windows to find the nearest.
"""

from benchmarks.rows import Row


def panel_of(words, people, seed=3):
    """Return people who each keep most of a common segmentation and add marks of their own."""
    import numpy as np

    from earmark.tasks.boundaries.values import Boundaries, Panel

    draw = np.random.default_rng(seed)
    common = np.flatnonzero(draw.random(words) < 1 / 16)

    def one():
        common_marks = common[draw.random(len(common)) < 0.8] + draw.integers(0, 2)
        own = draw.integers(0, words, size=words // 100)
        marks = np.union1d(common_marks[common_marks < words], own)
        return Boundaries(words, frozenset(marks.tolist())).with_final()

    return Panel(tuple(one() for _ in range(people))), one()


def earmark(sides):
    """Every metric of the task that is linear in the words: all of them.

    Values keep their sorted positions once a metric asked for them, so each repeat gets new ones.
    """
    from earmark.tasks.boundaries import TASK
    from earmark.tasks.boundaries.values import Boundaries, Panel

    panel = Panel(tuple(Boundaries(one.length, one.after) for one in sides[0].references))
    output = Boundaries(sides[1].length, sides[1].after)
    metrics = [build() for build in TASK.score.values()]
    return [metric.rate(metric.count(panel, output)) for metric in metrics]


def sizes_of(sides):
    panel, output = sides
    return [one.sizes for one in panel.references], output.sizes


def segeval_pk(sides):
    import segeval

    references, output = sizes_of(sides)
    return [segeval.pk(output, one) for one in references]


def segeval_three(sides):
    import segeval

    references, output = sizes_of(sides)
    return [
        (
            segeval.pk(output, one),
            segeval.window_diff(output, one),
            segeval.boundary_similarity(output, one),
        )
        for one in references
    ]


def nearest_window(sides):
    """Return WiSeBE by finding, for each boundary of the output, the nearest of all windows."""
    panel, output = sides
    marked = [sum(at in one.after for one in panel.references) for at in range(panel.length)]
    windows = []
    for at, votes in enumerate(marked):
        if votes and windows and at - windows[-1][1] <= 3:
            windows[-1][1] = at
        elif votes:
            windows.append([at, at])
    inside, hit, far = 0, set(), 0
    for at in sorted(output.after):
        best = None
        for number, (first, last) in enumerate(windows):
            distance = max(first - at, at - last, 0)
            if best is None or distance < best[0]:
                best = (distance, number)
        if best[0] == 0:
            inside += 1
            hit.add(best[1])
        else:
            far += best[0]
    precision, recall = inside / len(output.after), len(hit) / len(windows)
    agreement = sum(v for v in marked if v > 1) / (len(panel.references) * sum(map(bool, marked)))
    return 2 * precision * recall / (precision + recall) * agreement


ROWS = [
    Row(
        "a million words, ten references, all 19 metrics",
        setup=lambda: panel_of(1_000_000, 10),
        sides={"earmark": earmark, "segeval, Pk alone": segeval_pk},
        repeats=1,
        target="under 3 s of CPU",
    ),
    Row(
        "100,000 words, ten references, all 19 metrics",
        setup=lambda: panel_of(100_000, 10),
        sides={
            "earmark": earmark,
            "segeval, Pk, WindowDiff, B": segeval_three,
            "authors' design, WiSeBE alone": nearest_window,
        },
        repeats=1,
    ),
]
