"""What `--survey` prints."""

from earmark.tasks.boundaries.score.describe import NAMED, describe


def test_a_survey_is_printed_and_nothing_without_one(earmark, tmp_path):
    for name, text in (("a", "we went\nhome now\n"), ("b", "we\nwent home now\n")):
        (tmp_path / f"{name}.txt").write_text(text)
    sides = ("--reference", tmp_path / "a.txt", "--reference", tmp_path / "b.txt")
    words = ("measure", "boundaries", *sides, "--output", tmp_path / "a.txt")
    assert "trivial" not in earmark(*words)[1]
    _, out, _ = earmark(*words, "--survey")
    assert "window_f1 of trivial systems\n  every word " in out
    assert "window_f1 of each person against the others\n  a " in out
    assert "window_f1 by limit, in words\n  0: " in out


def test_many_people_are_cut_short():
    people = {f"p{n}": 0.5 for n in range(NAMED + 2)}
    survey = {"metric": "f1", "trivial": {"nowhere": None}, "people": people, "limits": [[0, 0.1]]}
    lines = list(describe({"survey": survey}))
    assert "  nowhere  undefined" in lines and "  2 more in --json" in lines
    assert list(describe({})) == []
