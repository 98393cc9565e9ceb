"""Keywords: the segmental kernel against libraries that search a query in a stream."""

from typing import Any

import numpy as np

from benchmarks.rows import Row


def query_and_stream() -> tuple[np.ndarray, np.ndarray]:
    """Return a template of 100 frames and a stream of 3000, 96 numbers each, of unit length."""
    rng = np.random.default_rng(7)
    parts = [rng.standard_normal((rows, 96)).astype(np.float32) for rows in (100, 3000)]
    query, stream = (part / np.linalg.norm(part, axis=1, keepdims=True) for part in parts)
    return query, stream


def ours(matrices: tuple[np.ndarray, np.ndarray]) -> Any:
    from earmark.stats.warping import cosine_distances, segmental

    return segmental(cosine_distances(*matrices))


def with_librosa(matrices: tuple[np.ndarray, np.ndarray]) -> Any:
    import librosa

    query, stream = matrices
    return librosa.sequence.dtw(query.T, stream.T, subseq=True, metric="cosine", backtrack=False)


def enrolled() -> tuple[Any, list[np.ndarray]]:
    """Enrol a device with five recordings; return it with forty clips of one second each."""
    from earmark.tasks.keywords.run.auto import AutoDetector, load_networks_and_model
    from earmark.tasks.keywords.run.enrolment import enrol

    rng = np.random.default_rng(7)
    enrolment = enrol([spoken(rng) for _ in range(5)], seed=0, speaker="bench")
    detector = AutoDetector.of(load_networks_and_model(), enrolment, "bench", penalty=9.0)
    return detector, [spoken(rng) for _ in range(40)]


def spoken(rng: np.random.Generator) -> np.ndarray:
    """Return a second of something as uneven as speech: a buzz whose envelope and pitch change."""
    time = np.arange(16000) / 16000
    pitch = np.cumsum(np.repeat(rng.uniform(90, 220, 8), 2000)) / 16000
    buzz = sum(np.sin(2 * np.pi * k * pitch) / k for k in range(1, 20))
    envelope = np.repeat(rng.uniform(0.05, 1.0, 8), 2000) * np.sin(np.pi * time) ** 2
    return (0.2 * buzz * envelope + 1e-3 * rng.standard_normal(16000)).astype(np.float32)


def judge_all(enrolled_with_clips: tuple[Any, list[np.ndarray]]) -> Any:
    detector, clips = enrolled_with_clips
    return [detector.judge(clip) for clip in clips]


ROWS = [
    Row(
        name="auto on 40 clips of 1 s; a real-time factor of .15 is 6 s",
        setup=enrolled,
        sides={"earmark": judge_all},
        repeats=3,
        target="at most 6 s of CPU (the challenge allows 10); loading and enrolment apart",
    ),
    Row(
        name="a template of 100 x 96 in a stream of 3000 x 96",
        setup=query_and_stream,
        sides={"earmark": ours, "librosa 0.11 subseq": with_librosa},
        repeats=5,
        target="at most 5 ms of CPU with its float32 cosine matrix, at least 3 x librosa",
    ),
]
