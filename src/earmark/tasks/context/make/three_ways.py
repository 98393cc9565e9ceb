"""Makers of several ways: every document three times, or each document in one way of five."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from earmark.stats.draw import stream
from earmark.task.options import option
from earmark.task.task import Made
from earmark.tasks.context.make.corrupt import corrupt
from earmark.tasks.context.make.corrupted import check_swapped, existing_path, passage_item
from earmark.tasks.context.make.documents import TextOptions, read_documents
from earmark.tasks.context.make.recipe import CorruptionRecipe, Preset, recipe_of
from earmark.tasks.context.make.tagging import tag_documents


class Way(NamedTuple):
    """A way of corrupting: its name, the preset it starts from, and what differs from it."""

    name: str
    preset: Preset
    differs: Mapping[str, bool] = {}


WAYS = (
    Way("clean", "clean"),
    Way("paper-2018", "paper-2018"),
    Way("sound-alike", "clean", {"sound_alike": True}),
)
# Ways that detectors learn from: none of them should be what a detector lives on.
MIXED_WAYS = (
    *WAYS,
    Way("same-talk", "clean", {"same_talk": True}),
    Way("recogniser", "clean", {"recogniser": True}),
)


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
        recipe = _recipe(way, options)
        changed = list(corrupt(documents, recipe, seed=seed))
        check_swapped(changed, documents, recipe)
        for one in changed:
            name = f"{one.id} ({way.name})"
            item = passage_item(name, one.text, one.offsets, {"way": way.name})
            yield Made(replace(item, parent=one.id), one.swaps)


def make_mixed(
    source: Path | None = None,
    options: ThreeWaysOptions = ThreeWaysOptions(),
    *,
    seed: int = 0,
) -> Iterator[Made]:
    """Make every document once, in a way drawn by its name, to train detectors that carry over."""
    documents = tag_documents(read_documents(existing_path(options.text or source)))
    drawn = {
        one.document.id: int(stream(seed, "way", one.document.id).integers(len(MIXED_WAYS)))
        for one in documents
    }
    changed = [
        (way, one)
        for number, way in enumerate(MIXED_WAYS)
        for one in corrupt(
            documents,
            _recipe(way, options),
            seed=seed,
            only={name for name, drawn_way in drawn.items() if drawn_way == number},
        )
    ]
    check_swapped([one for _, one in changed], documents, _recipe(MIXED_WAYS[0], options))
    for way, one in changed:
        yield Made(passage_item(one.id, one.text, one.offsets, {"way": way.name}), one.swaps)


def _recipe(way: Way, options: ThreeWaysOptions) -> CorruptionRecipe:
    return recipe_of(way.preset, swaps=options.swaps, least=options.least, **way.differs)
