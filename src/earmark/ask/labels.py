"""Labels that somebody joined by another sign than `|`: read where it is certain what was meant."""

from collections.abc import Collection, Iterable

from earmark.values.errors import InputError

MARKS = (",", ";")
SPACE = " "
Labels = tuple[str, ...]


def split_offered(labels: Labels, offered: Collection[str]) -> Labels:
    """Return the labels, those split that are offered labels joined by one separator.

    What is neither offered nor made of offered labels is returned as it is, for the caller to
    refuse.

    Examples
    --------
    >>> split_offered(("car, dog bark",), ("car", "dog bark"))
    ('car', 'dog bark')
    >>> split_offered(("car,sirn",), ("car", "siren"))
    ('car,sirn',)
    """
    return tuple(part for label in labels for part in _offered_parts(label, offered))


def _offered_parts(label: str, offered: Collection[str]) -> Labels:
    if label in offered:
        return (label,)
    for separator in (*MARKS, SPACE):
        parts = _parts(label, separator)
        if len(parts) > 1 and all(part in offered for part in parts):
            return parts
    return (label,)


def _parts(label: str, separator: str) -> Labels:
    return tuple(part.strip() for part in label.split(None if separator == SPACE else separator))


def labels_in(answers: Iterable[tuple[str, Labels]]) -> set[str]:
    """Return the labels of a file when nobody says which were offered; `answers` have their places.

    A comma, a semicolon or a space joins labels where each of them also appears alone. A comma or
    semicolon that joins anything else is refused with file and line, and so is a space between
    words of which only some appear alone. Where none does, it is one label, as `dog bark` is.
    """
    places: dict[str, str] = {}
    for place, ticked in answers:
        for label in filter(None, ticked):
            places.setdefault(label, place)
    unmarked = {label for label in places if not any(mark in label for mark in MARKS)}
    alone = {label for label in unmarked if SPACE not in label}
    labels = {label for label in unmarked if label in alone or not set(label.split()) <= alone}
    for label, place in places.items():
        unclear = (
            label not in alone and not alone.isdisjoint(label.split())
            if label in labels
            else _offered_parts(label, labels) == (label,)
        )
        if unclear:
            raise _unclear(label, place, labels - {label})
    return labels


def _unclear(label: str, place: str, labels: Iterable[str]) -> InputError:
    return InputError(
        "it is not certain whether this is one label or several",
        at=place,
        got=label,
        want=f"labels that also appear alone: {', '.join(sorted(labels))}",
        fix="join labels by |, or name each label that was offered: --labels LABEL --labels LABEL",
    )
