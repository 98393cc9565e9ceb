"""Forms of English nouns: possible singulars, whether two words are one noun, capitals."""

IRREGULAR = {
    "men": "man",
    "women": "woman",
    "children": "child",
    "people": "person",
    "feet": "foot",
    "teeth": "tooth",
    "mice": "mouse",
    "geese": "goose",
    "oxen": "ox",
    "data": "datum",
    "media": "medium",
    "criteria": "criterion",
    "phenomena": "phenomenon",
    "bacteria": "bacterium",
    "analyses": "analysis",
    "crises": "crisis",
    "theses": "thesis",
    "hypotheses": "hypothesis",
}
ENDINGS = (("ies", "y"), ("ves", "f"), ("ves", "fe"), ("es", ""), ("s", ""))


def noun_stems(word: str) -> frozenset[str]:
    """Return what the singular of a word may be, the word itself included.

    Examples
    --------
    >>> sorted(noun_stems("Families")), sorted(noun_stems("women"))
    (['famili', 'familie', 'families', 'family'], ['woman', 'women'])
    """
    lower = word.lower()
    stems = {lower, IRREGULAR.get(lower, lower)}
    if not lower.endswith("ss"):
        stems.update(lower[: -len(end)] + new for end, new in ENDINGS if lower.endswith(end))
    return frozenset(stems)


def same_noun(one: str, two: str) -> bool:
    """Return whether two words can be forms of one noun.

    Examples
    --------
    >>> same_noun("Cloud", "clouds"), same_noun("cloud", "crowd")
    (True, False)
    """
    return bool(noun_stems(one) & noun_stems(two))


def written_like(word: str, like: str) -> str:
    """Return the word with the capital letters of another.

    Examples
    --------
    >>> written_like("forest", "Water"), written_like("forest", "NATO"), written_like("Rome", "x")
    ('Forest', 'FOREST', 'Rome')
    """
    if len(like) > 1 and like.isupper():
        return word.upper()
    return word[:1].upper() + word[1:] if like[:1].isupper() else word
