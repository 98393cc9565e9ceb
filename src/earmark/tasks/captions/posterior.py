"""Which references of a sound could have been left out: the judges of its pairs, drawn anew."""

from dataclasses import dataclass

from earmark.reconcile.panel import drawn_people
from earmark.tasks.captions.values import Captions
from earmark.values.errors import InputError


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
