"""Published figures computed again: the table of metrics, and the shipped models."""

from collections.abc import Iterator
from pathlib import Path

from earmark.stats.rates import f1, precision, recall
from earmark.tables.rows import read_table
from earmark.values.counts import Hits

BENCHMARK = "audiocaps_eval.json"
PROBABILITIES = tuple(f"probs{side}_alltrain_audiocaps.npy" for side in (0, 1))
ANNOTATIONS = "fluency_annotations_723.csv"
TREEBANK = "text/ud_ewt/ewt_test.conllu"
METRICS = ("cider", "spice_plus", "spice_plus_emb", "sentence", "fense", "earshot")


def rebuild(data: Path) -> Iterator[str]:
    """Yield lines on table 1 (AudioCaps), the fluency detector and the parser.

    `data` holds the benchmark, the annotations of fluency and, in the folder beside it, UD EWT.
    """
    if (data / BENCHMARK).exists():
        yield from table_lines(data)
    if (data / ANNOTATIONS).exists():
        yield detector_line(data / ANNOTATIONS)
    if (data.parent / TREEBANK).exists():
        yield from parser_lines(data.parent / TREEBANK)


def table_lines(data: Path) -> Iterator[str]:
    """Yield agreement with people in percent: alone, with the builtin and with FENSE's fluency."""
    from earmark.tasks.captions.audit.protocol import AuditOptions, audit_metrics

    probabilities = tuple(data / name for name in PROBABILITIES)
    for title, metrics, options in (
        ("alone", METRICS, AuditOptions(resamples=0)),
        ("builtin fluency", METRICS[:3], AuditOptions(resamples=0, fluency="builtin")),
        (
            "FENSE's probabilities",
            METRICS[:1],
            AuditOptions(resamples=0, fluency_from=probabilities),
        ),
    ):
        by_metric = audit_metrics(data / BENCHMARK, metrics, options)["metrics"]
        for metric, cells in by_metric.items():
            row = "  ".join(f"{kind} {100 * cell['value']:.1f}" for kind, cell in cells.items())
            yield f"{metric:<15} {title:<22} {row}"


def detector_line(annotations: Path) -> str:
    """Return how well the shipped detector agrees with people who marked disfluent captions."""
    from sklearn.metrics import roc_auc_score

    from earmark.tasks.captions.score.fluency.detector import detector
    from earmark.tasks.captions.score.fluency.penalty import THRESHOLD

    rows = [row for _, row in read_table(annotations, columns=("caption", "fluency_issue"))]
    truth = [row["fluency_issue"] == "1" for row in rows]
    probabilities = detector().probabilities([row["caption"] for row in rows])
    detected = (probabilities > THRESHOLD).tolist()
    both = [one and other for one, other in zip(truth, detected, strict=True)]
    hits = Hits(sum(both), sum(truth) - sum(both), sum(detected) - sum(both))
    figures = f"AUC {roc_auc_score(truth, probabilities):.3f}; at {THRESHOLD} F1 {f1(hits):.3f}"
    return f"fluency: {len(rows)} captions, {figures} P {precision(hits):.3f} R {recall(hits):.3f}"


def parser_lines(treebank: Path) -> Iterator[str]:
    """Yield the accuracy of the shipped parser: as written, and as captions are written."""
    from earmark.tasks.captions.train.parser import test_pipeline
    from earmark.text.parse import pipeline
    from earmark.text.treebank import plain, read_trees

    trees = list(read_trees(treebank))
    for title, rows in (("as written", trees), ("lower case, no marks", map(plain, trees))):
        accuracy = test_pipeline(pipeline(), rows)
        row = "  ".join(f"{name} {100 * accuracy[name]:.1f}" for name in ("las", "uas", "tag"))
        yield f"parser, {title}: {row}"
