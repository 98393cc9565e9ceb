"""Texts to learn from with a recogniser's errors: the words change, the ends stay."""

from collections import Counter

import numpy as np

from earmark.tasks.boundaries.formats import read_texts
from earmark.tasks.boundaries.run.labelled import NONE, SENTENCE_ENDS, LabelledText, labelled
from earmark.tasks.boundaries.run.noise import TextNoise
from earmark.tasks.context.talks import TALKS
from earmark.text.align import align


def texts(tmp_path):
    """The made-up talks of the tour."""
    result = []
    for name, talk in TALKS.items():
        path = tmp_path / f"{name}.txt"
        path.write_text(talk, encoding="utf-8")
        marked = next(iter(read_texts(path, encoding="utf-8").values()))
        result.append(labelled(next(iter(marked.values())), "marks"))
    return result


def test_every_mark_stays_after_the_word_in_its_place(tmp_path):
    talks = texts(tmp_path)
    noise = TextNoise.of(talks, rate=0.2, share=1)
    for number, talk in enumerate(talks):
        noisy = noise.corrupt(talk, np.random.default_rng(number))
        assert list(noisy.words) != list(talk.words)
        order = [label for label in talk.classes if label != NONE]
        assert [label for label in noisy.classes if label != NONE] == order
        # an end moves by no more than the words lost or added before it
        alignment = align(talk.words, noisy.words)
        ends = {k for k, label in enumerate(talk.classes) if label in SENTENCE_ENDS}
        moved = {
            alignment.place[k] for k, label in enumerate(noisy.classes) if label in SENTENCE_ENDS
        }
        assert len(ends & moved) > 0.85 * len(ends)


def test_the_word_error_rate_of_many_texts_is_near_what_was_asked(tmp_path):
    talks = texts(tmp_path)
    noise = TextNoise.of(talks, rate=0.1, share=1)
    errors = words = 0
    for draw in range(4):
        for number, talk in enumerate(talks):
            noisy = noise.corrupt(talk, np.random.default_rng([draw, number]))
            errors += align(talk.words, noisy.words).errors
            words += len(talk.words)
    assert 0.08 < errors / words < 0.12


def test_the_end_of_a_lost_word_moves_to_the_word_before_it():
    words = ["we", "saw", "it", "there", "was", "it"] * 50
    text = LabelledText(words, [0, 0, 2, 0, 0, 3] * 50)
    noise = TextNoise.of([text], rate=0.3, share=1)
    noisy = noise.corrupt(text, np.random.default_rng(1))
    assert Counter(noisy.classes)[2] == Counter(noisy.classes)[3] == 50
    before = {noisy.words[k] for k, label in enumerate(noisy.classes) if label == 2}
    assert {"it", "saw"} <= before


def test_about_half_of_the_passages_stay_as_they_are_and_others_in_every_epoch(tmp_path):
    talks = texts(tmp_path)
    noise = TextNoise.of(talks, rate=0.3)
    unchanged = [
        frozenset(
            number
            for number, talk in enumerate(talks)
            if noise.corrupt(talk, np.random.default_rng([epoch, number])).words == list(talk.words)
        )
        for epoch in range(8)
    ]
    # a talk of the tour has some 250 words, one passage
    assert 0.3 < sum(map(len, unchanged)) / (8 * len(talks)) < 0.7
    assert len(set(unchanged)) > 1
