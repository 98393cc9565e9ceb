"""MACE against the authors' numbers, and what must not matter to it."""

import csv
import json
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from earmark.reconcile.ballots import Coded, code_rows
from earmark.reconcile.mace import MaceOptions, mace
from earmark.values.errors import InputError

Inference = Literal["vb", "em"]


def matrix(path: Path) -> Coded:
    """Rows are items, columns people, an empty cell is no answer."""
    with path.open(encoding="utf-8") as file:
        rows = list(csv.reader(file))
    return code_rows(
        (f"i{i:05d}", f"p{j:05d}", cell)
        for i, row in enumerate(rows)
        for j, cell in enumerate(row)
        if cell.strip()
    )


def key(path: Path) -> list[str]:
    return [line.strip() for line in path.read_text(encoding="utf-8").splitlines()]


def agrees(answers: Coded, expected: dict[str, Any], *, plain: bool = False) -> None:
    options = MaceOptions(
        inference=expected["method"], iterations=expected["iters"], restarts=1, start="even"
    )
    fit = mace(answers, options, plain=plain)
    order = [answers.labels.index(label) for label in expected["labels"]]
    assert np.allclose(fit.competence, expected["competence"], atol=1e-6, rtol=0)
    assert np.allclose(fit.posterior[:, order], expected["posterior"], atol=1e-6, rtol=0)
    assert np.allclose(fit.entropy(), expected["entropy"], atol=1e-6, rtol=0)
    assert np.allclose(fit.table("guess"), expected["guess"], atol=1e-6, rtol=0)
    assert np.allclose(fit.table("strategy")[:, order], expected["theta"], atol=1e-6, rtol=0)
    assert fit.log_likelihood == pytest.approx(expected["loglik"], abs=1e-6)


@pytest.mark.shared
@pytest.mark.parametrize("name", ["vb_1", "vb_5", "vb_50", "em_1", "em_5", "em_50"])
@pytest.mark.parametrize("plain", [False, True])
def test_both_inferences_equal_the_reference_implementation(
    shared: Path, name: str, plain: bool
) -> None:
    data = shared / "data" / "events"
    expected = json.loads((data / "mace_small_expected.json").read_text(encoding="utf-8"))
    agrees(matrix(data / "mace_small.csv"), expected[name], plain=plain)


@pytest.mark.shared
@pytest.mark.parametrize("name", ["rte", "wsd"])
def test_the_authors_own_answers_give_the_authors_numbers(shared: Path, name: str) -> None:
    data = shared / "data" / "events"
    expected = json.loads((data / f"mace_{name}_expected.json").read_text(encoding="utf-8"))
    agrees(matrix(data / f"mace_{name}.csv"), expected)


@pytest.mark.shared
@pytest.mark.parametrize(("inference", "least"), [("vb", 0.926), ("em", 0.926)])
def test_ten_drawn_starts_are_as_accurate_on_rte_as_the_authors_say(
    shared: Path, inference: Inference, least: float
) -> None:
    data = shared / "data" / "events"
    answers = matrix(data / "mace_rte.csv")
    fit = mace(answers, MaceOptions(inference=inference), seed=3)
    right = key(data / "mace_rte.key")
    chosen = [answers.labels[k] for k in fit.chosen()]
    assert np.mean([a == b for a, b in zip(chosen, right, strict=True)]) >= least


def test_the_order_of_rows_does_not_matter() -> None:
    path = Path(__file__).parent / "vectors" / "crowdkit_order_bug.csv"
    with path.open(encoding="utf-8") as file:
        rows = [(r["task"], r["worker"], r["label"]) for r in csv.DictReader(file)]
    first = mace(code_rows(rows), seed=1)
    for seed in range(3):
        shuffled = [rows[k] for k in np.random.default_rng(seed).permutation(len(rows))]
        again = mace(code_rows(shuffled), seed=1)
        assert first.competence.tolist() == again.competence.tolist()
        assert first.posterior.tolist() == again.posterior.tolist()


answers_of = st.lists(
    st.tuples(st.integers(0, 5), st.integers(0, 4), st.sampled_from("abc")),
    min_size=1,
    max_size=30,
    unique_by=lambda row: row[:2],
)


@settings(max_examples=25, deadline=None)
@given(answers_of, st.sampled_from(["vb", "em"]))
def test_the_compiled_loop_says_what_the_plain_one_says(
    rows: list[tuple[int, int, str]], inference: Inference
) -> None:
    answers = code_rows((f"i{i}", f"p{p}", label) for i, p, label in rows)
    options = MaceOptions(inference=inference, restarts=2, iterations=7)
    fast, slow = (mace(answers, options, seed=5, plain=plain) for plain in (False, True))
    assert np.allclose(fast.posterior, slow.posterior)
    assert np.allclose(fast.competence, slow.competence)
    assert np.allclose(fast.posterior.sum(axis=1), 1.0)


def crowd_of(rng: np.random.Generator) -> Coded:
    truth = rng.integers(0, 2, 60)
    skill = np.array([0.95, 0.9, 0.85, 0.5, 0.05])
    rows = [
        (f"i{i:02d}", f"p{p}", str(truth[i] if rng.random() < s else rng.integers(0, 2)))
        for i in range(60)
        for p, s in enumerate(skill)
    ]
    return code_rows(rows)


def test_people_who_know_more_are_trusted_more() -> None:
    fit = mace(crowd_of(np.random.default_rng(1)), seed=1)
    assert fit.competence[0] > fit.competence[3] > fit.competence[4]


def test_restarts_differ_and_the_likeliest_wins() -> None:
    answers = crowd_of(np.random.default_rng(2))
    one = [
        mace(answers, MaceOptions(restarts=1, iterations=2), seed=s).log_likelihood
        for s in range(6)
    ]
    assert len({round(value, 9) for value in one}) == 6
    some = mace(answers, MaceOptions(restarts=1, iterations=2), seed=0).log_likelihood
    more = mace(answers, MaceOptions(restarts=8, iterations=2), seed=0).log_likelihood
    assert more > some


@pytest.mark.parametrize(
    "change",
    [
        {"inference": "em"},
        {"restarts": 5},
        {"iterations": 3},
        {"guess_prior": 5.0},
        {"know_prior": 5.0},
        {"strategy_prior": 1.0},
        {"start": "even"},
    ],
)
def test_every_option_of_the_options_matters(change: dict[str, Any]) -> None:
    answers = crowd_of(np.random.default_rng(3))
    plain = mace(answers, MaceOptions(restarts=1, iterations=5), seed=1)
    other = mace(answers, MaceOptions(**{"restarts": 1, "iterations": 5, **change}), seed=1)
    assert not np.allclose(plain.competence, other.competence, atol=1e-9)


def test_smoothing_matters_to_em() -> None:
    answers = crowd_of(np.random.default_rng(3))
    optionss = [MaceOptions(inference="em", restarts=1, smoothing=s) for s in (0.01, 5.0)]
    fits = [mace(answers, options, seed=1) for options in optionss]
    assert not np.allclose(fits[0].competence, fits[1].competence)


def test_only_the_surest_items_are_kept() -> None:
    fit = mace(crowd_of(np.random.default_rng(4)), seed=1)
    certain = fit.lowest_entropy(0.5)
    assert 30 <= certain.sum() < 60
    assert fit.entropy()[certain].max() <= fit.entropy()[~certain].min()


def test_a_options_without_restarts_is_refused() -> None:
    with pytest.raises(InputError, match="at least one restart"):
        MaceOptions(restarts=0)
