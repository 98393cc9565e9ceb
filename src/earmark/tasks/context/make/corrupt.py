"""The corruption itself, from tagged documents to changed text with exact labels."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from earmark.stats.draw import stream
from earmark.tasks.context.make.candidates import Candidate, find_candidates, noun_places
from earmark.tasks.context.make.documents import Tagged
from earmark.tasks.context.make.recipe import Recipe
from earmark.tasks.context.make.substitutes import Shelf, Substitute, words_said
from earmark.tasks.context.values import Swap, Swaps
from earmark.text.frequency import Vocabulary, vocabulary
from earmark.text.tokens import Offsets
from earmark.values.errors import InputError


@dataclass(frozen=True, slots=True)
class Corrupted:
    """A changed document: its new text and offsets, and what was changed."""

    id: str
    text: str
    offsets: Offsets
    swaps: Swaps

    @property
    def tokens(self) -> tuple[str, ...]:
        """The tokens of the changed text."""
        flat = self.offsets.tolist()
        return tuple(self.text[a:b] for a, b in zip(flat[::2], flat[1::2], strict=True))


def count_words(documents: Iterable[Tagged], recipe: Recipe) -> Vocabulary:
    """The vocabulary that the appearance window looks into."""
    counted = ((tagged.document.tokens, _nouns(tagged, recipe)) for tagged in documents)
    return vocabulary(counted, letters=recipe.letters)


def _nouns(tagged: Tagged, recipe: Recipe) -> Iterator[tuple[str, str]]:
    tokens, codes, names = tagged.document.tokens, tagged.codes, tagged.names
    places = tagged.places_of(recipe.nouns)
    tags = [names[code] for code in codes[places].tolist()]
    return zip([tokens[place] for place in places], tags, strict=True)


def corrupt(documents: Sequence[Tagged], recipe: Recipe, *, seed: int) -> Iterator[Corrupted]:
    """Every document changed by the four stages; documents that are too short are left out.

    A document draws from a generator of its own (seed and id), and the vocabulary does not depend
    on the order of documents, so neither does the result.
    """
    kept = [tagged for tagged in documents if len(tagged.document.tokens) >= recipe.least]
    shelf = Shelf(count_words(kept, recipe), recipe)
    for tagged in kept:
        yield corrupt_one(tagged, shelf, seed=seed)


def corrupt_one(tagged: Tagged, shelf: Shelf, *, seed: int) -> Corrupted:
    """One document changed, with words from the shelf."""
    document, recipe = tagged.document, shelf.recipe
    tokens = document.tokens
    places = noun_places(tagged, recipe)
    candidates = find_candidates([tokens[place] for place in places], places, recipe)
    chosen, left_out = _choose(tagged, candidates, shelf, seed=seed)
    swaps = tuple(
        _swap(tagged, candidate, chosen[candidate.place], shelf)
        for candidate in sorted(candidates, key=lambda c: c.place)
        if candidate.place in chosen
    )
    text, offsets = change(document.text, document.offsets, swaps)
    told = Swaps(
        length=len(tokens),
        swaps=swaps,
        before=sha256(document.text),
        after=sha256(text),
        candidates=len(candidates),
        left_out=dict(sorted(left_out.items())),
    )
    return Corrupted(document.id, text, offsets, told)


def _choose(
    tagged: Tagged, candidates: Sequence[Candidate], shelf: Shelf, *, seed: int
) -> tuple[dict[int, Substitute], Counter[str]]:
    """Candidates in a uniform random order, until enough have a substitute."""
    tokens = tagged.document.tokens
    said = words_said(tokens) if shelf.recipe.unseen else frozenset()
    draw = stream(seed, "context", tagged.document.id)
    chosen: dict[int, Substitute] = {}
    left_out: Counter[str] = Counter()
    for index in draw.permutation(len(candidates)).tolist():
        if len(chosen) == shelf.recipe.swaps:
            break
        candidate = candidates[index]
        if shelf.recipe.evidence and _is_evidence(candidate, chosen):
            left_out["gives_evidence"] += 1
            continue
        place = candidate.place
        before = tokens[place - 1] if place else ""
        found = shelf.pick(tokens[place], tagged.tag(place), before, said, draw)
        if isinstance(found, str):
            left_out[found] += 1
        else:
            chosen[place] = found
    return chosen, left_out


def _is_evidence(candidate: Candidate, chosen: dict[int, Substitute]) -> bool:
    """Whether its earlier mention is already gone, or it gives another swap away itself."""
    return candidate.previous in chosen or candidate.following in chosen


def _swap(tagged: Tagged, candidate: Candidate, found: Substitute, shelf: Shelf) -> Swap:
    words = shelf.vocabulary
    place = candidate.place
    was, tag = tagged.document.tokens[place], tagged.tag(place)
    rank = words.rank[shelf.known_form(was, tag)]
    return Swap(
        at=place,
        start=int(tagged.document.offsets[2 * place]),
        was=was,
        now=found.word,
        tag=tag,
        previous=candidate.previous,
        nouns_back=candidate.nouns_back,
        frame=found.frame,
        rank_was=rank,
        rank_now=found.rank,
        count_was=words.counts[rank],
        count_now=words.counts[found.rank],
        phonetic=found.phonetic,
    )


def change(text: str, offsets: Offsets, swaps: Sequence[Swap]) -> tuple[str, Offsets]:
    """The text with the swaps made, and where its tokens then stand."""
    pieces: list[str] = []
    moved = offsets.copy()
    done = 0
    for swap in swaps:
        end = swap.start + len(swap.was)
        if text[swap.start : end] != swap.was:
            raise InputError(
                "the change log speaks of another text",
                at=f"character {swap.start}",
                got=text[swap.start : end],
                want=swap.was,
            )
        pieces += [text[done : swap.start], swap.now]
        moved[2 * swap.at + 1 :] += len(swap.now) - len(swap.was)
        done = end
    return "".join([*pieces, text[done:]]), moved


def rebuild(text: str, swaps: Swaps, *, at: str = "") -> str:
    """The changed text from the original and the change log, both hashes checked."""
    for name, wanted, given in _hashes(text, swaps):
        if wanted and wanted != given:
            raise InputError(
                f"the {name} text is not the one that the change log was made with",
                at=at,
                got=f"sha256 {given[:12]}",
                want=f"sha256 {wanted[:12]}",
                fix="fetch the same release of the corpus",
            )
    return _changed(text, swaps)


def _hashes(text: str, swaps: Swaps) -> Iterator[tuple[str, str, str]]:
    yield "original", swaps.before, sha256(text)
    yield "changed", swaps.after, sha256(_changed(text, swaps))


def _changed(text: str, swaps: Swaps) -> str:
    pieces, done = [], 0
    for swap in swaps.swaps:
        pieces += [text[done : swap.start], swap.now]
        done = swap.start + len(swap.was)
    return "".join([*pieces, text[done:]])


def restored(tokens: Sequence[str], swaps: Swaps) -> tuple[str, ...]:
    """The tokens of the original, from those of the changed text and the log."""
    original = list(tokens)
    for swap in swaps.swaps:
        original[swap.at] = swap.was
    return tuple(original)


def sha256(text: str) -> str:
    """The SHA-256 of a text in UTF-8."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
