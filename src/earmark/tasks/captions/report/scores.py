"""What metrics do with a study's captions: how scores spread, grow with candidates, are gamed."""

from collections.abc import Mapping, Sequence
from html import escape

from earmark.report.figure import Figure
from earmark.report.svg import curve_chart, element
from earmark.score.evaluate import count_items
from earmark.score.metric import Metric
from earmark.task.view import View
from earmark.tasks.captions.values import Captions

BINS = 24
SPREAD_OVER, GROWN_OVER, ATTACKED = 300, 100, 60
MOST_CANDIDATES = 20
FEWEST = 3


def draw_distributions(view: View) -> Figure | None:
    """Scores of captions with their own references and with another sound's (Fig. 1)."""
    held = _held(view, SPREAD_OVER)
    if not held or not view.outputs():
        return None
    from earmark.tasks.captions.score.metrics import METRICS

    names = list(held)
    references = {item: Captions(held[item].texts[1:]) for item in names}
    right = {item: Captions(held[item].texts[:1]) for item in names}
    turned = dict(zip(names, [*names[1:], names[0]], strict=True))
    wrong = {item: right[turned[item]] for item in names}
    parts = []
    for metric in ("spice_plus", "spice_plus_emb", "sentence", "earshot"):
        curves = {
            label: _density(_values(METRICS[metric](), references, side))
            for label, side in (("of this sound", right), ("of another sound", wrong))
        }
        parts.append(element("div", element("h4", metric), _chart(curves, metric)))
    return Figure(
        title="Scores of right and of wrong captions",
        body=element("div", *parts, class_="beside"),
        caption="A reference scored with the other references of its sound, and with those of "
        "another sound. A useful metric keeps the two apart; one with most wrong captions at 0 "
        "says little about how wrong they are.",
        wide=True,
    )


def _values(
    metric: Metric, references: Mapping[str, Captions], outputs: Mapping[str, Captions]
) -> list[float]:
    counts = count_items(metric, references, outputs, list(references))
    return [float(metric.rate(tally)) for tally in counts.values()]


def draw_candidates(view: View) -> Figure | None:
    """Precision and recall of SPICE+emb as more captions of a sound are taken (Fig. 2)."""
    held = _held(view, GROWN_OVER)
    said = {item: texts for item in held if len(texts := _said(view, item)) > 1}
    if not said:
        return None
    from earmark.tasks.captions.score.graphs.spice_plus import curve

    most = min(len(texts) for texts in said.values())
    rows = [curve(held[item], Captions(texts[:most])) for item, texts in said.items()]
    grown = range(1, most + 1)
    precision, recall = (
        [(at, sum(row[at - 1][part] for row in rows) / len(rows)) for at in grown]
        for part in (1, 2)
    )
    return Figure(
        title="More captions of one sound",
        body=curve_chart(
            {"precision": precision, "recall": recall},
            x_title="captions taken as one",
            y_title="SPICE+emb",
            label="precision and recall by number of captions",
            y_range=(0, 1),
        ),
        caption="The captions of all systems, one after another, as one graph; mean over "
        f"{len(said)} sounds. Recall rises with whatever is added, so captions of different "
        "lengths or numbers should be compared by the F-score.",
    )


def _said(view: View, item: str) -> tuple[str, ...]:
    """All systems' captions of an item, each once."""
    texts = [
        t for found in view.outputs().values() if item in found for t in found[item].value.texts
    ]
    return tuple(dict.fromkeys(texts))[:MOST_CANDIDATES]


def _held(view: View, most: int) -> dict[str, Captions]:
    """Sounds with two references or more, at most so many, at even steps; none when too few."""
    truth = view.truth()
    names = [item for item, said in truth.values.items() if len(said.texts) > 1] if truth else []
    if truth is None or len(names) < FEWEST:
        return {}
    step = -(-len(names) // most)
    return {item: truth.values[item] for item in names[::step]}


def draw_attacks(view: View) -> Figure | None:
    """How often padding a caption raises its score."""
    held = _held(view, ATTACKED)
    if not held:
        return None
    from earmark.tasks.captions.audit.attacks import attack_table

    table = attack_table(held, metrics=("earshot", "fense", "spice_plus_emb"), seed=0)
    return Figure(
        title="Can it be gamed?",
        body=_table(table),
        caption=f"Share of {len(held)} references whose score rises when something is added that "
        "nobody asked for. The lower, the better; on few sounds one caption is several points.",
    )


def _table(table: Mapping[str, Mapping[str, float]]) -> str:
    metrics = list(next(iter(table.values())))
    head = element("tr", element("th", "added"), *(element("th", escape(m)) for m in metrics))
    rows = [
        element(
            "tr",
            element("td", escape(name)),
            *(element("td", f"{100 * row[metric]:.0f} %") for metric in metrics),
        )
        for name, row in table.items()
    ]
    return element("table", head, *rows)


def _density(values: Sequence[float]) -> list[tuple[float, float]]:
    """A smoothed histogram between 0 and 1."""
    from math import exp

    wide = 0.05
    at = [step / (2 * BINS) for step in range(2 * BINS + 1)]
    return [
        (x, sum(exp(-(((x - value) / wide) ** 2) / 2) for value in values) / len(values))
        for x in at
    ]


def _chart(curves: Mapping[str, Sequence[tuple[float, float]]], name: str) -> str:
    return curve_chart(
        curves, x_title=name, y_title="captions", label=f"scores by {name}", x_range=(0, 1)
    )
