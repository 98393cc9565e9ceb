"""Whether the order of systems survives the choices of a metric: collar, threshold, limit, beta.

Every metric has options that another author would have set otherwise. A board under one setting
says nothing of the others; here the same outputs are ranked under all of them.
"""

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from earmark.score.metric import Metric
from earmark.score.swapping import Pair, PairedCounts
from earmark.stats.paired import SIGNIFICANCE, SLACK, holm
from earmark.task.task import Json
from earmark.values.names import counted
from earmark.values.score import Score, number


@dataclass(frozen=True, slots=True)
class SettingValues:
    """The systems under one setting: their values, and p of each pair, corrected by Holm.

    `as_scored` marks the setting of the board.
    """

    options: Mapping[str, object] = field(hash=False)
    values: Mapping[str, float] = field(hash=False)
    p: Mapping[Pair, float] = field(default_factory=dict, hash=False)
    as_scored: bool = False


@dataclass(frozen=True, slots=True)
class PairOrder:
    """In how many settings each of two systems is the better one, and in how many significantly.

    `settings` is how many define both values; what is neither `before` nor `after` is a tie.
    `depends_on` names options that turn the order round when nothing else is changed.
    """

    first: str
    second: str
    settings: int
    before: int
    after: int
    significant_before: int
    significant_after: int
    depends_on: tuple[str, ...] = ()


def settings_of(
    choices: Mapping[str, Sequence[object]], given: Mapping[str, object]
) -> list[dict[str, object]]:
    """Return every combination of the values; a value that was given is one of them.

    Examples
    --------
    >>> settings_of({"collar": (0.1, 0.2)}, {"collar": 0.5})
    [{'collar': 0.1}, {'collar': 0.2}, {'collar': 0.5}]
    """
    values = [
        [*own, given[name]] if name in given and given[name] not in own else list(own)
        for name, own in choices.items()
    ]
    return [dict(zip(choices, row, strict=True)) for row in itertools.product(*values)]


def under_setting(
    metric: Metric,
    scores: Mapping[str, Score],
    options: Mapping[str, object],
    *,
    resamples: int,
    seed: int,
    as_scored: bool = False,
) -> SettingValues:
    """Return the systems' values and the p of every pair, tested as on a board."""
    values = {name: score.value for name, score in scores.items()}
    defined = [name for name, value in values.items() if not math.isnan(value)]
    pairs = list(itertools.combinations(defined, 2))
    p_values: dict[Pair, float] = {}
    if pairs and resamples:
        paired = PairedCounts.of(metric, {name: scores[name] for name in defined})
        if paired.group_count > 1:
            p_values = holm(paired.p_values(pairs, least=resamples, seed=seed))
    return SettingValues(options, values, p_values, as_scored)


def pair_orders(settings: Sequence[SettingValues], *, higher_is_better: bool) -> list[PairOrder]:
    """Return every pair of systems, the better one of the board first, best pairs first."""
    sign = 1 if higher_is_better else -1
    board = next((one for one in settings if one.as_scored), settings[0])
    order = sorted(board.values, key=lambda name: (_descending(sign * board.values[name]), name))
    return [_pair_order(settings, pair, sign) for pair in itertools.combinations(order, 2)]


def _descending(value: float) -> float:
    return math.inf if math.isnan(value) else -value


def _pair_order(settings: Sequence[SettingValues], pair: Pair, sign: int) -> PairOrder:
    signs = [_sign(one, pair, sign) for one in settings]
    certain = [_is_significant(one, pair) for one in settings]
    counts = {
        way: (
            sum(own == way for own in signs),
            sum(own == way and sure for own, sure in zip(signs, certain, strict=True)),
        )
        for way in (1, -1)
    }
    return PairOrder(
        *pair,
        settings=sum(own is not None for own in signs),
        before=counts[1][0],
        after=counts[-1][0],
        significant_before=counts[1][1],
        significant_after=counts[-1][1],
        depends_on=_depends_on(settings, signs),
    )


def _sign(setting: SettingValues, pair: Pair, sign: int) -> int | None:
    """Return 1 if the first is better, -1 if worse, 0 for a tie, None if one is undefined."""
    first, second = (setting.values[name] for name in pair)
    if math.isnan(first) or math.isnan(second):
        return None
    if abs(first - second) <= SLACK * max(abs(first), abs(second)):
        return 0
    return sign if first > second else -sign


def _is_significant(setting: SettingValues, pair: Pair) -> bool:
    p = setting.p.get(pair, setting.p.get((pair[1], pair[0]), math.nan))
    return p <= SIGNIFICANCE


def _depends_on(settings: Sequence[SettingValues], signs: Sequence[int | None]) -> tuple[str, ...]:
    """Return the options of which a change alone turns the order round."""
    names = tuple(settings[0].options)
    turning = set()
    for (one, a), (other, b) in itertools.combinations(zip(settings, signs, strict=True), 2):
        if a is None or b is None or a * b != -1:
            continue
        changed = [name for name in names if one.options[name] != other.options[name]]
        if len(changed) == 1:
            turning.add(changed[0])
    return tuple(name for name in names if name in turning)


def sentences(pairs: Sequence[PairOrder]) -> list[str]:
    """Return what holds, in words: neighbours on the board, then all pairs whose order turns."""
    if not pairs:
        return ["there is one system: nothing to compare"]
    order = list(dict.fromkeys(name for pair in pairs for name in (pair.first, pair.second)))
    neighbours = set(itertools.pairwise(order))
    lines = [
        _sentence(pair) for pair in pairs if pair.after or (pair.first, pair.second) in neighbours
    ]
    silent = len(pairs) - len(lines)
    if silent:
        lines.append(f"the order of the other {counted(silent, 'pair')} never turns round")
    return lines


def _sentence(pair: PairOrder) -> str:
    names = f"{pair.first} before {pair.second}"
    if not pair.settings:
        return f"{names}: no setting has a value of both"
    line = f"{names} in {pair.before} of {counted(pair.settings, 'setting')}"
    line += f" (significantly in {pair.significant_before})"
    if not pair.after:
        ties = pair.settings - pair.before
        return f"{line}; a tie in {ties}" if ties else line
    line += f", the other way round in {pair.after} ({pair.significant_after})"
    if not pair.depends_on:
        return f"{line}; the order depends on several options together"
    options = " and the ".join(name.replace("_", " ") for name in pair.depends_on)
    return f"{line}; the order depends on the {options}"


def choices_as_json(
    choices: Mapping[str, Sequence[object]],
    settings: Sequence[SettingValues],
    *,
    higher_is_better: bool,
) -> Json:
    """Return what a study stores of one metric."""
    pairs = pair_orders(settings, higher_is_better=higher_is_better)
    return {
        "options": {name: list(values) for name, values in choices.items()},
        "higher_is_better": higher_is_better,
        "settings": [
            {
                "options": dict(one.options),
                "as_scored": one.as_scored,
                "values": {name: number(value) for name, value in one.values.items()},
            }
            for one in settings
        ],
        "pairs": [_as_json(pair) for pair in pairs],
        "sentences": sentences(pairs),
    }


def _as_json(pair: PairOrder) -> Json:
    plain: dict[str, Any] = {
        "first": pair.first,
        "second": pair.second,
        "settings": pair.settings,
        "before": pair.before,
        "after": pair.after,
        "significant_before": pair.significant_before,
        "significant_after": pair.significant_after,
        "depends_on": list(pair.depends_on),
    }
    return plain
