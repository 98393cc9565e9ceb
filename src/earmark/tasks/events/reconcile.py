"""Window tags -> activity per second -> events, in seven ways."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

from earmark.task.options import described_like
from earmark.tasks.events.values import Tags, Timeline
from earmark.values import checks
from earmark.values.answer import Ballots
from earmark.values.reference import Reference

if TYPE_CHECKING:
    from earmark.reconcile.ballots import Floats
    from earmark.reconcile.fit import Fit
    from earmark.tasks.events.sheet import Bools, Sheet

Inference = Literal["vb", "em"]


def by_mace(  # noqa: PLR0913
    ballots: Ballots[Tags],
    *,
    seed: int,
    inference: Inference = "vb",
    restarts: int = 10,
    iterations: int = 50,
    sure: float = 1.0,
    share: float = 0.8,
) -> Reference[Timeline]:
    """MACE decides every (window, label) pair; the tags of overlapping windows are stacked.

    Parameters
    ----------
    inference
        `vb`, variational with priors, or `em`, which finds more and trusts more.
    restarts
        Starts from other draws; the likeliest fit wins.
    iterations
        Steps of each fit.
    sure
        Share of the pairs, those with the lowest entropy, that count; the rest abstains.
    share
        Share of a second's windows that must hold the sound.
    """
    sheet = sheet_of(ballots)
    fit = mace_fit(sheet, inference=inference, restarts=restarts, iterations=iterations, seed=seed)
    keep = fit.surest(checks.within(sure, 0.0, 1.0, what="sure")).reshape(sheet.windows, -1)
    tags = (fit.chosen() == 1).reshape(keep.shape) & keep
    made_by = {
        "by": "mace",
        "inference": inference,
        "restarts": restarts,
        "iterations": iterations,
        "sure": sure,
        "share": share,
    }
    return stacked(sheet, tags, keep, made_by, fit.competence)


@described_like(by_mace)
def by_majority(ballots: Ballots[Tags], *, seed: int, share: float = 0.8) -> Reference[Timeline]:
    """Each window holds what more than half of its listeners ticked; windows are stacked."""
    sheet = sheet_of(ballots)
    ticked, asked = sheet.votes()
    tags = ticked * 2 > asked[:, None]
    return stacked(sheet, tags, asked > 0, {"by": "majority", "share": share})


@described_like(by_mace)
def by_union(ballots: Ballots[Tags], *, seed: int, share: float = 0.8) -> Reference[Timeline]:
    """Each window holds what anybody ticked; windows are stacked."""
    sheet = sheet_of(ballots)
    ticked, asked = sheet.votes()
    return stacked(sheet, ticked > 0, asked > 0, {"by": "union", "share": share})


def by_share(ballots: Ballots[Tags], *, seed: int, share: float = 0.8) -> Reference[Timeline]:
    """All opinions about a second are stacked, everybody's weighing the same (the paper's mode 1).

    Parameters
    ----------
    share
        Share of a second's opinions that must say yes.
    """
    sheet = sheet_of(ballots)
    ticked, asked = sheet.votes()
    return stacked(sheet, ticked, asked, {"by": "share", "share": share})


@described_like(by_mace)
def by_trusted(
    ballots: Ballots[Tags],
    *,
    seed: int,
    trust: float = 0.6,
    inference: Inference = "vb",
    restarts: int = 10,
    share: float = 0.8,
) -> Reference[Timeline]:
    """The opinions of people whose competence lies above `trust` are stacked (the paper's mode 2).

    Parameters
    ----------
    trust
        Competence by MACE above which a person counts.
    share
        Share of a second's opinions that must say yes.
    """
    from earmark.reconcile.competence import trusted

    sheet = sheet_of(ballots)
    fit = mace_fit(sheet, inference=inference, restarts=restarts, iterations=50, seed=seed)
    ticked, asked = sheet.of(trusted(fit.competence, trust)).votes()
    made_by = {"by": "trusted", "trust": trust, "inference": inference, "restarts": restarts}
    return stacked(sheet, ticked, asked, {**made_by, "share": share}, fit.competence)


@described_like(by_mace)
def by_dawid_skene(ballots: Ballots[Tags], *, seed: int, share: float = 0.8) -> Reference[Timeline]:
    """Dawid and Skene's model decides every (window, label) pair; windows are stacked."""
    from earmark.reconcile.dawid_skene import dawid_skene

    sheet = sheet_of(ballots)
    fit = dawid_skene(sheet.pairs())
    tags = (fit.chosen() == 1).reshape(sheet.windows, -1)
    made_by = {"by": "dawid-skene", "share": share}
    return stacked(sheet, tags, tags | True, made_by, fit.competence)


def by_window_hmm(
    ballots: Ballots[Tags],
    *,
    seed: int,
    levels: int = 3,
    shrink: float = 10.0,
    iterations: int = 12,
    chance: float = 0.5,
) -> Reference[Timeline]:
    """The window HMM: seconds are hidden, windows show how many of them sound. Doubt per second.

    Parameters
    ----------
    levels
        Levels of audibility that an event can have, 1 to 3.
    shrink
        How many answers the crowd weighs in each entry of a person's table.
    iterations
        Steps of the fit at most.
    chance
        Chance from which on a second is called active.
    """
    from earmark.tasks.events.hmm import Recipe, window_hmm

    sheet = sheet_of(ballots)
    found = window_hmm(sheet, Recipe(levels=levels, shrink=shrink, iterations=iterations))
    made_by = {
        "by": "window-hmm",
        "levels": levels,
        "shrink": shrink,
        "iterations": iterations,
        "chance": chance,
    }
    return _reference(sheet, found.active >= chance, found.doubt(), made_by, found.competence())


def mace_fit(
    sheet: "Sheet", *, inference: Inference, restarts: int, iterations: int, seed: int
) -> "Fit":
    """MACE on the yes/no answers to every (window, label) pair."""
    from earmark.reconcile.mace import Recipe, mace

    recipe = Recipe(inference=inference, restarts=restarts, iterations=iterations)
    return mace(sheet.pairs(), recipe, seed=seed)


def stacked(
    sheet: "Sheet",
    ticked: "Floats | Bools",
    asked: "Floats | Bools",
    made_by: Mapping[str, object],
    competence: "Floats | None" = None,
) -> Reference[Timeline]:
    """Opinions per window laid over one another; a second is active when enough of them say yes."""
    import numpy as np

    from earmark.tasks.events.hmm import binary_entropy
    from earmark.tasks.events.sheet import active, activity

    share = checks.within(float(str(made_by["share"])), 0.0, 1.0, what="share")
    shares = activity(sheet, ticked.astype(float), asked.astype(float))
    doubt = binary_entropy(np.where(np.isnan(shares), 0.5, shares))
    return _reference(sheet, active(shares, share), doubt, made_by, competence)


def _reference(
    sheet: "Sheet",
    cells: "Bools",
    doubt: "Floats",
    made_by: Mapping[str, object],
    competence: "Floats | None",
) -> Reference[Timeline]:
    lines = sheet.timelines(cells, doubt)
    ends = sheet.cell_starts()
    mean = {
        name: float(doubt[ends[r] : ends[r + 1]].mean()) for r, name in enumerate(sheet.recordings)
    }
    trust = () if competence is None else zip(sheet.people, competence.tolist(), strict=True)
    people = {person: round(value, 6) for person, value in trust}
    return Reference(str(made_by["by"]), lines, mean, people, dict(made_by))


def sheet_of(ballots: Ballots[Tags]) -> "Sheet":
    """The ballots as arrays, checked: no gap between windows, and an answer to each."""
    from earmark.tasks.events.gather import gather

    return gather(ballots)
