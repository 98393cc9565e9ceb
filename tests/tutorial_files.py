"""The files that the tutorials start from: small, made up, in the layouts of their fields."""

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
import soundfile

LABELS = ("car", "dog", "speech")


def write_all(folder: Path) -> None:
    """Write the files of all tutorials."""
    rng = np.random.default_rng(1)
    write_recordings(folder, rng)
    write_detection(folder, rng)
    write_captions(folder)
    write_transcripts(folder)
    write_documents(folder)
    write_challenge(folder, rng)


def _table(path: Path, rows: Iterable[Sequence[object]], separator: str = ",") -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, delimiter=separator, lineterminator="\n").writerows(rows)


def write_recordings(folder: Path, rng: np.random.Generator) -> None:
    """Write 30 recordings, and what five people answered about them on MTurk."""
    (folder / "wavs").mkdir()
    quality = {"A1": 0.95, "B2": 0.9, "C3": 0.9, "D4": 0.85, "E5": 0.5}
    ticks = [f"Answer.labels.{label}" for label in (*LABELS, "none")]
    rows: list[list[object]] = [
        ["HITId", "WorkerId", "AssignmentStatus", "WorkTimeInSeconds", "Input.item", *ticks]
    ]
    for number in range(30):
        name, sound = f"rec_{number:03d}", rng.normal(0, 0.01, 6 * 8000)
        soundfile.write(folder / "wavs" / f"{name}.wav", sound.astype(np.float32), 8000)
        truth = rng.random(3) < 0.5
        for person, share in quality.items():
            boxes = truth == (rng.random(3) < share)
            status = "Rejected" if (person, number) == ("E5", 3) else "Approved"
            answer = [str(bool(box)).lower() for box in (*boxes, not boxes.any())]
            rows.append([f"3X{number}", person, status, 20, f"{name}@0", *answer])
    _table(folder / "Batch_results.csv", rows)


def write_detection(folder: Path, rng: np.random.Generator) -> None:
    """Write 50 recordings' reference events, and events and frame scores of three systems."""
    head = ("filename", "onset", "offset", "event_label")
    names = [f"Y{number:03d}.wav" for number in range(50)]
    starts = {
        n: {label: rng.uniform(0, 7) for label in LABELS if rng.random() < 0.6} for n in names
    }
    reference = [(n, f"{t:.3f}", f"{t + 2:.3f}", k) for n in names for k, t in starts[n].items()]
    silent = [(n, "", "", "") for n in names if not starts[n]]
    _table(folder / "validation.tsv", [head, *reference, *silent], "\t")
    _table(folder / "durations.tsv", [("filename", "duration"), *((n, 10) for n in names)], "\t")
    for system, misses, late in (("baseline", 0.4, 0.5), ("ast", 0.25, 0.3), ("beats", 0.1, 0.1)):
        (folder / f"scores-{system}").mkdir()
        rows: list[Sequence[object]] = [head]
        for name in names:
            onsets = {
                label: min(max(t + rng.normal(0, late), 0), 7.5)
                for label, t in starts[name].items()
                if rng.random() > misses
            }
            events = [(name, f"{t:.3f}", f"{t + 2:.3f}", k) for k, t in onsets.items()]
            rows += events or [(name, "", "", "")]
            _write_frames(folder / f"scores-{system}" / f"{name[:-4]}.tsv", onsets, rng)
        _table(folder / f"{system}.tsv", rows, "\t")


def _write_frames(path: Path, onsets: Mapping[str, float], rng: np.random.Generator) -> None:
    rows: list[Sequence[object]] = [("onset", "offset", *LABELS)]
    for frame in range(20):
        time = frame / 2
        active = [k in onsets and time + 0.5 > onsets[k] and time < onsets[k] + 2 for k in LABELS]
        scores = np.clip(np.where(active, 0.8, 0.2) + rng.normal(0, 0.1, 3), 0, 1)
        rows.append((time, time + 0.5, *(f"{score:.3f}" for score in scores)))
    _table(path, rows, "\t")


