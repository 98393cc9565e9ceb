"""Rooms report progress; whoever asked for it listens."""

from earmark.task.progress import expect, reporting_to, track


def test_progress_is_reported_to_the_listener_of_the_block() -> None:
    updates: list[tuple[str, int, int | None]] = []
    with reporting_to(lambda *update: updates.append(update)):
        assert list(track("ab", label="letters")) == ["a", "b"]
    assert updates == [("letters", 0, 2), ("letters", 1, 2), ("letters", 2, 2)]


def test_a_generator_may_say_its_number_when_it_starts() -> None:
    def letters():
        expect("letters", 2)
        yield from "ab"

    updates: list[tuple[str, int, int | None]] = []
    with reporting_to(lambda *update: updates.append(update)):
        list(track(letters(), label="letters"))
        list(track(iter("c"), label="letters"))  # another of that name, which does not say
    assert updates == [
        ("letters", 0, 2),
        ("letters", 1, 2),
        ("letters", 2, 2),
        ("letters", 0, None),
        ("letters", 1, 1),
    ]
    expect("letters", 2)  # nobody listens


def test_making_soundscapes_and_captions_says_how_many(tmp_path) -> None:
    from earmark.study import Study

    updates: list[tuple[str, int, int | None]] = []
    (tmp_path / "c.csv").write_text("item,caption\na,a dog\nb,rain\n")
    with reporting_to(lambda *update: updates.append(update)):
        Study.create(tmp_path / "s", task="events").make(recordings=2, seconds=10.0)
        Study.create(tmp_path / "c", task="captions").make(captions=tmp_path / "c.csv")
    totals = [total for label, _, total in updates if label == "make"]
    assert totals == [2, 2, 2, 2, 2, 2]
