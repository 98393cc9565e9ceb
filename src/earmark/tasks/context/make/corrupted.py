"""The first maker: documents in which some nouns were swapped."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from earmark.stats.draw import stream
from earmark.task.options import option
from earmark.task.progress import notify, track
from earmark.task.task import Made
from earmark.tasks.context.make.corrupt import CorruptedDocument, corrupt
from earmark.tasks.context.make.documents import read_documents
from earmark.tasks.context.make.recipe import CorruptionOptions, CorruptionRecipe
from earmark.tasks.context.make.sentences import swapped_sentences
from earmark.tasks.context.make.tagging import TaggedDocument, tag_documents
from earmark.text.penn_tokens import Offsets
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.names import counted

Part = Literal["train", "develop", "test"]
PARTS: tuple[Part, ...] = ("train", "develop", "test")


@dataclass(frozen=True, slots=True, kw_only=True)
class CorruptedOptions(CorruptionOptions):
    """What is corrupted, how, and what is noted of it."""

    grades: tuple[str, ...] = option(
        (), "Further grades of difficulty to note: phonetic, embedding."
    )
    reveal: bool = option(
        False, "Show systems the places and both words, for contrastive scoring of language models."
    )
    sentences: bool = option(
        False,
        "Make passages of single sentences that hold a swap, as the paper's survey showed them.",
    )
    tagger: Path | None = option(None, "A tagger of your own instead of the shipped one.")
    split: tuple[int, ...] = option(
        (),
        "Sizes of train, develop and test (or of train and test), drawn by the seed: 700, 50, 150.",
    )
    part: Part | None = option(
        None, "Which of the parts to make; the vocabulary is always that of all documents."
    )


def make_corrupted(
    source: Path | None = None,
    options: CorruptedOptions = CorruptedOptions(),
    *,
    seed: int = 0,
) -> Iterator[Made]:
    """Make documents with swapped nouns, by the four stages of Huber et al. (2018)."""
    recipe = options.recipe()
    if options.sentences and (options.reveal or options.grades):
        raise InputError("single sentences are made without --reveal and --grades")
    documents = tag_documents(
        read_documents(existing_path(options.text or source)), tagger=options.tagger
    )
    wanted = part_ids(
        [tagged.document.id for tagged in documents],
        split=options.split,
        part=options.part,
        seed=seed,
    )
    changing = corrupt(documents, recipe, seed=seed, only=wanted)
    changed = list(track(changing, label="corrupt", total=len(wanted)))
    check_swapped(changed, documents, recipe)
    _note_shortfall(changed, documents, recipe)
    graded = _graded(changed, options.grades) if options.grades else changed
    if options.sentences:
        for one in graded:
            yield from swapped_sentences(one)
    else:
        yield from _items(graded, documents, recipe, reveal=options.reveal)


def part_ids(
    ids: Sequence[str], *, split: tuple[int, ...], part: Part | None, seed: int
) -> frozenset[str]:
    """Return the ids of one part of a split drawn by the seed, whatever the order of the ids."""
    if not split and part is None:
        return frozenset(ids)
    if len(split) == len(PARTS) - 1:
        split = (split[0], 0, split[1])
    sized = len(split) == len(PARTS) and sum(split) <= len(ids) and min(split) >= 0
    if not sized or part is None or not split[PARTS.index(part)]:
        raise InputError(
            "a split needs a size for train, develop and test, or for train and test, "
            "and a part to make",
            got=f"split {split}, part {part}, {len(ids)} documents",
            want="--split 700 --split 50 --split 150 --part train",
        )
    ordered = sorted(ids)
    drawn = [ordered[index] for index in stream(seed, "split").permutation(len(ordered))]
    start = sum(split[: PARTS.index(part)])
    return frozenset(drawn[start : start + split[PARTS.index(part)]])


def existing_path(path: Path | None) -> Path:
    """Return the path of the documents; raise InputError if there is none or no such file."""
    if path is None:
        raise InputError("documents are needed", fix="name a file or folder: --text talks.jsonl")
    if not path.exists():
        raise InputError("there is no such file", at=path, fix="check the name")
    return path


def check_swapped(
    changed: Sequence[CorruptedDocument],
    documents: Sequence[TaggedDocument],
    recipe: CorruptionRecipe,
) -> None:
    """Raise InputError, which says why, if nothing could be swapped in any document."""
    if not changed:
        raise InputError(
            f"a document needs at least {recipe.least} words",
            got=f"{len(documents)} documents, the longest of "
            f"{max(len(tagged.document.tokens) for tagged in documents)} words",
            fix="give longer documents, or lower --least",
        )
    if not any(tagged.tokens_with(recipe.nouns) for tagged in documents):
        raise InputError(
            "the documents have no nouns",
            got=", ".join(sorted({tag for tagged in documents for tag in tagged.names})),
            want=", ".join(recipe.nouns),
            fix="name the tags of nouns: --nouns NOUN --nouns PROPN",
        )
    if not any(one.swaps.swaps for one in changed):
        candidates = sum(one.swaps.candidates for one in changed)
        reasons = sorted({reason for one in changed for reason in one.swaps.left_out})
        raise InputError(
            "no noun could be swapped",
            got=f"{candidates} candidates, {', '.join(reasons)}",
            want="a noun that is said again, and another as frequent with the same tag",
            fix="give more text, or widen --context or --frame",
        )


def _note_shortfall(
    changed: Sequence[CorruptedDocument],
    documents: Sequence[TaggedDocument],
    recipe: CorruptionRecipe,
) -> None:
    """Say how many swaps found no place, and how many documents were too short."""
    swaps, wanted = sum(len(one.swaps.swaps) for one in changed), recipe.swaps * len(changed)
    if swaps < wanted:
        without = sum(not one.swaps.swaps for one in changed)
        notify(
            f"{counted(swaps, 'swap')} of {wanted} wanted, {without} of "
            f"{counted(len(changed), 'document')} without any: --context and --frame find more"
        )
    short = sum(len(tagged.document.tokens) < recipe.least for tagged in documents)
    if short:
        notify(f"{counted(short, 'document')} of fewer than {recipe.least} words left out")


def _graded(
    changed: Sequence[CorruptedDocument], grades: tuple[str, ...]
) -> list[CorruptedDocument]:
    from earmark.tasks.context.make.grades import grade

    graded = grade([one.swaps for one in changed], grades)
    return [replace(one, swaps=swaps) for one, swaps in zip(changed, graded, strict=True)]


def _items(
    changed: Sequence[CorruptedDocument],
    documents: Sequence[TaggedDocument],
    recipe: CorruptionRecipe,
    *,
    reveal: bool,
) -> Iterator[Made]:
    """Yield the items and their truth; with the first, a file of what was left out."""
    own_tags = {t.document.id: t.document.tags for t in documents if t.document.tags is not None}
    short = [t.document.id for t in documents if len(t.document.tokens) < recipe.least]
    files = {"left-out.json": json.dumps({"too_short": short, "least": recipe.least}) + "\n"}
    for one in changed:
        details: dict[str, object] = {}
        if one.id in own_tags:
            details["tags"] = own_tags[one.id]
        if reveal:
            details["choices"] = [[s.at, *sorted((s.was, s.now))] for s in one.swaps.swaps]
        yield Made(passage_item(one.id, one.text, one.offsets, details), one.swaps, files=files)
        files = {}


def passage_item(
    name: str, text: str, offsets: Offsets, details: dict[str, object] | None = None
) -> Item:
    """Return the item of a passage; `offsets` are the start and end of each token."""
    return Item(
        id=name,
        kind="passage",
        text=text,
        details={"offsets": offsets.tolist(), **(details or {})},
    )
