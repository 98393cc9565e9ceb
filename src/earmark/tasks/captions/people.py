"""People beside systems: those who wrote the references, each against what the others wrote.

Judges choose between captions and write none; what they say decides which references stay. The
first writer is whoever wrote the first caption of each sound, who may be another person each time.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from earmark.task.people import People
from earmark.values.answer import Ballots

if TYPE_CHECKING:
    from earmark.tasks.captions.values import Captions

WRITER = "writer"


def writers(ballots: Ballots[Any]) -> tuple[str, ...]:
    """Return as many writers as the sound with most captions has."""
    from earmark.tasks.captions.ask import captions_of

    most = max((len(captions_of(item).human) for item in ballots.material), default=0)
    return tuple(f"{WRITER} {number + 1}" for number in range(most))


def own_captions(ballots: Ballots[Any], person: str) -> "dict[str, Captions]":
    """Return a writer's caption of each sound that has one."""
    from earmark.tasks.captions.ask import captions_of
    from earmark.tasks.captions.values import Captions

    number = int(person.removeprefix(WRITER)) - 1
    texts = {item.id: captions_of(item).human for item in ballots.material}
    return {item: Captions.of(own[number]) for item, own in texts.items() if number < len(own)}


def leave_out(
    values: "Mapping[str, Captions]", ballots: Ballots[Any], person: str
) -> "dict[str, Captions]":
    """Return the references without a writer's; a sound with none left is left out.

    Of two writers who used the same words, the other's stay.
    """
    from earmark.tasks.captions.values import Captions

    own = own_captions(ballots, person)
    left = {}
    for item, captions in values.items():
        texts = list(captions.texts)
        if item in own and own[item].texts[0] in texts:
            texts.remove(own[item].texts[0])
        if texts:
            left[item] = Captions(tuple(texts))
    return left


PEOPLE = People(
    names=writers, output=own_captions, leave_out=leave_out, who="writers of the references"
)
