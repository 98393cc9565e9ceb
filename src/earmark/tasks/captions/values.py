"""Records of this task: captions, pairs of captions, preferences, and graphs."""

from dataclasses import dataclass

from earmark.reconcile.panel import drawn_people
from earmark.values.errors import InputError

FIRST, SECOND, NEITHER = "first", "second", "neither"
KINDS = ("HC", "HI", "HM", "MM")


@dataclass(frozen=True, slots=True)
class Captions:
    """The captions of one sound: its references, or a system's caption (or several)."""

    texts: tuple[str, ...]

    def __post_init__(self) -> None:
        texts: object = self.texts
        if isinstance(texts, str):
            raise InputError(
                "captions are a list of texts",
                got=repr(texts),
                fix="Captions.of('a dog barks') for a single one",
            )
        object.__setattr__(self, "texts", tuple(self.texts))
        if not self.texts:
            raise InputError("an item needs at least one caption", fix="write one, or leave it out")

    @classmethod
    def of(cls, *texts: str) -> "Captions":
        """Return captions from one argument each."""
        return cls(texts)


def single_caption(captions: Captions, item: str) -> str:
    """Return a system's only caption of an item; raise InputError if it has several."""
    if len(captions.texts) > 1:
        raise InputError(
            "this metric compares one caption with the references",
            at=f"item {item}",
            got=f"{len(captions.texts)} captions",
            fix="keep one caption per item, or use spice_plus or spice_plus_emb",
        )
    return captions.texts[0]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two captions of one sound to choose from.

    `kind` is HC (both by people, of this sound), HI (the second by a person, of another sound),
    HM (person and machine) or MM (two machines). `first_from` and `second_from` name the
    authors.
    """

    first: str
    second: str
    kind: str
    first_from: str = ""
    second_from: str = ""

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise InputError("a pair is of one of four kinds", got=self.kind, want=", ".join(KINDS))


@dataclass(frozen=True, slots=True)
class Preference:
    """Which caption of a pair is better: first, second, or neither.

    `margin` is how many more judges chose the winner, when several were asked.
    """

    winner: str
    margin: int = 1

    def __post_init__(self) -> None:
        if self.winner not in {FIRST, SECOND, NEITHER}:
            raise InputError(
                "a preference names a winner", got=self.winner, want="first, second or neither"
            )

    @property
    def sign(self) -> int:
        """1 for the first, -1 for the second, 0 for neither."""
        return {FIRST: 1, SECOND: -1, NEITHER: 0}[self.winner]


@dataclass(frozen=True, slots=True)
class JudgedCaption:
    """A reference against a caption of another sound: 1 for it, -1 against it, 0 for neither.

    `signs[k]` is the vote of `people[k]`.
    """

    caption: str
    people: tuple[str, ...]
    signs: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.people) != len(self.signs):
            raise InputError("every judge of a pair needs one vote")


@dataclass(frozen=True, slots=True)
class ContestPosterior:
    """All references of a sound, and the contests that can cost one of them its place."""

    captions: tuple[str, ...]
    contests: tuple[JudgedCaption, ...] = ()

    def draw(self, value: Captions, *, item: str, seed: int) -> Captions:
        """Return the references that stay when the judges are drawn with replacement."""
        rejected = set()
        for contest in self.contests:
            sign = dict(zip(contest.people, contest.signs, strict=True))
            if sum(sign[person] for person in drawn_people(contest.people, seed=seed)) < 0:
                rejected.add(contest.caption)
        return accepted(self.captions, rejected)


def accepted(captions: tuple[str, ...], rejected: set[str]) -> Captions:
    """Return the captions that were not rejected; all of them if every one was."""
    return Captions(tuple(text for text in captions if text not in rejected) or captions)


Tuple = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Graph:
    """A scene graph of captions: objects, their attributes and the relations between them.

    `nodes` are lemmas of nouns; `attributes` pairs (node, adjective or verb); `relations` triples
    (node, relation, node).
    """

    nodes: frozenset[str] = frozenset()
    attributes: frozenset[tuple[str, str]] = frozenset()
    relations: frozenset[tuple[str, str, str]] = frozenset()

    def __post_init__(self) -> None:
        object.__setattr__(self, "nodes", frozenset(self.nodes))
        for name in ("attributes", "relations"):
            rows = frozenset(tuple(row) for row in getattr(self, name))
            object.__setattr__(self, name, rows)

    def __or__(self, other: "Graph") -> "Graph":
        return Graph(
            self.nodes | other.nodes,
            self.attributes | other.attributes,
            self.relations | other.relations,
        )

    @property
    def tuples(self) -> tuple[Tuple, ...]:
        """The graph as tuples of one, two and three lemmas, in a fixed order.

        Examples
        --------
        >>> Graph({"dog"}, {("dog", "bark")}).tuples
        (('dog',), ('dog', 'bark'))
        """
        rows: list[Tuple] = [*((node,) for node in self.nodes), *self.attributes, *self.relations]
        return tuple(sorted(rows, key=lambda row: (len(row), row)))
