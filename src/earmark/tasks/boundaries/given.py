"""Segmented texts as Python callers give them: texts, 0 and 1 per word, positions, or paths."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from earmark.tables.given import existing_path
from earmark.tasks.boundaries.formats import ALONE, MarkedText, Texts
from earmark.tasks.boundaries.formats.marked import require_words, text_of_lines
from earmark.tasks.boundaries.formats.plain import text_of_boundaries
from earmark.tasks.boundaries.values import Boundaries
from earmark.values.errors import InputError

RIGHT = (
    'a text with a unit per line ("a dog barks\\na car"), 0 or 1 per word ([0, 0, 1, 0, 1]), the '
    "positions of words that end a unit ({2, 4}), Boundaries(5, {2, 4}), or a path"
)
Side = Path | Texts


def given(reference: object, output: object) -> tuple[tuple[Any, ...], Any]:
    """Return both sides as `measure` takes them: paths, or texts by name and person."""
    by_text = isinstance(reference, Mapping), isinstance(output, Mapping)
    if all(by_text):
        return _many(dict(_mapping(reference)), dict(_mapping(output)))
    if any(by_text):
        raise InputError(
            "reference and output must both name their texts, or neither",
            want='reference={"talk": [...]}, output={"talk": ...}',
        )
    if output is None:
        raise InputError("an output is needed", want=f"output={RIGHT}")
    people = _people(reference)
    length = _length([*people, output])
    sides = [_side(one, f"person {k}", length) for k, one in enumerate(people, start=1)]
    return tuple(sides), _side(output, "output", length)


def _mapping(value: Any) -> Mapping[str, Any]:
    return {str(name): one for name, one in value.items()}


def _many(reference: dict[str, Any], output: dict[str, Any]) -> tuple[tuple[Any, ...], Any]:
    """Return several texts: the people of each in one side, the output's in the other."""
    people: Texts = {}
    for name, own in reference.items():
        listed = _people(own)
        length = _length([*listed, *([output[name]] if name in output else [])])
        people[name] = {f"person {k}": _text(p, length) for k, p in enumerate(listed, start=1)}
    outputs = {
        name: {"output": _text(one, _length([one, *_people(reference.get(name, [one]))]))}
        for name, one in output.items()
    }
    return (people,), outputs


def _people(reference: object) -> list[object]:
    """Return the people of a reference; one person's bare text or 0/1 list is refused."""
    if is_file(reference):
        return [reference]
    if not isinstance(reference, list | tuple) or not reference:
        raise _no_list(reference)
    if not all(isinstance(one, str | Path | Iterable | Boundaries) for one in reference):
        raise _no_list(reference)
    return list(reference)


def _no_list(reference: object) -> InputError:
    return InputError(
        "a boundary reference is a list of people's texts",
        got=f"{type(reference).__name__}: {reference!r}",
        want=f"a list, one entry per person: {RIGHT}",
        fix="put it in a list: reference=[...]",
    )


def is_file(value: object) -> bool:
    """Return whether a value is a path: a Path, a text without blanks, or one that exists."""
    if isinstance(value, Path):
        return True
    if not isinstance(value, str) or not value.strip() or "\n" in value:
        return False
    return len(value.split()) == 1 or Path(value).exists()


def _side(value: object, name: str, length: int | None) -> Side:
    if is_file(value):
        return existing_path(value, right=RIGHT)
    return {ALONE: {name: _text(value, length)}}


def _text(value: object, length: int | None) -> MarkedText:
    if isinstance(value, str) and not is_file(value):
        return require_words(text_of_lines(value.split("\n")), at=repr(value))
    if isinstance(value, Boundaries):
        return text_of_boundaries(value)
    if isinstance(value, set | frozenset):
        if length is None:
            raise InputError(
                "positions alone do not say how many words there are",
                got=sorted(value),
                want="Boundaries(words, positions), or a side that is a text or 0/1 per word",
            )
        return text_of_boundaries(Boundaries(length, value))
    return text_of_boundaries(Boundaries.of_marks(_marks(value)))


def _marks(value: object) -> list[int]:
    listed = value.tolist() if hasattr(value, "tolist") else value
    marks = listed if isinstance(listed, list | tuple) else ()
    if not marks or not all(mark in (0, 1) for mark in marks):
        got = f"{type(value).__name__}: {value!r}"
        raise InputError("boundaries of a text have another form", got=got, want=RIGHT)
    return [int(mark) for mark in marks]


def _length(sides: Iterable[object]) -> int | None:
    """Return how many words the first side has that says so; None if no side does."""
    for side in sides:
        if isinstance(side, Boundaries):
            return side.length
        if not is_file(side) and not isinstance(side, set | frozenset):
            return len(_text(side, None).words)
    return None
