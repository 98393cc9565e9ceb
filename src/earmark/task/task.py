"""A task: what it brings to each verb. Being in the folder `tasks/` is being registered.

Every slot is optional. A verb that a task leaves empty does not appear in that task's help.
The first entry of each mapping is the default. A function with options takes them as one frozen
record in its parameter `options` (see `task/options.py`): the command line is built from that
record, so a new option is one field and nothing else.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from earmark.task.contract import Contract
from earmark.task.people import People
from earmark.values.answer import Answer
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.names import some
from earmark.values.output import Output
from earmark.values.paper import Paper
from earmark.values.reference import Reference

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Made:
    """One item that a maker made, with the truth about it when it is known.

    `sound`, when given, is written beside the item: (samples, rate), mono, as FLAC; `item.media`
    then names the file, relative to the material folder. `files` are further files to write
    there, name to text.
    """

    item: Item
    truth: object | None = None
    sound: tuple[Any, int] | None = None
    files: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Training:
    """What a system may learn from: items, and what is held to be right about them."""

    items: tuple[Item, ...]
    reference: Reference[Any]

    @classmethod
    def of(cls, items: tuple[Item, ...], reference: Reference[Any]) -> "Training":
        """Return what is learnt from; raise InputError if the reference lacks some of the items.

        Items of a kind that it has nothing to say about, such as recordings to enrol, may be
        without a value.
        """
        known = {item.kind for item in items if item.id in reference.values}
        asked = [item.id for item in items if item.kind in known or not known]
        missing = [item for item in asked if item not in reference.values]
        if missing:
            raise InputError(
                "a system learns from a reference that has every item",
                at=f"reference {reference.name}",
                got=f"nothing about {some(missing)} of {len(asked)}",
                fix="learn from another reference: --train-on NAME",
            )
        return cls(items, reference)


def each_by_itself(reference: Mapping[str, Any]) -> dict[str, str]:
    """Return groups in which every item is alone."""
    return {item: item for item in reference}


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two sides read from files, paired by item id, for `measure`."""

    reference: Mapping[str, Any]
    output: Mapping[str, Any]
    reference_name: str
    output_name: str
    details: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Question:
    """One simple decision, put to people.

    `units` cuts material into unit questions: (items, options) -> iterator of items.
    `show` gives what the page needs for one unit, as JSON. `read` turns a filled form into a
    value, or raises InputError. `read_answers` imports a file of answers: (path, units, options) ->
    answers.
    `simulate` answers in place of people: (units, truth, *, crowd, seed) -> answers, where `crowd`
    is the parsed TOML of a crowd file over the task's `crowd` defaults. `more` says which units to
    ask about again, most doubtful first: (ballots, *, seed) -> pairs of unit and doubt; `ranker`
    returns such a function that remembers, for asking again and again as answers come. `seconds`
    is how long one unit takes a person, for the price. `off_page` are kinds of items about which
    the task's page cannot ask; answers about them come from files.
    """

    prompt: str
    units: Callable[..., Iterator[Item]]
    show: Callable[[Item], Json]
    read: Callable[[Item, Json], object]
    read_answers: Callable[..., Iterator[Answer[Any]]]
    simulate: Callable[..., Iterator[Answer[Any]]] | None = None
    crowd: Mapping[str, object] = field(default_factory=dict)
    seconds: float = 15.0
    more: Callable[..., Iterable[tuple[str, float]]] | None = None
    ranker: Callable[[], Callable[..., Iterable[tuple[str, float]]]] | None = None
    off_page: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """One verb of a tour, with its arguments; texts may use {folder}, the tour's own folder."""

    verb: str
    options: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Tour:
    """All verbs on made-up material: `prepare(folder, seed)` writes what the steps read.

    `extras` are those that it uses; without them it goes as far as it can.
    """

    steps: tuple[Step, ...]
    prepare: Callable[[Path, int], None] | None = None
    about: str = ""
    extras: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class Task:
    """What a task brings to each verb.

    Shapes of the mappings' functions (`options` is left out where a function has none):

    - make: (source, options, *, seed) -> iterator of Made
    - reconcile: (ballots, options, *, seed) -> Reference
    - run: (items, options, *, train_on, seed) -> iterator of Output; `train_on` may be None
    - train: (train_on, options, *, out, seed) -> the card of the model written to `out`, as JSON
    - score: (options, **changes) -> Metric
    - report: (view) -> Figure, or None when the study has nothing to draw yet
    - export: an `Exporter`, by the name of its format: (selection, options) -> Exported
    - rows: (selection) -> iterator of rows, by what is exported: what a table of it has per row;
      under `brief`, what a page shows of the value of an item where that is less

    A mapping may be a `Slot`, which imports its functions when they are first asked for.

    `kinds` are the record classes of the task's values, for its files; `posteriors` those from
    which a reference's values can be drawn (`values/reference.py`). `measure` pairs files:
    (references, output, options) -> Pairing; `given` turns what a Python caller hands over into the
    two sides that `measure` takes: (reference, output) -> (references, output); without it, paths
    alone are taken; `describe` turns the details of what was measured
    or audited into lines for a terminal; `explain` says what the scores of items are made of:
    (references, outputs, metrics or None) -> item to JSON. `reconcile_files` reconciles answers
    without a study: (answers, options, *, by, how, out, seed) -> what it wrote, where `how` are the
    options of the method `by`. `audit` asks how well metrics
    agree with people: (benchmark, metrics, options, *, seed) -> JSON of `metrics`. `outputs`
    reads a file or folder of outputs as a system: (path, items, options) -> outputs. `people` says
    how people are scored beside systems (`task/people.py`). `report` entries are (view) -> Figure
    or None, where the view is a study seen read-only. `papers` rebuilds published tables: (data) ->
    lines. `learns_within` names systems that learn from the study they are run on, each part from
    the others (folds of recordings, leave one speaker out): they are handed the study's reference
    unasked; other systems get one only by `--train-on`. `cites` names, for a metric or a way of
    reconciling, the paper that defined it, for `earmark cite`. `groups` names which items belong
    together, the default for files first: (reference) -> item to group; `parent` is what the parent
    of an item is called, which is the default in a study. `choices` has for a metric the values of
    its options that authors of the field choose, the default among them: `score --choices` ranks
    under each combination. `submission` returns how strangers' code is run (`Contract`).
    `examples` are commands for the help of `make`, `measure`, `train` and
    `audit`; each runs. `titles` are what pages call metrics whose identifier, with spaces for
    underscores, is not their name: `spice_plus` is SPICE+.
    """

    name: str
    title: str
    paper: Paper
    kinds: tuple[type, ...]
    posteriors: tuple[type, ...] = ()
    asks: str = ""
    make: Mapping[str, Callable[..., Iterator[Made]]] = field(default_factory=dict)
    ask: Question | None = None
    reconcile: Mapping[str, Callable[..., Reference[Any]]] = field(default_factory=dict)
    run: Mapping[str, Callable[..., Iterator[Output[Any]]]] = field(default_factory=dict)
    train: Mapping[str, Callable[..., Json]] = field(default_factory=dict)
    score: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    report: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    export: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    rows: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    reconcile_files: Callable[..., Json] | None = None
    measure: Callable[..., Pairing] | None = None
    given: Callable[[Any, Any], tuple[tuple[Any, ...], Any]] | None = None
    describe: Callable[[Json], Iterator[str]] | None = None
    explain: Callable[..., Mapping[str, Json]] | None = None
    audit: Callable[..., Json] | None = None
    outputs: Callable[..., Iterator[Output[Any]]] | None = None
    people: People | None = None
    papers: Callable[[Path], Iterator[str]] | None = None
    learns_within: frozenset[str] = frozenset()
    cites: Mapping[str, Paper] = field(default_factory=dict)
    choices: Mapping[str, Mapping[str, tuple[object, ...]]] = field(default_factory=dict)
    groups: Mapping[str, Callable[[Mapping[str, Any]], Mapping[str, str]]] = field(
        default_factory=dict
    )
    parent: str = "parent"
    tour: Tour | None = None
    submission: Callable[[], Contract] | None = None
    examples: Mapping[str, str] = field(default_factory=dict)
    titles: Mapping[str, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<Task {self.name}: {self.title}>"
