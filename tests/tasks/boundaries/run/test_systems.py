"""The trained systems: which model they run, and that it knows something."""

import math

import numpy as np
import pytest

from earmark.stats.draw import stream
from earmark.task.task import Training
from earmark.tasks import boundaries as b
from earmark.tasks.boundaries.run.systems import CommitteeOptions, NetworkOptions
from earmark.tasks.boundaries.survey import sanity_rows, value_of
from earmark.tasks.boundaries.tour import TALK
from earmark.tasks.boundaries.train import CnnTrainingOptions
from earmark.tasks.boundaries.values import Boundaries
from earmark.text.words import tokens
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.reference import Reference


def best_trivial(references):
    """The best mean F1 that a trivial system gets."""
    rows = sanity_rows(b.mean_f1(), references).values()
    return max(value for value in rows if not math.isnan(value))


def talk(seed, sentences=260):
    """Sentences of a small grammar: they begin with one of three words and end with one of five."""
    draw = stream(seed, "grammar")
    units = []
    for _ in range(sentences):
        middle = [f"w{draw.integers(30)}" for _ in range(draw.integers(3, 7))]
        units.append([f"open{draw.integers(3)}", *middle, f"shut{draw.integers(5)}"])
    return units


@pytest.fixture(scope="module")
def text(tmp_path_factory):
    path = tmp_path_factory.mktemp("text") / "talk.txt"
    path.write_text("".join(" ".join(unit) + ".\n" for unit in talk(1, 1200)))
    return path


def test_a_model_for_the_other_network_is_refused(text, tmp_path):
    options = CnnTrainingOptions(text=(text,), width=8, epochs=1)
    b.TASK.train["cnn"](None, options, out=tmp_path / "m", seed=0)
    items = (Item("a", "transcript", text="a b"),)

    def run(options):
        return b.TASK.run["gru"](items, options, train_on=None, seed=0)

    with pytest.raises(InputError, match="a model for gru is needed"):
        list(run(NetworkOptions(model=tmp_path / "m")))
    (tmp_path / "no").write_bytes(b"nothing")
    with pytest.raises(InputError, match="is a file that `earmark train boundaries` wrote"):
        list(run(NetworkOptions(model=tmp_path / "no")))


def test_a_threshold_is_a_probability():
    with pytest.raises(InputError, match="between 0 and 1"):
        NetworkOptions(threshold=2.0)


def test_a_system_can_learn_from_the_study_itself():
    words = [word for unit in talk(4, 60) for word in unit]
    ends = frozenset(at for at, word in enumerate(words) if word.startswith("shut"))
    item = Item("a", "transcript", text=" ".join(words))
    truth = Reference("truth", {"a": Boundaries(len(words), ends)})
    (output,) = b.TASK.run["cnn"]([item], train_on=Training((item,), truth), seed=0)
    references = {"a": truth.values["a"]}
    value = value_of(b.mean_f1(), references, {"a": output.value})
    assert value > best_trivial(references) + 0.3


@pytest.mark.parametrize("kind", ["cnn", "gru", "committee"])
def test_the_shipped_models_score_twice_the_trivial_baselines(kind):
    talk_tokens = tokens(TALK)
    ends = frozenset(at for at, token in enumerate(talk_tokens) if set(token.mark) & set(".?!"))
    items = (Item("a", "transcript", text=" ".join(token.word for token in talk_tokens)),)
    (output,) = b.TASK.run[kind](items, train_on=None, seed=0)
    references = {"a": Boundaries(len(talk_tokens), ends)}
    value = value_of(b.mean_f1(), references, {"a": output.value})
    assert value > 2 * best_trivial(references)


def test_a_committee_ends_a_sentence_where_the_mean_of_its_members_does():
    from earmark.tasks.boundaries.run.systems import shipped

    def margins(model):
        own, least = (np.asarray(p) for p in (model.probabilities(words), model.threshold))
        return np.log(own / (1 - own)) - np.log(least / (1 - least))

    words = [token.word for token in tokens(TALK)]
    items = (Item("a", "transcript", text=" ".join(words)),)
    (output,) = b.TASK.run["committee"](items, train_on=None, seed=0)
    both = [margins(shipped(kind)) for kind in ("cnn", "gru")]
    ends = {at for at in range(len(words)) if both[0][at] + both[1][at] >= 0}
    assert output.value.after == ends | {len(words) - 1}
    alone = [
        next(iter(b.TASK.run[kind](items, train_on=None, seed=0))).value.after
        for kind in ("cnn", "gru")
    ]
    assert alone[0] & alone[1] <= output.value.after <= alone[0] | alone[1]


def test_one_model_is_no_committee(tmp_path):
    with pytest.raises(InputError, match="two members or more"):
        CommitteeOptions(model=(tmp_path / "m",))


def test_pauses_count_in_a_committee_where_words_have_times():
    """A long silence after each end, none elsewhere: what the words left open is then clear."""
    said = tokens(TALK * 3)
    words = [token.word for token in said]
    ends = frozenset(at for at, token in enumerate(said) if set(token.mark) & set(".?!"))
    starts = np.cumsum([0.0, *(1.0 if at in ends else 0.3 for at in range(len(words) - 1))])
    times = [[float(start), float(start) + 0.3] for start in starts]
    timed = Item("a", "transcript", text=" ".join(words), details={"times": times})
    plain = Item("a", "transcript", text=" ".join(words))
    references = {"a": Boundaries(len(words), ends)}

    def f1_of(item, **options):
        given = (CommitteeOptions(**options),) if options else ()
        (output,) = b.TASK.run["committee"]((item,), *given, train_on=None, seed=0)
        return value_of(b.mean_f1(), references, {"a": output.value})

    assert f1_of(timed, pauses=False) == f1_of(plain) < f1_of(timed)
