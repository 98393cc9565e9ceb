"""Keywords: the segmental kernel against libraries that search a query in a stream."""

from typing import Any

import numpy as np

from benchmarks.rows import Row


def query_and_stream() -> tuple[np.ndarray, np.ndarray]:
    """A template of 100 frames and a stream of 3000, 96 numbers each, rows of unit length."""
    rng = np.random.default_rng(7)
    parts = [rng.standard_normal((rows, 96)).astype(np.float32) for rows in (100, 3000)]
    query, stream = (part / np.linalg.norm(part, axis=1, keepdims=True) for part in parts)
    return query, stream


def ours(given: tuple[np.ndarray, np.ndarray]) -> Any:
    from earmark.stats.warping import cosine_distances, segmental

    return segmental(cosine_distances(*given))


def with_librosa(given: tuple[np.ndarray, np.ndarray]) -> Any:
    import librosa

    query, stream = given
    return librosa.sequence.dtw(query.T, stream.T, subseq=True, metric="cosine", backtrack=False)


ROWS = [
    Row(
        name="a template of 100 x 96 in a stream of 3000 x 96",
        setup=query_and_stream,
        sides={"earmark": ours, "librosa 0.11 subseq": with_librosa},
        repeats=5,
        target="at most 5 ms of CPU with its float32 cosine matrix, at least 3 x librosa",
    ),
]
