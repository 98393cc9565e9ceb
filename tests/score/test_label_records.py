"""A board with a row per label and output."""

import earmark

DURATIONS = {"a.wav": 10.0, "b.wav": 10.0}
TRUTH = [("a.wav", 0.0, 2.0, "dog"), ("b.wav", 1.0, 3.0, "car")]


def test_a_board_by_label_has_the_best_output_of_each_label_first():
    board = earmark.compare(
        "events",
        reference=TRUTH,
        outputs={"deaf": TRUTH[:1], "good": TRUTH},
        metrics=["segment_f1"],
        durations=DURATIONS,
    )
    rows = board.records(by_label=True)
    whole = [(row["system"], row["value"]) for row in rows if row["label"] == ""]
    assert [system for system, _ in whole] == ["good", "deaf"]
    car = [(row["system"], row["value"]) for row in rows if row["label"] == "car"]
    assert car[0] == ("good", 1.0) and car[1][0] == "deaf"
    assert "label" not in board.records()[0]
