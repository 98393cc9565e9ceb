import pytest

from earmark.study import Study
from earmark.tasks.context.report import curves, difficulty, marked, quality, quartiles


@pytest.fixture(scope="module")
def study(talks, tmp_path_factory):
    made = Study.create(tmp_path_factory.mktemp("report") / "study", task="context", seed=2)
    made.make(text=talks, swaps=4, grades=("phonetic", "embedding"))
    made.run("discourse")
    made.run("local")
    made.score(resamples=20)
    return made


def test_a_passage_shows_hits_misses_and_the_evidence(study):
    figure = marked(study)
    for kind in ("found", "missed", "made up", "mention"):
        assert f">{kind}</span>" in figure.body
    assert "last said" in figure.body
    assert "<s class='soft'>" in figure.body


def test_curves_of_all_systems(study):
    figure = curves(study)
    assert "discourse" in figure.body
    assert "polyline" in figure.body


def test_quartiles_come_from_trigrams_when_no_system_compared_words(study):
    figure = quartiles(study)
    assert "trigram model of the other passages" in figure.caption
    assert "originals" in figure.body


def test_quartiles_come_from_a_system_that_compared_words(talks, tmp_path):
    made = Study.create(tmp_path / "s", task="context", seed=2)
    made.make(text=talks, swaps=4, reveal=True)
    made.train("ngrams", out=tmp_path / "m")
    made.run("ngrams", model=tmp_path / "m")
    assert "system ngrams" in quartiles(made).caption
    scores = made.score(resamples=0)["scores"]
    assert 0 < scores["contrastive"]["value"] <= 1


def test_the_quality_report_tells_candidates_frames_grades_and_the_gap(study):
    body = quality(study).body
    for words in ("candidates a passage", "frame of the substitute", "phonetic distance"):
        assert words in body
    assert "embedding distance" in body
    assert "gap: what needs context to be seen" in body


def test_swaps_are_shown_by_their_grades(study):
    body = difficulty(study).body
    for words in ("nouns since the last mention: up to 1", "distance by sound", "by meaning"):
        assert words in body


def test_a_grade_counts_what_was_found():
    from earmark.tasks.context.report.difficulty import by_bin, found_swaps
    from earmark.tasks.context.values import Scores, Swap, Swaps

    swaps = tuple(
        Swap(k, 0, "a", "b", "NN", 0, back, 20, 1, 2, 5, 5) for k, back in ((0, 1), (2, 2))
    )
    found = found_swaps({"p": Scores((0.9, 0.9, 0.1), threshold=0.5)}, {"p": Swaps(3, swaps)})
    bins = by_bin(found, "nouns since the last mention")
    assert bins["up to 1"] == (1, 1.0)
    assert bins["over 1, up to 3"] == (1, 0.0)


def test_before_anything_ran_there_is_nothing_to_draw(talks, tmp_path):
    made = Study.create(tmp_path / "s", task="context", seed=2)
    made.make(text=talks, swaps=4)
    assert marked(made) is None
    assert curves(made) is None


@pytest.mark.slow
def test_the_tour_walks_to_its_end_and_the_discourse_wins(tmp_path):
    from earmark.study.tour import walk

    walked = walk("context", tmp_path / "context", 0)
    assert walked.problem == ""
    scores = {row["system"]: row["scores"] for row in Study.open(tmp_path / "context").scores()}
    assert scores["discourse"]["best_f"]["value"] > scores["local"]["best_f"]["value"] + 0.1
    assert (tmp_path / "context" / "6-report" / "index.html").stat().st_size > 10_000


def test_the_talks_of_the_tour_are_long_enough():
    from earmark.tasks.context.talks import TALKS

    assert all(len(text.split()) >= 200 for text in TALKS.values())
