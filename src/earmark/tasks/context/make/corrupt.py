"""The corruption itself, from tagged documents to changed text with exact labels."""

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from earmark.files.digest import content_digest
from earmark.stats.draw import stream
from earmark.tasks.context.make.candidates import Candidate, find_candidates, noun_tokens
from earmark.tasks.context.make.recipe import CorruptionRecipe
from earmark.tasks.context.make.substitutes import Substitute, SubstituteFinder, Taken, words_said
from earmark.tasks.context.make.tagging import TaggedDocument
from earmark.tasks.context.values import Swap, Swaps
from earmark.text.frequency import WordFrequencies, word_frequencies
from earmark.text.penn_tokens import Offsets
from earmark.values.errors import InputError


@dataclass(frozen=True, slots=True)
class CorruptedDocument:
    """A changed document: its new text and offsets, and what was changed."""

    id: str
    text: str
    offsets: Offsets  # (2 * tokens,): start and end of each
    swaps: Swaps


def corrupt(
    documents: Sequence[TaggedDocument],
    recipe: CorruptionRecipe,
    *,
    seed: int,
    only: Container[str] | None = None,
) -> Iterator[CorruptedDocument]:
    """Yield every document changed by the four stages; those that are too short are left out.

    A document draws from a generator of its own (seed and id), the vocabulary does not depend on
    the order of documents, and they are taken by their ids, so the result does not depend on the
    order either. With `only`, documents of these ids are changed, with the vocabulary of all.
    """
    long_enough = [t for t in documents if len(t.document.tokens) >= recipe.least]
    finder = SubstituteFinder(count_words(long_enough, recipe), recipe)
    taken = Taken()
    chosen = [t for t in long_enough if only is None or t.document.id in only]
    for tagged in sorted(chosen, key=lambda one: one.document.id):
        tokens = tagged.document.tokens
        said = words_said(tokens) if recipe.unseen or recipe.same_talk else frozenset()
        taken = Taken(said, pairs=taken.pairs)
        yield _corrupt_one(tagged, finder, taken, seed=seed)


def count_words(documents: Iterable[TaggedDocument], recipe: CorruptionRecipe) -> WordFrequencies:
    """Return the vocabulary from which substitutes are drawn."""
    counted = ((tagged.document.tokens, _tagged_nouns(tagged, recipe)) for tagged in documents)
    return word_frequencies(counted, letters=recipe.letters)


def _tagged_nouns(tagged: TaggedDocument, recipe: CorruptionRecipe) -> Iterator[tuple[str, str]]:
    words, codes, names = tagged.document.tokens, tagged.codes, tagged.names
    tokens = tagged.tokens_with(recipe.nouns)
    tags = [names[code] for code in codes[tokens].tolist()]
    return zip([words[token] for token in tokens], tags, strict=True)


def _corrupt_one(
    tagged: TaggedDocument, finder: SubstituteFinder, taken: Taken, *, seed: int
) -> CorruptedDocument:
    document, recipe = tagged.document, finder.recipe
    tokens = noun_tokens(tagged, recipe)
    candidates = find_candidates([document.tokens[token] for token in tokens], tokens, recipe)
    chosen, left_out = _choose(tagged, candidates, finder, taken, seed=seed)
    changes = tuple(
        _swap(tagged, candidate, chosen[candidate.token], finder)
        for candidate in sorted(candidates, key=lambda c: c.token)
        if candidate.token in chosen
    )
    text, offsets = change(document.text, document.offsets, changes)
    swaps = Swaps(
        length=len(document.tokens),
        swaps=changes,
        before=sha256(document.text),
        after=sha256(text),
        candidates=len(candidates),
        left_out=dict(sorted(left_out.items())),
    )
    return CorruptedDocument(document.id, text, offsets, swaps)


