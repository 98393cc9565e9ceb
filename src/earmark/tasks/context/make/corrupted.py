"""Material for the context task: documents in which some nouns were swapped."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from earmark.stats.draw import stream
from earmark.task.progress import track
from earmark.task.task import Made
from earmark.tasks.context.make.corrupt import Corrupted, corrupt
from earmark.tasks.context.make.documents import Document, Tagged, read_documents
from earmark.tasks.context.make.recipe import Recipe, recipe_of
from earmark.text.tags import Tagger, load_once, shipped
from earmark.text.tokens import Offsets
from earmark.values.errors import InputError
from earmark.values.item import Item

PARTS = ("train", "develop", "test")


def make_corrupted(  # noqa: PLR0913
    source: Path | None = None,
    *,
    seed: int = 0,
    text: Path | None = None,
    preset: Literal["clean", "paper-2018"] = "clean",
    swaps: int | None = None,
    sound_alike: bool = False,
    farthest: float | None = None,
    least: int | None = None,
    context: int | None = None,
    skip: int | None = None,
    strict_last: bool | None = None,
    frame: int | None = None,
    tries: int | None = None,
    letters: int | None = None,
    nouns: tuple[str, ...] = (),
    unseen: bool | None = None,
    articles: bool | None = None,
    capitals: bool | None = None,
    lemmas: bool | None = None,
    directions: bool | None = None,
    evidence: bool | None = None,
    grades: tuple[str, ...] = (),
    reveal: bool = False,
    tagger: Path | None = None,
    split: tuple[int, ...] = (),
    part: Literal["train", "develop", "test"] | None = None,
) -> Iterator[Made]:
    """Documents with swapped nouns, by the four stages of Huber et al. (2018).

    Parameters
    ----------
    text
        A file or folder of documents: text, JSONL (.gz), WIT3/IWSLT XML, SRT, VTT, recogniser JSON.
    preset
        clean, or paper-2018: the published procedure as meant.
    swaps
        Swaps a document (10).
    sound_alike
        Substitutes that sound like the original (CMUdict) instead of equally frequent ones.
    farthest
        How far a sound-alike may be, from 0 to 1 (0.3).
    least
        Words a document must have (200); shorter ones are left out and counted.
    context
        How many nouns back the same noun must stand (10).
    skip
        How many nouns at the start are never swapped (as many as --context).
    strict_last
        Only the last mention: the noun does not come again in the next nouns.
    frame
        How far in rank of frequency a substitute may lie (20).
    tries
        How often the frame is tried, doubling each time (3).
    letters
        Letters a substitute must have (3).
    nouns
        Tags that count as nouns (NN, NNS, NNP, NNPS).
    unseen
        Refuse substitutes that the document says elsewhere (clean).
    articles
        Keep a and an right before the substitute (clean).
    capitals
        Carry capital letters over (clean).
    lemmas
        Refuse other forms of the same noun (clean).
    directions
        Leave stage directions and speaker names alone (clean).
    evidence
        Leave the earlier mention of a swapped noun in place (clean).
    grades
        Further grades of difficulty to note: phonetic, embedding.
    reveal
        Tell systems the places and both words, for contrastive scoring of language models.
    tagger
        A tagger of your own instead of the shipped one.
    split
        Sizes of train, develop and test, drawn by the seed: 700, 50, 150.
    part
        Which of the three parts to make; the vocabulary is always that of all documents.
    """
    recipe = recipe_of(
        preset,
        swaps=swaps,
        sound_alike=sound_alike,
        farthest=farthest,
        least=least,
        context=context,
        skip=skip,
        strict_last=strict_last,
        frame=frame,
        tries=tries,
        letters=letters,
        nouns=nouns or None,
        unseen=unseen,
        articles=articles,
        capitals=capitals,
        lemmas=lemmas,
        directions=directions,
        evidence=evidence,
    )
    documents = read_documents(needed_path(text or source))
    tagged = tag_documents(documents, tagger=tagger)
    wanted = part_ids([d.id for d in documents], split=split, part=part, seed=seed)
    made = list(track(corrupt(tagged, recipe, seed=seed), label="corrupt", total=len(tagged)))
    made = [passage for passage in made if passage.id in wanted]
    check_made(made, tagged, recipe)
    graded = _graded(made, grades) if grades else made
    yield from _hand_over(graded, tagged, recipe, reveal=reveal)


def tag_documents(
    documents: Sequence[Document], *, tagger: Path | None = None, processes: int = 1
) -> list[Tagged]:
    """Every document with tags: those it brought, or the tagger's."""
    bare = [document for document in documents if document.tags is None]
    names = _tagger(tagger).names if bare else ()
    found = dict(zip((d.id for d in bare), _codes(bare, tagger, processes), strict=True))
    return [
        Tagged(d, found[d.id], names) if d.tags is None else Tagged.of(d, d.tags) for d in documents
    ]


