"""Context: corruption beside nlpaug and the authors' design, sound-alikes, and scoring.

The authors' script does not finish a talk as it was published. `their_design` repeats its design:
the vocabulary as a sorted list that is searched from the start for every swap, the original and
its neighbours tagged again by themselves, and the text tagged in slices of a hundred tokens. It is
given our tagger, so what differs is the design alone.
"""

import random
from contextlib import suppress

from benchmarks.rows import Row

DOCUMENTS, SENTENCES = 80, 120


def talks(documents=DOCUMENTS):
    """Documents of some 2,600 tokens: the tour's sentences, each with two words of a long tail.

    The tail, 40,000 made-up words by Zipf's law, gives the vocabulary the size of a real corpus.
    """
    import re

    from earmark.tasks.context.talks import TALKS

    draw = random.Random(3)
    pool = [s for text in TALKS.values() for s in re.split(r"(?<=[.?!])\s+", text.strip())]
    tail = [_made_up(k) for k in range(40_000)]
    weights = [1 / (k + 10) for k in range(40_000)]
    made = []
    for k in range(documents):
        rare = draw.choices(tail, weights, k=2 * SENTENCES)
        said = [
            f"{sentence} The {rare[2 * n]} of the {rare[2 * n + 1]}."
            for n, sentence in enumerate(draw.choices(pool, k=SENTENCES))
        ]
        made.append({"id": f"talk-{k:03d}", "text": " ".join(said)})
    return made


def _made_up(number):
    """A word that can be spoken, one for each number."""
    word = ""
    for size, letters in ((20, "bcdfghjklmnpqrstvwxz"), (5, "aeiou")) * 3:
        word += letters[number % size]
        number //= size
    return word


def documents(made):
    from earmark.tasks.context.make.documents import document

    return [document(row["id"], row["text"]) for row in made]


def warm():
    """Load what is loaded once: the tagger, CMUdict, compiled loops, nlpaug where it is."""
    from earmark.tasks.context.make.corrupt import corrupt
    from earmark.tasks.context.make.recipe import recipe_of
    from earmark.tasks.context.make.tagging import tag_documents

    with suppress(ImportError):
        import nlpaug.augmenter.word  # noqa: F401
    made = talks()
    list(corrupt(tag_documents(documents(made[:2])), recipe_of("clean"), seed=1))
    return made


def end_to_end(made, preset="paper-2018"):
    """Tokens, tags, candidates, substitutes, labels."""
    from earmark.tasks.context.make.corrupt import corrupt
    from earmark.tasks.context.make.recipe import recipe_of
    from earmark.tasks.context.make.tagging import tag_documents

    return sum(
        len(one.swaps.swaps)
        for one in corrupt(tag_documents(documents(made)), recipe_of(preset), seed=1)
    )


def nlpaug_swaps(made):
    """Ten random word substitutions a document by nlpaug: no tags, no labels, no seed."""
    import nlpaug.augmenter.word as naw

    words = sorted({w for row in made for w in row["text"].split()})
    change = naw.RandomWordAug(action="substitute", aug_min=10, aug_max=10, target_words=words)
    return [change.augment(row["text"]) for row in made]


def their_design(made):
    """Ten swaps a document by searching and tagging anew for every one of them."""
    from collections import Counter

    from earmark.text.tagger import shipped

    tagger, draw = shipped(), random.Random(1)
    texts = [document.tokens for document in documents(made)]
    words = sorted(Counter(t for tokens in texts for t in tokens).items(), key=lambda w: w[1])
    done = 0
    for tokens in texts:
        tags = [t for k in range(0, len(tokens), 100) for t in tagger.tag(tokens[k : k + 100])]
        nouns = [k for k, tag in enumerate(tags) if tag.startswith("N")]
        found = [
            nouns[p]
            for p in range(20, len(nouns))
            for q in range(p - 10, p)
            if tokens[nouns[p]] == tokens[nouns[q]]
        ]
        for place in draw.sample(found, min(10, len(found))):
            rank = [word for word, _ in words].index(tokens[place])
            tag = tagger.tag((tokens[place],))[0]
            near = [word for word, _ in words[max(0, rank - 20) : rank + 20]]
            frame = [*tagger.tag(tuple(near[:20])), *tagger.tag(tuple(near[20:]))]
            fits = [w for w, t in zip(near, frame, strict=True) if t == tag and w != tokens[place]]
            done += bool(fits)
    return done


