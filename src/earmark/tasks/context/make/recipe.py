"""The constants of the corruption, each an option, and the two presets that set them."""

from dataclasses import dataclass, fields, replace

from earmark.values import checks
from earmark.values.errors import InputError

NOUNS = ("NN", "NNS", "NNP", "NNPS")


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a document is corrupted.

    `least` words a document must have; `context` how many nouns back the same noun must stand;
    `skip` the first nouns that are never swapped (None: as many as `context`); `strict_last`
    whether the noun must not come again in the next `context` nouns; `swaps` how many a document;
    `frame` how many ranks up and down a substitute may lie, doubled at each of `tries`;
    `letters` the shortest substitute; `nouns` the tags that count as nouns. Then what only the
    clean preset asks for: the substitute does not occur in the document (`unseen`), agrees with a
    or an before it (`articles`), takes over capital letters (`capitals`), is no other form of the
    original (`lemmas`); stage directions and speaker names are left alone (`directions`), and the
    earlier mention that gives a swap away stays in place (`evidence`).
    """

    least: int = 200
    context: int = 10
    skip: int | None = None
    strict_last: bool = False
    swaps: int = 10
    frame: int = 20
    tries: int = 3
    letters: int = 3
    nouns: tuple[str, ...] = NOUNS
    unseen: bool = True
    articles: bool = True
    capitals: bool = True
    lemmas: bool = True
    directions: bool = True
    evidence: bool = True
    sound_alike: bool = False
    farthest: float = 0.3

    def __post_init__(self) -> None:
        for name in ("least", "context", "swaps", "frame", "tries", "letters"):
            if getattr(self, name) < 1:
                raise InputError(f"{name} must be at least 1", got=getattr(self, name))
        checks.within(self.farthest, 0, 1, what="farthest")

    @property
    def first(self) -> int:
        """The first noun that may be swapped."""
        return self.context if self.skip is None else self.skip


PRESETS = {
    "clean": Recipe(),
    "paper-2018": Recipe(
        unseen=False,
        articles=False,
        capitals=False,
        lemmas=False,
        directions=False,
        evidence=False,
    ),
}


def recipe_of(preset: str, **changes: object) -> Recipe:
    """The preset with the options that were given; None leaves the preset's value.

    Examples
    --------
    >>> recipe_of("paper-2018", frame=40, unseen=None).frame
    40
    """
    checks.one_of(preset, PRESETS, what="preset")
    known = {field.name for field in fields(Recipe)}
    given = {name: value for name, value in changes.items() if value is not None}
    for name in given:
        checks.one_of(name, known, what="option")
    return replace(PRESETS[preset], **given)  # type: ignore[arg-type]
