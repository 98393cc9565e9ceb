from collections.abc import Sequence

from earmark.tasks.captions.score.recent import RecentTexts


def test_a_text_is_worked_out_once_while_it_is_remembered():
    asked: list[list[str]] = []

    def lengths(texts: Sequence[str]) -> list[int]:
        asked.append(list(texts))
        return [len(text) for text in texts]

    recent = RecentTexts(lengths, size=2)
    assert recent.of(["a", "bb", "a"]) == {"a": 1, "bb": 2}
    assert recent.of(["bb", "ccc"]) == {"bb": 2, "ccc": 3}
    assert asked == [["a", "bb"], ["ccc"]]


def test_the_oldest_are_forgotten_but_what_was_asked_for_is_complete():
    recent = RecentTexts(lambda texts: [len(text) for text in texts], size=1)
    assert recent.of(["a", "bb", "ccc"]) == {"a": 1, "bb": 2, "ccc": 3}
    assert len(recent._values) == 1
