"""The constants of the corruption, each an option, and the two presets that set them."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Literal

from earmark.task.options import option
from earmark.tasks.context.make.documents import TextOptions
from earmark.values import checks
from earmark.values.errors import InputError

Preset = Literal["clean", "paper-2018"]

# The Penn Treebank's tags of nouns: those that begin with N, as in the authors' code.
NOUNS = ("NN", "NNS", "NNP", "NNPS")


@dataclass(frozen=True, slots=True)
class CorruptionRecipe:
    """How a document is corrupted; the options that set these values say what each means.

    The defaults from `least` to `nouns` are those of the authors' published code. From `unseen` to
    `once` is what only the preset clean asks for. `skip` None means as many as `context`.
    With `choices` 20, the substitutes of a noun are spread over 20 words at least, where there are
    as many: about 5 % each. Within `farthest` 0.3, 93 % of the nouns of talks have a sound-alike
    of the same tag.
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
    once: bool = True
    sound_alike: bool = False
    farthest: float = 0.3
    same_talk: bool = False
    recogniser: bool = False
    choices: int = 20

    def __post_init__(self) -> None:
        for name in ("least", "context", "swaps", "frame", "tries", "letters", "choices"):
            if getattr(self, name) < 1:
                raise InputError(f"{name} must be at least 1", got=getattr(self, name))
        checks.within(self.farthest, 0, 1, what="farthest")
        if self.sound_alike + self.same_talk + self.recogniser > 1:
            raise InputError(
                "substitutes come from one place",
                want="one of --sound-alike, --same-talk and --recogniser, or none",
            )

    @property
    def first(self) -> int:
        """The number of the first noun that may be swapped."""
        return self.context if self.skip is None else self.skip

    @property
    def by_sound(self) -> bool:
        """Whether substitutes sound like the noun."""
        return self.sound_alike or self.recogniser


PRESETS: Mapping[str, CorruptionRecipe] = {
    "clean": CorruptionRecipe(),
    "paper-2018": CorruptionRecipe(
        unseen=False,
        articles=False,
        capitals=False,
        lemmas=False,
        directions=False,
        evidence=False,
        once=False,
        choices=1,
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class CorruptionOptions(TextOptions):
    """Documents, a preset, and what is to differ from it; None and () leave the preset's value."""

    preset: Preset = option("clean", "clean, or paper-2018: the published procedure as meant.")
    swaps: int | None = option(None, "Swaps per document (10).")
    sound_alike: bool = option(
        False,
        "Substitutes that sound like the original (CMUdict) instead of equally frequent ones.",
    )
    same_talk: bool = option(
        False, "Substitutes that are other nouns of the same document, so that they fit its topic."
    )
    recogniser: bool = option(
        False,
        "Substitutes as a recogniser errs: nouns of any kind that sound alike, near and frequent "
        "ones more often.",
    )
    choices: int | None = option(
        None,
        "The frame widens until so many words fit (clean: 20), so that no noun always gets the "
        "same substitute.",
    )
    farthest: float | None = option(None, "How far a sound-alike may be, from 0 to 1 (0.3).")
    least: int | None = option(
        None, "Words a document must have (200); shorter ones are left out and counted."
    )
    context: int | None = option(
        None, "A noun may be swapped if it is also among so many nouns before it (10)."
    )
    skip: int | None = option(
        None, "How many nouns at the start are never swapped (as many as --context)."
    )
    strict_last: bool | None = option(
        None, "Only the last mention: the noun does not come again in the next nouns."
    )
    frame: int | None = option(None, "How far in rank of frequency a substitute may be (20).")
    tries: int | None = option(None, "How often the frame is tried, doubling each time (3).")
    letters: int | None = option(None, "Letters a substitute must have (3).")
    nouns: tuple[str, ...] = option((), "Tags that count as nouns (NN, NNS, NNP, NNPS).")
    unseen: bool | None = option(
        None, "Refuse substitutes that are elsewhere in the document (clean)."
    )
    articles: bool | None = option(None, "Keep a and an right before the substitute (clean).")
    capitals: bool | None = option(None, "Carry capital letters over (clean).")
    lemmas: bool | None = option(None, "Refuse other forms of the same noun (clean).")
    directions: bool | None = option(
        None, "Leave stage directions and speaker names alone (clean)."
    )
    evidence: bool | None = option(
        None, "Leave the earlier mention of a swapped noun in place (clean)."
    )
    once: bool | None = option(
        None,
        "Place a word once per document, and a pair of noun and substitute once in all (clean).",
    )

    def recipe(self) -> CorruptionRecipe:
        """Return the recipe: the preset with what differs from it."""
        names = (field.name for field in fields(CorruptionRecipe))
        changes = {name: getattr(self, name) for name in names}
        return recipe_of(self.preset, **{**changes, "nouns": self.nouns or None})


def recipe_of(preset: str, **changes: Any) -> CorruptionRecipe:
    """Return a preset with some values changed; None leaves the preset's value.

    Examples
    --------
    >>> recipe_of("paper-2018", frame=40, unseen=None).frame
    40
    """
    checks.one_of(preset, PRESETS, what="preset")
    known = {field.name for field in fields(CorruptionRecipe)}
    for name in changes:
        checks.one_of(name, known, what="option")
    wanted = {name: value for name, value in changes.items() if value is not None}
    return replace(PRESETS[preset], **wanted)
