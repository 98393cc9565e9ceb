"""What the published table and the shipped models say when they are asked again."""

from collections.abc import Iterator
from pathlib import Path

from earmark.tables.rows import read_table
from earmark.stats.rates import f1, precision, recall
from earmark.values.counts import Hits

BENCHMARK = "audiocaps_eval.json"
PROBABILITIES = tuple(f"probs{side}_alltrain_audiocaps.npy" for side in (0, 1))
ANNOTATIONS = "fluency_annotations_723.csv"
TREEBANK = "text/ud_ewt/ewt_test.conllu"
METRICS = ("cider", "spice_plus", "spice_plus_emb", "sentence", "fense", "earshot")


def rebuild(data: Path) -> Iterator[str]:
    """Lines about table 1 (AudioCaps), the fluency detector and the parser.

    `data` holds the benchmark, the annotations of fluency and, in the folder beside it, UD EWT.
    """
    if (data / BENCHMARK).exists():
        yield from table_lines(data)
    if (data / ANNOTATIONS).exists():
        yield detector_line(data / ANNOTATIONS)
    if (data.parent / TREEBANK).exists():
        yield from parser_lines(data.parent / TREEBANK)


def table_lines(data: Path) -> Iterator[str]:
    """Share of people's preferences, in percent: alone, and with the builtin or FENSE's fluency."""
    from earmark.tasks.captions.audit.protocol import audit_metrics

    given = tuple(data / name for name in PROBABILITIES)
    for title, metrics, options in (
        ("alone", METRICS, {}),
        ("builtin fluency", METRICS[:3], {"fluency": "builtin"}),
        ("FENSE's probabilities", METRICS[:1], {"fluency_from": given}),
    ):
        found = audit_metrics(data / BENCHMARK, metrics, resamples=0, **options)["metrics"]
        for metric, cells in found.items():
            told = "  ".join(f"{kind} {100 * cell['value']:.1f}" for kind, cell in cells.items())
            yield f"{metric:<15} {title:<22} {told}"


def detector_line(annotations: Path) -> str:
    """How the shipped detector agrees with people who looked for broken captions."""
    from sklearn.metrics import roc_auc_score

    from earmark.tasks.captions.score.fluency.detector import ERROR_ABOVE, detector

    rows = [row for _, row in read_table(annotations, columns=("caption", "fluency_issue"))]
    truth = [row["fluency_issue"] == "1" for row in rows]
    errors = detector().errors([row["caption"] for row in rows])
    said = (errors > ERROR_ABOVE).tolist()
    both = [one and other for one, other in zip(truth, said, strict=True)]
    hits = Hits(sum(both), sum(truth) - sum(both), sum(said) - sum(both))
    told = f"AUC {roc_auc_score(truth, errors):.3f}; at {ERROR_ABOVE} F1 {f1(hits):.3f}"
    return f"fluency: {len(rows)} captions, {told} P {precision(hits):.3f} R {recall(hits):.3f}"


def parser_lines(treebank: Path) -> Iterator[str]:
    """The shipped parser on a treebank, gold tokens: as written, and as captions are written."""
    from earmark.tasks.captions.train.parser import test_pipeline
    from earmark.text.parse import pipeline
    from earmark.text.treebank import plain, read_trees

    trees = list(read_trees(treebank))
    for title, rows in (("as written", trees), ("lower case, no marks", map(plain, trees))):
        found = test_pipeline(pipeline(), rows)
        told = "  ".join(f"{name} {100 * found[name]:.1f}" for name in ("las", "uas", "tag"))
        yield f"parser, {title}: {told}"
