"""The made-up talk of the tour."""

from earmark.tasks.boundaries.tour import prepare


def test_the_made_up_talk_is_the_same_for_the_same_seed(tmp_path):
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        (tmp_path / name).mkdir()
        prepare(tmp_path / name, seed)
    read = [(tmp_path / name / "talk.json").read_text() for name in "abc"]
    assert read[0] == read[1] != read[2]
