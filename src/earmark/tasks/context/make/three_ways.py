"""The second maker: every document three times, each time corrupted in another way."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from earmark.task.options import option
from earmark.task.task import Made
from earmark.tasks.context.make.corrupt import corrupt
from earmark.tasks.context.make.corrupted import check_swapped, existing_path, passage_item
from earmark.tasks.context.make.documents import TextOptions, read_documents
from earmark.tasks.context.make.recipe import Preset, recipe_of
from earmark.tasks.context.make.tagging import tag_documents


class Way(NamedTuple):
    """A way of corrupting: its name, the preset it starts from, whether by sound-alikes."""

    name: str
    preset: Preset
    sound_alike: bool = False


WAYS = (Way("clean", "clean"), Way("paper-2018", "paper-2018"), Way("sound-alike", "clean", True))


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreeWaysOptions(TextOptions):
    """What is corrupted, and how often."""

    swaps: int | None = option(None, "Swaps per document (10).")
    least: int | None = option(None, "Words a document must have (200).")


def make_three_ways(
    source: Path | None = None,
    options: ThreeWaysOptions = ThreeWaysOptions(),
    *,
    seed: int = 0,
) -> Iterator[Made]:
    """Make every document three times: clean, as in the paper, and with sound-alikes."""
    documents = tag_documents(read_documents(existing_path(options.text or source)))
    for way in WAYS:
        recipe = recipe_of(
            way.preset, swaps=options.swaps, least=options.least, sound_alike=way.sound_alike
        )
        changed = list(corrupt(documents, recipe, seed=seed))
        check_swapped(changed, documents, recipe)
        for one in changed:
            name = f"{one.id} ({way.name})"
            item = passage_item(name, one.text, one.offsets, {"way": way.name})
            yield Made(replace(item, parent=one.id), one.swaps)
