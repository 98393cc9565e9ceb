"""What metrics do with a study's captions: how scores spread, grow with candidates, are gamed."""

import math
from collections.abc import Mapping, Sequence

from earmark.report.charts import curve_chart
from earmark.report.figure import Figure
from earmark.report.metric_names import MetricNames
from earmark.report.render import render
from earmark.report.tables import table
from earmark.score.evaluate import count_items
from earmark.score.metric import Metric
from earmark.task.view import View
from earmark.tasks.captions.values import Captions

# sounds in each picture, at even steps through the study, so that a report stays quick; chosen by
# hand: the slower the metrics of a picture, the fewer
DISTRIBUTION_SOUNDS, CANDIDATE_SOUNDS, ATTACK_SOUNDS = 300, 100, 60
FEWEST_SOUNDS = 3  # fewer say nothing about a metric
MOST_CANDIDATES = 20
DISTRIBUTION_METRICS = ("spice_plus", "spice_plus_emb", "sentence", "earshot")
ATTACKED_METRICS = ("earshot", "fense", "spice_plus_emb")
BANDWIDTH = 0.05  # of the Gaussian kernel of densities, on scores from 0 to 1; chosen by eye
DRAWN = (-0.2, 1.2)  # four bandwidths beyond scores of 0 and 1: no curve is cut
DENSITY_POINTS = 71


def draw_distributions(view: View) -> Figure | None:
    """Return scores of captions with their own references and with another sound's (Fig. 1)."""
    sounds = _sounds(view, DISTRIBUTION_SOUNDS)
    if not sounds or not view.outputs():
        return None
    from earmark.tasks.captions import METRICS

    items = list(sounds)
    references = {item: Captions(sounds[item].texts[1:]) for item in items}
    right = {item: Captions(sounds[item].texts[:1]) for item in items}
    wrong = dict(zip(items, [right[item] for item in (*items[1:], items[0])], strict=True))
    names = MetricNames(view.task)
    charts = {}
    for name in DISTRIBUTION_METRICS:
        metric, title = METRICS[name](), names[name].title
        charts[names[name].with_arrow] = curve_chart(
            {
                "of this sound": density(_values(metric, references, right)),
                "of another sound": density(_values(metric, references, wrong)),
            },
            x_title=f"{title} ({names[name].better})",
            y_title="density",
            label=f"Scores by {title}",
            x_range=DRAWN,
        )
    return Figure(
        "Scores of right and of wrong captions",
        render("earmark.tasks.captions.report/distributions.html", charts=charts),
        "A reference scored with the other references of its sound, and with those of another "
        "sound; densities, smoothed by a Gaussian kernel, which reaches a little beyond 0 and 1. A "
        "useful metric keeps the two apart; one with most wrong captions at 0 says "
        "little about how wrong they are.",
        wide=True,
    )


def _values(
    metric: Metric, references: Mapping[str, Captions], outputs: Mapping[str, Captions]
) -> list[float]:
    counts = count_items(metric, references, outputs, list(references))
    return [float(metric.rate(tally)) for tally in counts.values()]


def density(values: Sequence[float]) -> list[tuple[float, float]]:
    """Return a Gaussian kernel density of scores from 0 to 1; the area beneath it is 1."""
    (low, high), last = DRAWN, DENSITY_POINTS - 1
    peak = 1 / (BANDWIDTH * math.sqrt(2 * math.pi) * len(values))
    return [
        (x, peak * math.fsum(math.exp(-(((x - v) / BANDWIDTH) ** 2) / 2) for v in values))
        for x in (low + (high - low) * step / last for step in range(DENSITY_POINTS))
    ]


def draw_candidates(view: View) -> Figure | None:
    """Return precision and recall of SPICE+emb as more captions of a sound are taken (Fig. 2)."""
    sounds = _sounds(view, CANDIDATE_SOUNDS)
    captions = _captions_by_item(view)
    several = {item: captions[item] for item in sounds if len(captions.get(item, ())) > 1}
    if not several:
        return None
    from earmark.tasks.captions.score.graphs.comparison import curve

    most = min(len(texts) for texts in several.values())
    curves = [curve(sounds[item], Captions(texts[:most])) for item, texts in several.items()]
    precision, recall = (
        [
            (size, sum(points[size - 1][column] for points in curves) / len(curves))
            for size in range(1, most + 1)
        ]
        for column in (1, 2)
    )
    return Figure(
        "More captions of one sound",
        curve_chart(
            {"precision": precision, "recall": recall},
            x_title="captions taken as one",
            y_title="SPICE+emb",
            label="precision and recall by number of captions",
            y_range=(0, 1),
        ),
        "The captions of all systems, one after another, as one graph; mean over "
        f"{len(several)} sounds. Recall rises with whatever is added, so captions of different "
        "lengths or numbers should be compared by the F-score.",
    )


def _captions_by_item(view: View) -> dict[str, tuple[str, ...]]:
    """Return all systems' captions of each item, each once."""
    texts: dict[str, dict[str, None]] = {}
    for outputs in view.outputs().values():
        for item, output in outputs.items():
            texts.setdefault(item, {}).update(dict.fromkeys(output.value.texts))
    return {item: tuple(own)[:MOST_CANDIDATES] for item, own in texts.items()}


def _sounds(view: View, most: int) -> dict[str, Captions]:
    """Return sounds with two references or more, at most so many; none when too few."""
    truth = view.truth()
    if truth is None:
        return {}
    items = [item for item, captions in truth.values.items() if len(captions.texts) > 1]
    if len(items) < FEWEST_SOUNDS:
        return {}
    step = -(-len(items) // most)
    return {item: truth.values[item] for item in items[::step]}


def draw_attacks(view: View) -> Figure | None:
    """Return how often padding a caption raises its score."""
    sounds = _sounds(view, ATTACK_SOUNDS)
    if not sounds:
        return None
    from earmark.tasks.captions.audit.attacks import attack_table

    names = MetricNames(view.task)
    shares = attack_table(sounds, metrics=ATTACKED_METRICS, seed=0)
    rows = [
        [attack, *(f"{100 * row[metric]:.0f} %" for metric in ATTACKED_METRICS)]
        for attack, row in shares.items()
    ]
    return Figure(
        "Can it be gamed?",
        table(["added", *(names[metric].title for metric in ATTACKED_METRICS)], rows),
        f"Percent of {len(sounds)} references whose score rises when something superfluous is "
        "added. The lower, the better; with few sounds, one caption is several percent.",
    )
