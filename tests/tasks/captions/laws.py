"""Material for the laws of every metric: captions of made-up sounds."""

from hypothesis import strategies as st

from earmark.tasks.captions.values import Captions

WHO = ("a dog", "the rain", "two men", "an engine", "a bell", "birds")
DOES = ("barks", "is falling", "speaking loudly", "in the distance", "and a car passes", "rings")
SLOW = "needs sentence vectors; its own tests cover it"
LEFT_OUT = {
    name: SLOW
    for name in ("earshot", "spice_plus_emb", "spice_plus", "spider_plus", "sentence", "fense")
} | {
    "meteor": "needs tables of 60 MB; its own tests cover it",
    "spice": "needs Java and jars",
    "spider": "needs Java and jars",
}
NO_BEST = {
    "cider": "10 only where every word of an item is as rare as can be",
    "cider_d": "as cider",
    "bleu_1": "a caption shorter than the n-grams counted cannot reach 1",
    "bleu_2": "as bleu_1",
    "bleu_3": "as bleu_1",
    "bleu_4": "as bleu_1",
}


def caption():
    return st.builds(lambda who, does: f"{who} {does}", st.sampled_from(WHO), st.sampled_from(DOES))


@st.composite
def pairs(draw):
    references = draw(st.lists(caption(), min_size=1, max_size=4))
    return Captions(tuple(references)), Captions((draw(caption()),))


@st.composite
def sure(draw):
    return Captions((draw(caption()),))


def perfect(reference):
    return Captions(reference.texts[:1])
