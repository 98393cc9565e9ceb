"""Rooms report progress; whoever asked for it listens."""

from earmark.task.progress import reporting_to, track


def test_progress_is_reported_to_the_listener_of_the_block() -> None:
    updates: list[tuple[str, int, int | None]] = []
    with reporting_to(lambda *update: updates.append(update)):
        assert list(track("ab", label="letters")) == ["a", "b"]
    assert updates == [("letters", 0, 2), ("letters", 1, 2), ("letters", 2, 2)]
