"""Rows of events: MACE beside crowd-kit, metrics beside sed_eval, psds_eval, sed_scores_eval."""

from typing import Any

from benchmarks.rows import Row

LABELS = ("car_horn", "children_voices", "dog_bark", "engine_idling", "siren", "street_music")
SECONDS = 60.0
CRITERIA = (0.7, 0.1, 0.5)


def make_million() -> Any:
    return make_answers(1_000_000)


def make_answers(answers: int) -> Any:
    """Five people to an item, of 5,000 who know 80 % of it."""
    import numpy as np

    rng = np.random.default_rng(0)
    items, people = answers // 5, 5_000
    item = np.repeat(np.arange(items, dtype=np.int32), 5)
    person = (rng.integers(0, people, items)[:, None] + np.array([0, 7, 131, 977, 2311])) % people
    truth = rng.integers(0, 2, items)[item]
    label = np.where(rng.random(answers) < 0.8, truth, rng.integers(0, 2, answers))
    return item, person.ravel().astype(np.int32), label


def mace_earmark(made: Any) -> Any:
    return _mace(made, restarts=10, iterations=50)


def _mace(made: Any, *, restarts: int, iterations: int) -> Any:
    from earmark.reconcile.ballots import coded
    from earmark.reconcile.mace import MaceOptions, mace

    item, person, label = made
    names = tuple(tuple(map(str, range(int(column.max()) + 1))) for column in made)
    answers = coded(item, person, label, names=names)
    return mace(answers, MaceOptions(restarts=restarts, iterations=iterations), seed=1)


def mace_crowd_kit(made: Any) -> Any:
    import pandas
    from crowdkit.aggregation import MACE

    table = pandas.DataFrame(dict(zip(("task", "worker", "label"), made, strict=True)))
    return MACE(n_restarts=1, n_iter=50, random_state=1).fit(table)


def quarter(made: Any) -> Any:
    keep = len(made[0]) // 4
    return _mace([column[:keep] for column in made], restarts=1, iterations=50)


def whole(made: Any) -> Any:
    return _mace(made, restarts=1, iterations=50)


def make_four_million() -> Any:
    return make_answers(4_000_000)


def make_file() -> Any:
    """Ten million answers as a CSV file."""
    import tempfile
    from pathlib import Path

    path = Path(tempfile.gettempdir()) / "earmark-bench-10-million.csv"
    if not path.exists():
        item, person, label = (column.tolist() for column in make_answers(10_000_000))
        with path.open("w", encoding="utf-8") as file:
            file.write("item,person,label\n")
            for i, p, answer in zip(item, person, label, strict=True):
                file.write(f"i{i},p{p},{answer}\n")
    return path


def reconcile_ten_million(path: Any) -> Any:
    import tempfile
    from pathlib import Path

    from earmark.reconcile.bare import reconcile_file

    with tempfile.TemporaryDirectory() as out:
        return reconcile_file(path, by="mace", how={"restarts": 1, "iterations": 10}, out=Path(out))


def make_timelines() -> Any:
    """Reference and output rows (filename, onset, offset, label) of 1,000 recordings."""
    import numpy as np

    rng = np.random.default_rng(0)
    sides: tuple[list[Any], list[Any]] = ([], [])
    for number in range(1000):
        for label in LABELS:
            end = rng.uniform(0, 20)
            while end < SECONDS - 3:
                onset, offset = end, end + rng.uniform(0.5, 12)
                if offset > SECONDS:
                    break
                sides[0].append((f"f{number:04d}.wav", round(onset, 3), round(offset, 3), label))
                if rng.random() < 0.8:
                    on = max(0.0, onset + rng.normal(0, 0.3))
                    off = min(SECONDS, max(on + 0.1, offset + rng.normal(0, 0.5)))
                    row = (f"f{number:04d}.wav", round(on, 3), round(off, 3), label)
                    sides[1].append(row)
                end = offset + rng.uniform(3, 40)
    return sides


def timelines(rows: Any, names: Any) -> Any:
    from earmark.tasks.events.values import Event, timeline

    found: dict[str, list[Any]] = {name: [] for name in names}
    for name, onset, offset, label in rows:
        found[name].append(Event(label, onset, offset))
    return {k: timeline(v, duration=SECONDS, overlaps="merge") for k, v in found.items()}


READY: dict[str, Any] = {}


def ready(name: str, make: Any) -> Any:
    """What the first, uncounted call made of the input: each tool's own kind of it."""
    if name not in READY:
        READY[name] = make()
    return READY[name]


def metrics_earmark(sides: Any) -> Any:
    from earmark.score.evaluate import evaluate_all
    from earmark.tasks import events

    names = sorted({row[0] for row in sides[0]})
    reference, output = ready("lines", lambda: [timelines(rows, names) for rows in sides])
    metrics = {
        "segment_f1": events.segment_f1(),
        "segment_error_rate": events.segment_error_rate(),
        "event_f1": events.event_f1(),
        **{f"intersection {c}": events.intersection_f1(detection=c, coverage=c) for c in CRITERIA},
    }
    scores = evaluate_all(metrics, reference, output, resamples=0)
    return [score.value for score in scores.values()]


