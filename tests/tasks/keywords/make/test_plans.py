"""Which test clips a speaker gets, before any sound is read."""

from pathlib import Path

import numpy as np

from earmark.tasks.keywords.make.options import TrialOptions
from earmark.tasks.keywords.make.plans import ClipSources, plan_clips


def paths(*names: str) -> list[Path]:
    return [Path(name) for name in names]


def test_every_second_clip_has_a_word_before_it() -> None:
    sources = ClipSources(paths("k0", "k1"), paths("o0"), paths("i0"), paths("s0"))
    options = TrialOptions(positives=2, own_words=2, impostors=2, strangers=1, near_misses=2)
    plans = plan_clips(sources, options, np.random.default_rng(0))
    assert [(plan.kind, [path.name for path in plan.files[:-1]]) for plan in plans] == [
        ("keyword", []),
        ("keyword after a word", ["o0"]),
        ("own words", []),
        ("own words", ["o0"]),
        ("impostor", []),
        ("impostor", ["s0"]),
        ("stranger", []),
        ("near miss, cut short", []),
        ("near miss, halves swapped", []),
    ]
    assert [plan.is_target for plan in plans] == [True] * 2 + [False] * 7


def test_a_longer_phrase_is_the_keyword_with_a_word_right_after_it() -> None:
    sources = ClipSources(paths("k0"), paths("o0"), [], [])
    some = TrialOptions(positives=1, own_words=0, near_misses=0, longer_phrases=2)
    plans = plan_clips(sources, some, np.random.default_rng(0))
    assert [[path.name for path in plan.files] for plan in plans[1:]] == [["k0", "o0"]] * 2
    assert all(plan.in_one_breath and not plan.is_target for plan in plans[1:])


def test_what_nobody_said_is_not_planned() -> None:
    sources = ClipSources(paths("k0"), [], [], [])
    plans = plan_clips(sources, TrialOptions(positives=2), np.random.default_rng(0))
    assert {plan.kind for plan in plans} == {
        "keyword",
        "near miss, cut short",
        "near miss, halves swapped",
    }


def test_recordings_are_sorted_by_who_says_what() -> None:
    own = {"lamp": tuple(paths("a-lamp")), "river": tuple(paths("a-river"))}
    others = {"bo": {"lamp": tuple(paths("b-lamp")), "stone": tuple(paths("b-stone"))}}
    sources = ClipSources.of(own, others, "lamp", paths("spare"))
    assert sources == ClipSources(
        paths("spare"), paths("a-river"), paths("b-lamp"), paths("b-stone")
    )