SCENES = (
    ("dog", "barks", "in a yard"),
    ("car", "passes", "on a wet road"),
    ("bird", "sings", "in the trees"),
    ("woman", "speaks", "in a hall"),
    ("train", "leaves", "at a station"),
    ("child", "laughs", "in a park"),
    ("bell", "rings", "in a tower"),
    ("door", "closes", "in a house"),
)


def write_captions(folder: Path) -> None:
    """Write references as Clotho does, and captions of two systems as DCASE wants them."""
    rows: list[list[str]] = [["file_name", "caption_1", "caption_2", "caption_3"]]
    mine, theirs = [["file_name", "caption_predicted"]], [["file_name", "caption_predicted"]]
    for number, (who, does, where) in enumerate(SCENES):
        other = SCENES[(number + 3) % len(SCENES)][0] if number % 2 else who
        name = f"{who} {number}.wav"
        whole = [f"A {who} {does} {where}.", f"A {who} {does}.", f"The sound of a {who} {where}."]
        rows.append([name, *whole])
        mine.append([name, f"a {who} {does} {where}"])
        theirs.append([name, f"a {other} {does} somewhere"])
    for file, table in (("clotho.csv", rows), ("mine.csv", mine), ("theirs.csv", theirs)):
        _table(folder / file, table)


SENTENCES = (
    "so today we will talk about sound",
    "it is everywhere around us",
    "when a dog barks the air moves",
    "and the ear follows it",
    "that is the first half of the story",
    "the other half is the brain",
    "it guesses what made the sound",
    "most of the time it is right",
    "thank you for listening",
)


def write_transcripts(folder: Path) -> None:
    """Write a talk as Whisper heard it, and three people's transcripts as running text."""
    (folder / "people").mkdir()
    ends = np.cumsum([len(sentence.split()) for sentence in SENTENCES]) - 1
    words = " ".join(SENTENCES).split()
    people = {"anna": set(ends), "ben": set(ends) - {ends[2]}, "carla": set(ends) - {ends[0]}}
    for person, own in people.items():
        text = " ".join(word + "." * (n in own) for n, word in enumerate(words))
        (folder / "people" / f"{person}.txt").write_text(text + "\n", encoding="utf-8")
    own = (set(ends) - {ends[4]}) | {3}
    heard = [
        {"word": f" {word}" + "." * (n in own), "start": n * 0.4, "end": n * 0.4 + 0.3}
        for n, word in enumerate(words)
    ]
    heard[14]["word"] = " bark"  # a word that was misheard
    document = {"language": "en", "segments": [{"words": heard}]}
    (folder / "talk.json").write_text(json.dumps(document), encoding="utf-8")
    starts = [0.4 * n + 0.6 * sum(n > end for end in ends) for n in range(len(words))]
    ctm = [f"talk 1 {t:.2f} 0.30 {word}\n" for t, word in zip(starts, words, strict=True)]
    (folder / "talk.ctm").write_text("".join(ctm), encoding="utf-8")


def write_documents(folder: Path) -> None:
    """Write documents to corrupt: the talks that are shipped, a text file each."""
    from earmark.tasks.context.talks import TALKS

    (folder / "docs").mkdir()
    for name, text in TALKS.items():
        (folder / "docs" / f"{name}.txt").write_text(text, encoding="utf-8")


def write_challenge(folder: Path, rng: np.random.Generator) -> None:
    """Write labels of 12 speakers, and predictions of two teams, one with names cut off."""
    for name in ("labels", "team-1", "team-2"):
        (folder / name).mkdir()
    for number in range(1, 13):
        speaker = f"P{number:04d}"
        clips = {f"{speaker}T{take:04d}.wav": int(take % 5 == 0) for take in range(1, 21)}
        _table(folder / "labels" / f"{speaker}_test_labels.txt", clips.items(), "\t")
        for team, wrong, cut in (("team-1", 0.15, 0), ("team-2", 0.01, 4)):
            rows = [
                (clip[: len(clip) - cut], int(label != (rng.random() < wrong)))
                for clip, label in clips.items()
            ]
            _table(folder / team / f"{speaker}_predictions.txt", rows, "\t")