def make_event_files(recordings: int) -> Any:
    """Write a reference and an output of ten events per recording; return their folder."""
    import tempfile
    from pathlib import Path

    import numpy as np

    folder = Path(tempfile.gettempdir()) / f"earmark-bench-events-{recordings}"
    if (folder / "output.tsv").exists():
        return folder
    folder.mkdir(exist_ok=True)
    rng = np.random.default_rng(0)
    # one event in each of ten slots of 6 s, so that events of one label never overlap
    slot = np.arange(10) * 6.0
    onset = slot + rng.uniform(0.5, 2, (recordings, 10))
    offset = onset + rng.uniform(0.5, 3.0, onset.shape)
    label = rng.integers(0, len(LABELS), onset.shape)
    onset_out = onset + rng.normal(0, 0.15, onset.shape).clip(-0.5, 0.5)
    offset_out = np.maximum(onset_out + 0.1, offset + rng.normal(0, 0.3, onset.shape).clip(-1, 0.4))
    is_right = rng.random(onset.shape) < 0.85
    label_out = np.where(is_right, label, rng.integers(0, len(LABELS), onset.shape))
    sides = {"reference": (onset, offset, label), "output": (onset_out, offset_out, label_out)}
    for name, columns in sides.items():
        rows = zip(*(column.ravel().tolist() for column in columns), strict=True)
        with (folder / f"{name}.tsv").open("w", encoding="utf-8") as file:
            file.write("filename\tonset\toffset\tevent_label\n")
            for number, (on, off, k) in enumerate(rows):
                file.write(f"f{number // 10:06d}.wav\t{on:.3f}\t{off:.3f}\t{LABELS[k]}\n")
    return folder


def files_earmark(folder: Any) -> Any:
    """`earmark measure events`, every metric, in a process of its own, to see its memory."""
    import subprocess
    import sys

    command = [sys.executable, "-m", "earmark", "measure", "events", "--quiet", "--json"]
    command += ["--reference", str(folder / "reference.tsv")]
    command += ["--output", str(folder / "output.tsv"), "--resamples", "0"]
    subprocess.run(command, check=True, capture_output=True)


