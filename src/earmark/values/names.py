"""Names of items as files write them: with or without folder and extension."""

import re
from collections.abc import Callable, Collection, Iterable

NAMED = 3
# .wav, .mp3, .TextGrid; not the last digit of `street-1.5`
EXTENSION = re.compile(r"\.[A-Za-z][A-Za-z0-9]{1,7}$")


def match_names(names: Collection[str], known: Collection[str]) -> dict[str, str]:
    """Return name to known name, one to one, with or without extension and folder.

    A name that is known matches itself. Names that would match two known ones, or share one with
    another name, match none.

    Examples
    --------
    >>> match_names(["street", "park.wav"], ["audio/street.wav", "audio/park.wav"])
    {'street': 'audio/street.wav', 'park.wav': 'audio/park.wav'}
    >>> match_names(["street"], ["a/street.wav", "b/street.wav"])
    {}
    """
    exact = set(known)
    matches = {name: name for name in names if name in exact}
    if len(matches) == len(names):
        return matches  # as it mostly is, and then a million names need no further look
    for level in (_without_extension, _without_folder, _bare):
        ours, theirs = _alone(names, level), _alone(known, level)
        taken = set(matches.values())
        for key in ours.keys() & theirs.keys():
            if ours[key] not in matches and theirs[key] not in taken:
                matches[ours[key]] = theirs[key]
    return {name: matches[name] for name in names if name in matches}


def _alone(names: Iterable[str], level: Callable[[str], str]) -> dict[str, str]:
    """Return short name to name, for those short names that only one name has."""
    by_key: dict[str, list[str]] = {}
    for name in dict.fromkeys(names):
        by_key.setdefault(level(name), []).append(name)
    return {key: group[0] for key, group in by_key.items() if len(group) == 1}


def _without_extension(name: str) -> str:
    return EXTENSION.sub("", name)


def _without_folder(name: str) -> str:
    return name.replace("\\", "/").rpartition("/")[2]


def _bare(name: str) -> str:
    return _without_extension(_without_folder(name))


def counted(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun, in the singular for 1.

    Examples
    --------
    >>> counted(1, "item"), counted(3, "item"), counted(2, "person", "people")
    ('1 item', '3 items', '2 people')
    """
    return f"{number} {one if number == 1 else many or one + 's'}"


def ending_in(name: str, suffix: str) -> str:
    """Return the name with a suffix, which is not added twice.

    Examples
    --------
    >>> ending_in("a", ".wav"), ending_in("a.wav", ".wav")
    ('a.wav', 'a.wav')
    """
    return name if name.lower().endswith(suffix.lower()) else name + suffix


def some(names: Collection[str], what: str = "item") -> str:
    """Return how many names there are, and the first of them.

    Examples
    --------
    >>> some(["b", "a"]), some([], "clip")
    ('2 items (b, a)', '0 clips')
    """
    count = f"{len(names)} {what}{'' if len(names) == 1 else 's'}"
    if not names:
        return count
    shown = ", ".join(list(names)[:NAMED]) + (", ..." if len(names) > NAMED else "")
    return f"{count} ({shown})"
