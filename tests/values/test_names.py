"""Names of items, with or without folder and extension."""

import pytest

from earmark.values.checks import renamed
from earmark.values.names import match_names, some


@pytest.mark.parametrize(
    ("names", "known", "matches"),
    [
        (["a"], ["a.wav"], {"a": "a.wav"}),
        (["audio/a.wav"], ["a"], {"audio/a.wav": "a"}),
        (["x\\a.flac"], ["y/a.wav"], {"x\\a.flac": "y/a.wav"}),
        (["p/a.wav", "q/a.wav"], ["p/a", "q/a"], {"p/a.wav": "p/a", "q/a.wav": "q/a"}),
        (["a"], ["p/a", "q/a"], {}),
        (["a", "a.wav"], ["a.wav"], {"a.wav": "a.wav"}),
        (["a", "d/a.wav"], ["a.wav"], {"a": "a.wav"}),
        (
            ["s-1.5", "s-1.6"],
            ["s-1.5.wav", "s-1.6.wav"],
            {"s-1.5": "s-1.5.wav", "s-1.6": "s-1.6.wav"},
        ),
        (["b"], ["a"], {}),
    ],
)
def test_names_match_one_to_one_or_not_at_all(
    names: list[str], known: list[str], matches: dict[str, str]
) -> None:
    assert match_names(names, known) == matches


def test_what_matches_nothing_keeps_its_name() -> None:
    assert renamed({"a": 1, "b": 2}, {"a.wav": 0}) == {"a.wav": 1, "b": 2}


def test_long_lists_of_names_are_counted_and_cut() -> None:
    assert some(["a", "b", "c", "d"], "clip") == "4 clips (a, b, c, ...)"
    assert some(["a"]) == "1 item (a)"