def _codes(documents: Sequence[Document], tagger: Path | None, processes: int) -> list[Any]:
    tokens = [document.tokens for document in documents]
    if processes < 2 or len(tokens) < 2:
        coding = (_codes_of(words, tagger) for words in tokens)
        return list(track(coding, label="tag", total=len(tokens)))
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        jobs = pool.map(_codes_of, tokens, [tagger] * len(tokens), chunksize=16)
        return list(track(jobs, label="tag", total=len(tokens)))


def _codes_of(tokens: tuple[str, ...], tagger: Path | None) -> Any:
    return _tagger(tagger).codes(tokens)


def _tagger(path: Path | None) -> Tagger:
    return load_once(path) if path else shipped()


def part_ids(
    ids: Sequence[str], *, split: tuple[int, ...], part: str | None, seed: int
) -> frozenset[str]:
    """The ids of one part of a split drawn by the seed, whatever the order of the ids."""
    if not split and part is None:
        return frozenset(ids)
    if len(split) != len(PARTS) or part is None or sum(split) > len(ids) or min(split) < 0:
        raise InputError(
            "a split has a size for train, develop and test, and a part to make",
            got=f"split {split}, part {part}, {len(ids)} documents",
            want="--split 700 --split 50 --split 150 --part train",
        )
    ordered = sorted(ids)
    drawn = [ordered[k] for k in stream(seed, "split").permutation(len(ordered))]
    start = sum(split[: PARTS.index(part)])
    return frozenset(drawn[start : start + split[PARTS.index(part)]])


def needed_path(path: Path | None) -> Path:
    """The path of the documents, or an error that says what is needed."""
    if path is None:
        raise InputError("documents are needed", fix="name a file or folder: --text talks.jsonl")
    if not path.exists():
        raise InputError("there is no such file", at=path, fix="check the name")
    return path


def check_made(made: Sequence[Corrupted], tagged: Sequence[Tagged], recipe: Recipe) -> None:
    """Nothing, unless there was nothing to swap; then why."""
    if not made:
        raise InputError(
            f"a document needs at least {recipe.least} words",
            got=f"{len(tagged)} documents, the longest of "
            f"{max(len(t.document.tokens) for t in tagged)} words",
            fix="give longer documents, or lower --least",
        )
    if not any(t.places_of(recipe.nouns) for t in tagged):
        raise InputError(
            "the documents have no nouns",
            got=", ".join(sorted({tag for t in tagged for tag in t.names})),
            want=", ".join(recipe.nouns),
            fix="name the tags of nouns: --nouns NOUN --nouns PROPN",
        )
    if not any(passage.swaps.swaps for passage in made):
        reasons = {name for passage in made for name in passage.swaps.left_out}
        raise InputError(
            "no noun could be swapped",
            got=f"{sum(p.swaps.candidates for p in made)} candidates, {', '.join(sorted(reasons))}",
            want="a noun that is said again, and another as frequent with the same tag",
            fix="give more text, or widen --context or --frame",
        )


def _graded(made: Sequence[Corrupted], grades: tuple[str, ...]) -> list[Corrupted]:
    from earmark.tasks.context.make.grades import grade

    swaps = grade([passage.swaps for passage in made], grades)
    return [replace(one, swaps=two) for one, two in zip(made, swaps, strict=True)]


def _hand_over(
    made: Sequence[Corrupted], tagged: Sequence[Tagged], recipe: Recipe, *, reveal: bool
) -> Iterator[Made]:
    supplied = {t.document.id: t.document.tags for t in tagged if t.document.tags is not None}
    short = [t.document.id for t in tagged if len(t.document.tokens) < recipe.least]
    files = {"left-out.json": json.dumps({"too_short": short, "least": recipe.least}) + "\n"}
    for passage in made:
        details: dict[str, object] = {}
        if passage.id in supplied:
            details["tags"] = supplied[passage.id]
        if reveal:
            details["choices"] = choices_of(passage)
        yield Made(
            passage_item(passage.id, passage.text, passage.offsets, details),
            passage.swaps,
            files=files,
        )
        files = {}


def choices_of(passage: Corrupted) -> list[list[object]]:
    """Every place with the original and the substitute in alphabetical order."""
    return [[s.at, *sorted((s.was, s.now))] for s in passage.swaps.swaps]


def passage_item(
    name: str,
    text: str,
    offsets: Offsets,
    details: dict[str, object] | None = None,
) -> Item:
    """The item of a passage."""
    told = {"offsets": offsets.tolist(), **(details or {})}
    return Item(id=name, kind="passage", text=text, details=told)
