"""A sixth task, in one folder: did this coin show heads? Small enough to check by hand."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from earmark.report.figure import Figure
from earmark.report.svg import element
from earmark.score.metric import Metric
from earmark.stats import rates
from earmark.stats.draw import stream
from earmark.tables.rows import read_table
from earmark.task.contract import Contract, Part, ScriptCall
from earmark.task.options import changed, option
from earmark.task.people import People
from earmark.task.task import Made, Pairing, Question, Step, Task, Tour, Training
from earmark.task.view import View
from earmark.values.answer import Answer, Ballots
from earmark.values.counts import Hits
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.output import Output
from earmark.values.paper import Paper
from earmark.values.reference import Reference


@dataclass(frozen=True, slots=True)
class Side:
    """How a coin fell."""

    heads: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TossOptions:
    """How coins are tossed."""

    tosses: int = option(6, "How many coins.")
    bias: float = option(0.5, "Probability of heads.")


def make_tosses(
    source: Path | None, options: TossOptions = TossOptions(), *, seed: int
) -> Iterator[Made]:
    """Toss coins with a seeded hand."""
    for number in range(options.tosses):
        name = f"coin-{number}"
        heads = bool(stream(seed, name).random() < options.bias)
        yield Made(Item(name, "coin", text="a coin", parent=f"hand-{number % 3}"), Side(heads))


def units(items: tuple[Item, ...]) -> Iterator[Item]:
    yield from items


def read_form(item: Item, form: dict[str, Any]) -> Side:
    if form.get("side") not in ("heads", "tails"):
        raise InputError("a coin shows heads or tails", at=f"item {item.id}", got=form.get("side"))
    return Side(form["side"] == "heads")


def read_answers(path: Path, units: tuple[Item, ...]) -> Iterator[Answer[Side]]:
    known = {unit.id: unit for unit in units}
    for line, row in read_table(path, columns=("item", "person", "side")):
        if row["item"] not in known:
            raise InputError("that coin was not tossed", at=f"{path}:{line}", got=row["item"])
        yield Answer(
            row["item"], row["person"], read_form(known[row["item"]], {"side": row["side"]})
        )


def simulate(
    units: tuple[Item, ...], truth: Reference[Side], *, crowd: Mapping[str, Any], seed: int
) -> Iterator[Answer[Side]]:
    for unit in units:
        for number in range(crowd["opinions"]):
            wrong = stream(seed, unit.id, number).random() < crowd["slips"]
            yield Answer(unit.id, f"p{number}", Side(truth.values[unit.id].heads != bool(wrong)))


@dataclass(frozen=True, slots=True, kw_only=True)
class MajorityOptions:
    """How votes are counted."""

    tie: bool = option(True, "What an even split counts as.")


def by_majority(
    ballots: Ballots[Side], options: MajorityOptions = MajorityOptions(), *, seed: int
) -> Reference[Side]:
    """Return what most people saw."""
    values, doubt = {}, {}
    for item in ballots.items:
        votes = [answer.value.heads for answer in ballots.of(item.id)]
        heads = sum(votes)
        values[item.id] = Side(heads * 2 > len(votes) or (heads * 2 == len(votes) and options.tie))
        doubt[item.id] = 1 - max(heads, len(votes) - heads) / len(votes)
    return Reference("majority", values, doubt)


def most_doubtful(ballots: Ballots[Side], *, seed: int) -> list[tuple[str, float]]:
    doubt = by_majority(ballots, seed=seed).doubt
    return sorted(doubt.items(), key=lambda pair: (-pair[1], pair[0]))


@dataclass(frozen=True, slots=True, kw_only=True)
class AlwaysOptions:
    """What the system always says."""

    heads: bool = option(True, "What it says.")


def always(
    items: tuple[Item, ...],
    options: AlwaysOptions = AlwaysOptions(),
    *,
    train_on: Training | None,
    seed: int,
) -> Iterator[Output[Side]]:
    """Say the same every time."""
    yield from (Output("always", item.id, Side(options.heads)) for item in items)


def read_outputs(path: Path, items: tuple[Item, ...]) -> Iterator[Output[Side]]:
    for _, row in read_table(path, columns=("item", "side")):
        yield Output(path.stem, row["item"], Side(row["side"] == "heads"))


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadsOptions:
    """How the F of heads weighs recall."""

    beta: float = option(1.0, "How much recall weighs.")


def heads_f1(options: HeadsOptions = HeadsOptions(), **changes: Any) -> Metric:
    """Build the F of heads."""
    chosen = changed(options, changes)

    def count(reference: Side, output: Side) -> Hits:
        pair = (reference.heads, output.heads)
        return Hits(pair == (True, True), pair == (True, False), pair == (False, True))

    return Metric(
        "coins",
        "heads_f1",
        count,
        lambda hits: rates.f_score(hits, beta=chosen.beta),
        options={"beta": chosen.beta},
        undefined="no coin showed heads, and none was called",
    )


def measure(references: tuple[Path, ...], output: Path | None) -> Pairing:
    sides = [
        {
            row["item"]: Side(row["side"] == "heads")
            for _, row in read_table(path, columns=("item", "side"))
        }
        for path in (references[0], output)
        if path
    ]
    return Pairing(sides[0], sides[1], references[0].stem, str(output))


def coin_parts(items: tuple[Item, ...], key: str) -> tuple[Part, ...]:
    """Return a part per hand; the code is given the names of its coins."""
    hands: dict[str, list[Item]] = {}
    for item in items:
        hands.setdefault(item.group, []).append(item)
    return tuple(
        Part(
            hand,
            tuple(own),
            {"coins": {"coins.txt": "".join(f"{item.id}\n" for item in own).encode()}},
            {item.id: item.id for item in own},
        )
        for hand, own in hands.items()
    )


def read_sides(path: Path, part: Part) -> Iterator[Output[Side]]:
    """Read lines `coin-1 heads`, one for each coin of a hand."""
    lines = [line.split() for line in path.read_text().splitlines()]
    sides = {words[0]: words[1] for words in lines if len(words) == 2}
    if set(sides) != {item.id for item in part.items}:
        raise InputError("every coin has a side", got=sorted(sides))
    for item, side in sides.items():
        yield Output("submission", item, Side(side == "heads"))


def contract() -> Contract:
    """A submission is one script: `predict.sh COINS OUTPUT`."""
    calls = (ScriptCall("predict", "predict.sh", ("coins", "output")),)
    return Contract(
        calls,
        coin_parts,
        read_sides,
        output="sides.txt",
        formats="Lines `coin-1 heads`.",
        sample="sample",
        failed=lambda part, why: (Output("x", item.id, Side(False)) for item in part.items),
        failing="counts as tails",
    )


def picture(view: View) -> Figure | None:
    sides = "".join("H" if v.heads else "T" for v in view.references()["truth"].values.values())
    return Figure("The coins", element("p", sides), "As they fell.")


TASK = Task(
    name="coins",
    title="Coins that fell",
    asks="Which side is up?",
    paper=Paper("coin1654", "Pascal, B. and Fermat, P.", "On coins", "Letters", 1654),
    kinds=(Side,),
    make={"tosses": make_tosses},
    ask=Question(
        "Which side is up?",
        units,
        lambda item: {"text": item.text},
        read_form,
        read_answers,
        simulate,
        crowd={"opinions": 3, "slips": 0.1},
        more=most_doubtful,
    ),
    reconcile={"majority": by_majority},
    run={"always": always},
    score={"heads_f1": heads_f1},
    report={"coins": picture},
    measure=measure,
    outputs=read_outputs,
    submission=contract,
    people=People(),
    choices={"heads_f1": {"beta": (0.5, 1.0, 2.0)}},
    tour=Tour(
        steps=(
            Step("make", {"tosses": 9}),
            Step("ask", {"simulate": True}),
            Step("reconcile", {"by": "majority"}),
            Step("run", {"system": "always"}),
            Step("score", {"against": "truth", "resamples": 50}),
            Step("report"),
        ),
        about="Nine coins.",
    ),
)