def tagged():
    from earmark.tasks.context.make.tagging import tag_documents

    warm()
    return tag_documents(documents(talks(5 * DOCUMENTS)))


def on_cached_tags(made):
    from earmark.tasks.context.make.corrupt import corrupt
    from earmark.tasks.context.make.recipe import recipe_of

    return sum(len(one.swaps.swaps) for one in corrupt(made, recipe_of("paper-2018"), seed=1))


def spoken():
    from earmark.text.pronunciation import PronunciationIndex, pronunciations

    words = sorted(w for w in pronunciations() if w.isalpha())[::25]
    PronunciationIndex(words[:9]).near(words[0], farthest=0.3)
    return words, words[::200]


def indexed(made):
    from earmark.text.pronunciation import PronunciationIndex

    words, asked = made
    index = PronunciationIndex(words)
    return [index.near(word, farthest=0.3) for word in asked]


def every_word(made):
    from earmark.text.pronunciation import distance, phones

    words, asked = made
    heard = {word: phones(word) for word in words}
    return [
        sorted((d, w) for w in words if (d := distance(heard[word], heard[w])) <= 0.3 and w != word)
        for word in asked
    ]


def ranked():
    import numpy as np

    from earmark.tasks.context.score import kernel
    from earmark.tasks.context.score.tallies import RankedTokens

    draw = np.random.default_rng(5)
    counts = []
    for _ in range(60):
        labels = (draw.random(2400) < 0.004).astype(np.int8)
        counts.append(RankedTokens((draw.random(2400) + 0.2 * labels,), (labels,)))
    weights = draw.multinomial(60, np.full(60, 1 / 60), size=100)
    tiny = np.zeros(1, int), *[np.ones(1, int)] * 2, np.ones(1, bool), np.ones((1, 1), int)
    kernel.best_f_resamples(*tiny)
    return counts, weights


def best_f_kernel(made):
    from earmark.tasks.context.score.words import best_f

    return best_f().rate_resamples(*made)


def best_f_sklearn(made):
    import numpy as np
    from sklearn.metrics import precision_recall_curve

    counts, weights = made
    scores = np.concatenate([tally.scores[0] for tally in counts])
    labels = np.concatenate([tally.labels[0] for tally in counts])
    found = []
    for row in weights:
        weight = np.repeat(row, 2400)
        p, r, _ = precision_recall_curve(labels, scores, sample_weight=weight)
        found.append(np.nanmax(2 * p * r / np.maximum(p + r, 1e-12)))
    return found


ROWS = [
    Row(
        "context: corrupt 80 talks (about 200,000 tokens), tagging and all",
        warm,
        {"earmark": end_to_end, "authors' design": their_design, "nlpaug": nlpaug_swaps},
        target="at least 35,000 tokens/s: 5.7 CPU s at most",
    ),
    Row(
        "context: corrupt 400 talks (about 1,000,000 tokens) on cached tags",
        tagged,
        {"earmark": on_cached_tags},
        target="at least 1,500,000 tokens/s: 0.67 CPU s at most",
    ),
    Row(
        "context: sound-alikes of 22 words among 4,300",
        spoken,
        {"earmark": indexed, "every word": every_word},
        target="under 1 ms a word",
    ),
    Row(
        "context: best F of 100 resamples of 144,000 tokens",
        ranked,
        {"earmark": best_f_kernel, "scikit-learn": best_f_sklearn},
    ),
]