def files_peers(folder: Any) -> Any:
    """Peers on a hundredth of the recordings: all of them take several minutes."""
    import pandas

    small = make_event_files(int(folder.name.rpartition("-")[2]) // 100)
    sides = [
        pandas.read_csv(small / f"{name}.tsv", sep="\t").itertuples(index=False, name=None)
        for name in ("reference", "output")
    ]
    READY.clear()
    return metrics_peers([list(rows) for rows in sides])


def metrics_peers(sides: Any) -> Any:
    import sed_eval
    from psds_eval import PSDSEval

    lists, tables, lengths = ready("peers", lambda: _peers_input(sides))
    kinds = sed_eval.sound_event
    segment = kinds.SegmentBasedMetrics(event_label_list=list(LABELS), time_resolution=1.0)
    event = kinds.EventBasedMetrics(
        event_label_list=list(LABELS), t_collar=0.2, percentage_of_length=0.2
    )
    for reference, output in lists:
        for metric in (segment, event):
            metric.evaluate(reference_event_list=reference, estimated_event_list=output)
    told = [segment.results_overall_metrics(), event.results_overall_metrics()]
    for criterion in CRITERIA:
        judge = PSDSEval(
            ground_truth=tables[0], metadata=lengths, dtc_threshold=criterion,
            gtc_threshold=criterion, cttc_threshold=0.3,
        )  # fmt: skip
        told.append(judge.compute_macro_f_score(tables[1]))
    return told


def _peers_input(sides: Any) -> Any:
    import pandas

    columns = ["filename", "onset", "offset", "event_label"]
    by_file: tuple[dict[str, list[Any]], dict[str, list[Any]]] = ({}, {})
    for found, rows in zip(by_file, sides, strict=True):
        for row in rows:
            found.setdefault(row[0], []).append(dict(zip(columns, row, strict=True)))
    lists = [
        (_event_list(rows), _event_list(by_file[1].get(name, [])))
        for name, rows in by_file[0].items()
    ]
    tables = [pandas.DataFrame(rows, columns=columns) for rows in sides]
    return lists, tables, pandas.DataFrame({"filename": sorted(by_file[0]), "duration": SECONDS})


def _event_list(rows: Any) -> Any:
    import dcase_util

    return dcase_util.containers.MetaDataContainer(rows)


def make_frames() -> Any:
    """Frame scores of 100 recordings, a tenth of a second each, and their reference."""
    import numpy as np

    rng = np.random.default_rng(0)
    rows = [row for row in make_timelines()[0] if row[0] < "f0100"]
    names = sorted({row[0] for row in rows})
    edges = np.round(np.arange(601) * 0.1, 1)
    scores = {}
    for name in names:
        level = rng.normal(-1.5, 0.8, (600, len(LABELS)))
        for _, onset, offset, label in (row for row in rows if row[0] == name):
            level[round(onset * 10) : round(offset * 10), LABELS.index(label)] += 2.5
        kernel = np.ones(7) / 7
        smooth = np.apply_along_axis(np.convolve, 0, level, kernel, "same")
        scores[name] = np.round(1 / (1 + np.exp(-smooth)), 4)
    return rows, names, edges, scores


def psds_earmark(made: Any) -> Any:
    from earmark.score.evaluate import evaluate
    from earmark.tasks import events

    reference, output = ready("frames", lambda: _frames_input(made))
    return [
        evaluate(metric, reference, output, resamples=0).value
        for metric in (events.psds(), events.psds_2())
    ]


def _frames_input(made: Any) -> Any:
    from dataclasses import replace

    from earmark.tasks import events

    rows, names, edges, scores = made
    reference = timelines(rows, names)
    output = {
        name: replace(
            reference[name],
            events=(),
            scores=events.FrameScores(
                LABELS, tuple(edges.tolist()), tuple(map(tuple, table.tolist()))
            ),
        )
        for name, table in scores.items()
    }
    return reference, output


def psds_peer(made: Any) -> Any:
    from sed_scores_eval.intersection_based import psds

    shared = ready("peer frames", lambda: _peer_frames(made))
    first = psds(**shared, dtc_threshold=0.7, gtc_threshold=0.7, alpha_ct=0.0, alpha_st=1.0)
    second = psds(
        **shared, dtc_threshold=0.1, gtc_threshold=0.1, cttc_threshold=0.3, alpha_ct=0.5,
        alpha_st=1.0,
    )  # fmt: skip
    return first[0], second[0]


def _peer_frames(made: Any) -> Any:
    from sed_scores_eval.base_modules.scores import create_score_dataframe

    rows, names, edges, scores = made
    tables = {
        name: create_score_dataframe(table, edges, list(LABELS)) for name, table in scores.items()
    }
    truth: dict[str, list[Any]] = {name: [] for name in names}
    for name, onset, offset, label in rows:
        truth[name].append((onset, offset, label))
    lengths = dict.fromkeys(names, SECONDS)
    return {"scores": tables, "ground_truth": truth, "audio_durations": lengths}


def make_sounds(recordings: Any) -> Any:
    import tempfile
    from pathlib import Path

    from earmark.files.sound import write_sound
    from earmark.tasks.events.make.soundscapes import SoundscapeOptions, make_soundscapes

    with tempfile.TemporaryDirectory() as out:
        for made in make_soundscapes(None, SoundscapeOptions(recordings=recordings), seed=1):
            write_sound(Path(out) / f"{made.item.id}.flac", *made.sound)


ROWS = [
    Row(
        "MACE, 1 million answers, 10 restarts of 50 iterations; crowd-kit does 1 restart",
        make_million,
        {"earmark": mace_earmark, "crowd-kit, a tenth": mace_crowd_kit},
        repeats=1,
        target="10 x faster an answer-iteration, which is 1 x here, and less memory",
    ),
    Row(
        "MACE, 1 restart: 1 million answers and 4 million",
        make_four_million,
        {"earmark": quarter, "4 million answers": whole},
        target="cost linear in answers: about 4 x",
    ),
    Row(
        "10 million answers from a file to a reference",
        make_file,
        {"earmark": reconcile_ten_million},
        repeats=1,
        target="within 4 GB",
    ),
    Row(
        "segment, event and intersection metrics over 1,000 recordings",
        make_timelines,
        {"earmark": metrics_earmark, "sed_eval + psds_eval": metrics_peers},
        target="20 x sed_eval + psds_eval",
    ),
    Row(
        "from files to every metric: 100,000 recordings, a million rows per side",
        lambda: make_event_files(100_000),
        {"earmark": files_earmark, "sed_eval + psds_eval, a hundredth": files_peers},
        repeats=1,
        target="12 CPU seconds, 800 MB, 20 x sed_eval + psds_eval, which is 0.2 x here",
    ),
    Row(
        "10 soundscapes of 180 s, made and written as FLAC (1,800 s of sound)",
        lambda: 10,
        {"earmark": make_sounds},
        target="100 x real time a core: within 18 CPU seconds",
    ),
    Row(
        "PSDS 1 and 2 from frame scores of 100 recordings",
        make_frames,
        {"earmark": psds_earmark, "sed_scores_eval": psds_peer},
        target="5 x sed_scores_eval",
    ),
]