def _choose(
    tagged: TaggedDocument,
    candidates: Sequence[Candidate],
    finder: SubstituteFinder,
    taken: Taken,
    *,
    seed: int,
) -> tuple[dict[int, Substitute], Counter[str]]:
    """Take candidates in a uniform random order until enough have a substitute.

    Returns the substitutes by token, and how many candidates were left out for which reason.
    """
    tokens, recipe = tagged.document.tokens, finder.recipe
    rng = stream(seed, "context", tagged.document.id)
    chosen: dict[int, Substitute] = {}
    left_out: Counter[str] = Counter()
    for index in rng.permutation(len(candidates)).tolist():
        if len(chosen) == recipe.swaps:
            break
        candidate = candidates[index]
        if recipe.evidence and _is_evidence(candidate, chosen):
            left_out["gives_evidence"] += 1
            continue
        token = candidate.token
        before = tokens[token - 1] if token else ""
        drawn = finder.draw(tokens[token], tagged.tag(token), before, taken, rng)
        if isinstance(drawn, str):
            left_out[drawn] += 1
        else:
            chosen[token] = drawn
            taken.place(tokens[token], drawn.word)
    return chosen, left_out


def _is_evidence(candidate: Candidate, chosen: Mapping[int, Substitute]) -> bool:
    """Return whether its earlier mention was swapped, or it is the earlier mention of a swap."""
    return candidate.previous in chosen or candidate.following in chosen


def _swap(
    tagged: TaggedDocument, candidate: Candidate, substitute: Substitute, finder: SubstituteFinder
) -> Swap:
    words = finder.vocabulary
    token = candidate.token
    noun, tag = tagged.document.tokens[token], tagged.tag(token)
    rank = words.rank[finder.known_form(noun, tag)]
    return Swap(
        at=token,
        start=int(tagged.document.offsets[2 * token]),
        was=noun,
        now=substitute.word,
        tag=tag,
        previous=candidate.previous,
        nouns_back=candidate.nouns_back,
        frame=substitute.frame,
        rank_was=rank,
        rank_now=substitute.rank,
        count_was=words.counts[rank],
        count_now=words.counts[substitute.rank],
        phonetic=substitute.phonetic,
    )


def change(text: str, offsets: Offsets, swaps: Sequence[Swap]) -> tuple[str, Offsets]:
    """Return the text with the swaps made, and the offsets that its tokens then have.

    Raises
    ------
    InputError
        If a swapped word is not where the swap says.
    """
    pieces: list[str] = []
    moved = offsets.copy()
    done = 0
    for swap in swaps:
        end = swap.start + len(swap.was)
        if text[swap.start : end] != swap.was:
            raise InputError(
                "the change log must be of this text",
                at=f"character {swap.start}",
                got=text[swap.start : end],
                want=swap.was,
            )
        pieces += [text[done : swap.start], swap.now]
        moved[2 * swap.at + 1 :] += len(swap.now) - len(swap.was)
        done = end
    return "".join([*pieces, text[done:]]), moved


def rebuild(text: str, swaps: Swaps, *, at: str = "") -> str:
    """Return the changed text from the original and the change log, both hashes checked."""
    _check_hash(text, swaps.before, "original", at)
    pieces, done = [], 0
    for swap in swaps.swaps:
        pieces += [text[done : swap.start], swap.now]
        done = swap.start + len(swap.was)
    changed = "".join([*pieces, text[done:]])
    _check_hash(changed, swaps.after, "changed", at)
    return changed


def _check_hash(text: str, wanted: str, name: str, at: str) -> None:
    """Raise InputError if the text has another hash than the change log; "" is none."""
    if wanted and wanted != sha256(text):
        raise InputError(
            f"the {name} text is not the one that the change log was made with",
            at=at,
            got=f"sha256 {sha256(text)[:12]}",
            want=f"sha256 {wanted[:12]}",
            fix="fetch the same release of the corpus",
        )


def sha256(text: str) -> str:
    """Return the SHA-256 of a text in UTF-8."""
    return content_digest(text)
