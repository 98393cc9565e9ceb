"""Screening: which takes of a text stay."""

from earmark.tasks.keywords.values import Heard, Recording, Screening, Takes
from earmark.values.answer import Ballots
from earmark.values.errors import InputError
from earmark.values.reference import Reference


def by_listeners(
    ballots: "Ballots[Recording | Screening]",
    *,
    seed: int,
    share: float = 0.5,
    unheard: bool = False,
) -> Reference[Takes]:
    """The takes that listeners kept, text by text.

    A take stays when more than `share` of its listeners kept it; the doubt of a text is the share
    of its takes on which listeners disagreed.

    Parameters
    ----------
    share
        Share of listeners that must be exceeded for a take to stay.
    unheard
        Whether a take that nobody screened stays.
    """
    if not 0 <= share < 1:
        raise InputError("a share lies between 0 and 1", got=share)
    parents = {item.id: item.group for item in ballots.items}
    verdicts = _verdicts(ballots)
    kept: dict[str, list[tuple[str, Recording]]] = {group: [] for group in parents.values()}
    split: dict[str, list[bool]] = {group: [] for group in parents.values()}
    for answer in ballots.answers:
        if not isinstance(answer.value, Recording):
            continue
        votes = [heard.keep for heard in verdicts.get((answer.item, answer.person), [])]
        group = parents[answer.item]
        split[group].append(0 < sum(votes) < len(votes))
        if sum(votes) > share * len(votes) if votes else unheard:
            kept[group].append((answer.person, answer.value))
    return Reference(
        "listeners",
        {
            g: Takes(tuple(p for p, _ in rows), tuple(r for _, r in rows))
            for g, rows in kept.items()
        },
        doubt={group: sum(ds) / len(ds) for group, ds in split.items() if ds},
        made_by={"by": "listeners", "share": share, "unheard": unheard, "seed": seed},
    )


def _verdicts(ballots: "Ballots[Recording | Screening]") -> dict[tuple[str, str], list[Heard]]:
    """What listeners made of each take, by unit and contributor."""
    found: dict[tuple[str, str], list[Heard]] = {}
    recorded = {(a.item, a.person) for a in ballots.answers if isinstance(a.value, Recording)}
    for answer in ballots.answers:
        if not isinstance(answer.value, Screening):
            continue
        for heard in answer.value.heard:
            if (answer.item, heard.person) not in recorded:
                raise InputError(
                    "a listener can only screen a take that was recorded",
                    at=f"item {answer.item}, listener {answer.person}",
                    got=heard.person,
                )
            found.setdefault((answer.item, heard.person), []).append(heard)
    return found
