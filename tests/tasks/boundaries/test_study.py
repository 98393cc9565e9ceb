"""The road: make, ask, reconcile, run, score, report."""

import json
import math

import pytest

from earmark.stats.draw import stream
from earmark.study import Study
from earmark.task.task import Training
from earmark.tasks import boundaries as b
from earmark.tasks.boundaries.ask import PageOptions, pages, read_answers, read_form, simulate
from earmark.tasks.boundaries.make import TranscriptOptions, cut_places, make_transcripts
from earmark.tasks.boundaries.reconcile import (
    ConsensusReferenceOptions,
    WindowReferenceOptions,
    by_consensus,
    by_panel,
    by_windows,
    whole_panels,
)
from earmark.tasks.boundaries.run.pauses import PauseOptions, learn_pause, pauses
from earmark.tasks.boundaries.tour import prepare
from earmark.tasks.boundaries.values import Boundaries, Panel, transcript_of
from earmark.values.answer import Answer, Ballots
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.reference import Reference

TEXT = "Mr. Hill spoke. Who heard him? We did - and so did they; it was loud.\n"


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "talk.txt"
    path.write_text(TEXT)
    return path


def make(text, **options):
    return list(make_transcripts(None, TranscriptOptions(text=(text,), **options), seed=0))


def test_marks_capitals_and_dashes_are_stripped_and_ends_are_kept(text):
    (made,) = make(text)
    assert made.item.text == "mr hill spoke who heard him we did and so did they it was loud"
    assert made.truth.after == {2, 5, 11, 14}


def test_other_marks_and_lines_give_other_truths(text):
    assert make(text, marks="?")[0].truth.after == {5, 14}
    assert make(text, units="lines")[0].truth.after == {14}


def test_long_texts_are_cut_where_units_end(text):
    pieces = make(text, longest=7)
    assert [piece.item.text.split()[0] for piece in pieces] == ["mr", "we", "it"]
    assert all(len(transcript_of(piece.item).words) <= 7 for piece in pieces)
    assert {piece.item.parent for piece in pieces} == {"talk"}
    assert cut_places(Boundaries(9, {8}), 4) == [(0, 4), (4, 8), (8, 9)]


def test_text_must_be_named():
    with pytest.raises(InputError, match="made from text"):
        list(make_transcripts(None, seed=0))


ITEM = Item("talk", "transcript", text="a b c d e f g h")
TRUTH = Reference("truth", {"talk": Boundaries(8, {3, 7})})


def test_pages_are_cut_and_put_together_again():
    units = tuple(pages([ITEM], PageOptions(page=3)))
    assert [unit.text for unit in units] == ["a b c", "d e f", "g h"]
    answers = tuple(
        Answer(unit.id, "ann", Boundaries(len(unit.text.split()), after))
        for unit, after in zip(units, ({1}, {0}, {1}), strict=True)
    )
    assert whole_panels(Ballots(units, answers))["talk"].references[0].after == {1, 3, 7}


def test_a_form_names_words_by_number():
    (unit,) = pages([ITEM])
    assert read_form(unit, {"after": [3, 7]}) == Boundaries(8, {3, 7})
    for bad in (None, "3", [8], [-1], [1.5], [True]):
        with pytest.raises(InputError, match="names the words after which"):
            read_form(unit, {"after": bad})


def test_answers_are_read_from_tables_lines_and_folders(tmp_path):
    units = tuple(pages([ITEM]))
    table = tmp_path / "a.csv"
    table.write_text("item,person,after\ntalk,ann,3 7\n")
    lines = tmp_path / "a.jsonl"
    lines.write_text(json.dumps({"item": "talk", "person": "ann", "after": [3, 7]}) + "\n")
    folder = tmp_path / "people"
    (folder / "ann").mkdir(parents=True)
    (folder / "ann" / "talk.txt").write_text("A b c d.\nE f g h\n")
    for path in (table, lines, folder):
        (answer,) = read_answers(path, units)
        assert (answer.person, answer.value) == ("ann", Boundaries(8, {3, 7}))


def test_answers_that_cannot_be_read_are_named(tmp_path):
    units = tuple(pages([ITEM]))
    table = tmp_path / "a.csv"
    table.write_text("item,person,after\ntalk,ann,3 x\n")
    with pytest.raises(InputError, match=r"a\.csv:2"):
        list(read_answers(table, units))
    table.write_text("item,person,after\ntalks,ann,3\n")
    with pytest.raises(InputError, match="did you mean talk"):
        list(read_answers(table, units))
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="a folder for each person"):
        list(read_answers(tmp_path / "empty", units))


def crowd(**changes):
    return {**b.TASK.ask.crowd, **changes}


def test_simulated_people_are_seeded_and_never_miss_the_end():
    units = tuple(pages([ITEM]))
    first, second = (list(simulate(units, TRUTH, crowd=crowd(), seed=3)) for _ in range(2))
    assert first == second
    assert len(first) == 3
    assert all(7 in answer.value.after for answer in first)


@pytest.mark.parametrize("habit", ["missed", "made_up", "moved"])
def test_each_habit_of_the_crowd_matters(habit):
    length = 200
    long = Item("long", "transcript", text=" ".join(f"w{n}" for n in range(length)))
    truth = Reference("truth", {"long": Boundaries(length, range(9, length, 10))})
    quiet = {"missed": 0.0, "moved": 0.0, "made_up": 0.0, "opinions": 1, "spread": 0.0}
    units = tuple(pages([long]))
    (exact,) = simulate(units, truth, crowd=crowd(**quiet), seed=1)
    assert exact.value == truth.values["long"]
    (changed,) = simulate(units, truth, crowd=crowd(**{**quiet, habit: 0.3}), seed=1)
    assert changed.value != exact.value
    (other,) = simulate(units, truth, crowd=crowd(**{**quiet, habit: 0.3, "spread": 2}), seed=1)
    assert other.value != changed.value


def ballots(*marks):
    units = tuple(pages([ITEM]))
    people = ("ann", "bob", "cy")
    answers = tuple(
        Answer("talk", person, Boundaries(8, after))
        for person, after in zip(people, marks, strict=False)
    )
    return Ballots(units, answers, (ITEM,))


BALLOTS = ballots({3, 7}, {2, 7}, {3, 6, 7})


def test_the_panel_keeps_everybody_and_reports_agreement():
    found = by_panel(BALLOTS, seed=0)
    panel = found.values["talk"]
    assert isinstance(panel, Panel) and panel.people == ("ann", "bob", "cy")
    # Without the end: 2:1, 3:2, 6:1, so 2 / (3 * 3).
    assert found.made_by["agreement_ratio"]["talk"] == pytest.approx(2 / 9)
    assert found.doubt["talk"] == pytest.approx(7 / 9)
    # Ann: F1 0 with Bob, 2/3 with Cy.
    assert found.people["ann"] == pytest.approx(1 / 3)


def test_consensus_and_windows_give_one_segmentation():
    assert by_consensus(BALLOTS, seed=0).values["talk"].after == {3, 7}
    lenient = by_consensus(BALLOTS, ConsensusReferenceOptions(share=0.3), seed=0)
    assert lenient.values["talk"].after == {2, 3, 6, 7}
    assert by_windows(BALLOTS, seed=0).values["talk"].after == {3, 7}
    narrow = by_windows(BALLOTS, WindowReferenceOptions(limit=0), seed=0)
    assert narrow.values["talk"].after == {2, 3, 6, 7}
    with pytest.raises(InputError, match="share must be > 0 and <= 1"):
        ConsensusReferenceOptions(share=0)


def test_a_transcript_nobody_finished_is_refused():
    units = tuple(pages([ITEM], PageOptions(page=4)))
    answers = (Answer(units[0].id, "ann", Boundaries(4, {3})),)
    with pytest.raises(InputError, match="one person who marked all of its pages"):
        by_panel(Ballots(units, answers), seed=0)


def test_people_are_scored_against_the_others():
    found = {one.name: one for one in b.TASK.people(BALLOTS, by_panel(BALLOTS, seed=0))}
    assert found["ann"].reference["talk"].people == ("bob", "cy")
    assert found["ann"].output["talk"].after == {3, 7}
    against_truth = next(iter(b.TASK.people(BALLOTS, TRUTH)))
    assert against_truth.reference["talk"].references[0].after == {3, 7}


def timed(gaps):
    now, times = 0.0, []
    for gap in (*gaps, 0.0):
        times.append([now, now + 0.3])
        now += 0.3 + gap
    words = " ".join(f"w{n}" for n in range(len(times)))
    return Item("timed", "transcript", text=words, details={"times": times})


def test_pauses_end_sentences():
    item = timed([0.1, 0.6, 0.1, 0.2])
    (output,) = pauses([item], train_on=None, seed=0)
    assert output.value.after == {1, 4}
    (shorter,) = pauses([item], PauseOptions(pause=0.15), train_on=None, seed=0)
    assert shorter.value.after == {1, 3, 4}


def test_pauses_learn_how_long_a_pause_is():
    item = timed([0.1, 0.9, 0.1, 0.8, 0.55])
    truth = Reference("truth", {"timed": Boundaries(6, {1, 3, 5})})
    assert learn_pause(Training((item,), truth)) == pytest.approx(0.8)
    (output,) = pauses([item], train_on=Training((item,), truth), seed=0)
    assert output.value.after == {1, 3, 5}


def test_pauses_need_times():
    with pytest.raises(InputError, match="words with times"):
        list(pauses([ITEM], train_on=None, seed=0))
    with pytest.raises(InputError, match="pause must be >= 0"):
        PauseOptions(pause=-1)


def test_a_whole_study_from_a_made_up_talk(tmp_path):
    prepare(tmp_path, 7)
    study = Study.create(tmp_path / "talk", task="boundaries", seed=7)
    assert study.make(text=(tmp_path / "talk.json",)) == {"items": 1, "truth": 1}
    assert 290 <= len(study.items()[0].text.split()) <= 330
    assert study.ask(simulate=True, people=3)["answered_by"] == 3
    study.reconcile("panel")
    study.run("pauses")
    told = study.score(against="panel", resamples=20)
    assert 0 < told["scores"]["wisebe"]["value"] < told["scores"]["window_f1"]["value"] < 1
    assert sum(one["human"] for one in told["systems"].values()) == 3
    page = study.report().read_text()
    assert "who ends a sentence where" in page
    assert "Score over the window limit" in page
    assert "trivial systems" in page


def test_outputs_are_read_from_files_of_text(text, tmp_path):
    study = Study.create(tmp_path / "talk", task="boundaries", seed=7)
    study.make(text=(text,))
    guess = tmp_path / "guess.txt"
    guess.write_text("mr hill spoke\nwho heard him we did\nand so did they it was loud\n")
    study.run(guess, name="mine")
    told = study.score(resamples=0)
    assert told["systems"]["mine"]["scores"]["mean_f1"]["value"] == pytest.approx(0.4)
    rows = tmp_path / "rows.jsonl"
    rows.write_text(json.dumps({"item": "talk", "after": [2, 5]}) + "\n")
    study.run(rows)
    assert study.outputs()["rows"]["talk"].value.after == {2, 5, 14}


def test_an_output_for_every_item_is_needed(tmp_path):
    items = (ITEM, Item("other", "transcript", text="x y"))
    path = tmp_path / "one.txt"
    path.write_text("a b c d\ne f g h\n")
    with pytest.raises(InputError, match="a text for every item"):
        list(b.TASK.outputs(path, items))


def test_the_made_up_talk_is_the_same_for_the_same_seed(tmp_path):
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        (tmp_path / name).mkdir()
        prepare(tmp_path / name, seed)
    read = [(tmp_path / name / "talk.json").read_text() for name in "abc"]
    assert read[0] == read[1] != read[2]


def test_items_without_words_are_refused():
    with pytest.raises(InputError, match="at least one word"):
        transcript_of(Item("none", "transcript", text=" "))


def test_doubt_is_a_share_even_when_nobody_marked_anything():
    found = by_panel(ballots(set(), set()), seed=0)
    assert found.doubt["talk"] == 1.0
    assert not any(math.isnan(value) for value in found.people.values())
    assert stream(0, "a").integers(9) == stream(0, "a").integers(9)


def test_a_corpus_is_drawn_with_its_correlations(tmp_path):
    place = tmp_path / "texts"
    place.mkdir()
    for number in range(4):
        words = [f"w{n}" + ("." if n % (4 + number) == 3 else "") for n in range(40)]
        (place / f"t{number}.txt").write_text(" ".join(words) + ".")
    study = Study.create(tmp_path / "corpus", task="boundaries", seed=1)
    study.make(text=(place,))
    for name, step in (("often", 4), ("seldom", 9)):
        rows = [
            {"item": item.id, "after": list(range(3, len(item.text.split()), step))}
            for item in study.items()
        ]
        path = tmp_path / f"{name}.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        study.run(path)
    study.score(resamples=20)
    page = study.report().read_text()
    assert "Do the metrics agree?" in page
    assert "over 8 points" in page


def test_a_study_without_outputs_has_no_pictures_of_systems(text, tmp_path):
    study = Study.create(tmp_path / "talk", task="boundaries", seed=7)
    study.make(text=(text,))
    assert b.TASK.report["limits"](study) is None
    assert b.TASK.report["baselines"](study) is None
    assert b.TASK.report["marks"](study) is not None


def test_a_folder_of_texts_is_a_system(tmp_path):
    place, guess = tmp_path / "texts", tmp_path / "guess"
    for folder, ends in ((place, (3, 7)), (guess, (3, 8))):
        folder.mkdir()
        for number in range(2):
            words = [f"w{n}" for n in range(9)]
            lines = [words[: ends[0]], words[ends[0] : ends[1]], words[ends[1] :]]
            text = "\n".join(" ".join(line) + "." for line in lines if line)
            (folder / f"t{number}.txt").write_text(text)
    study = Study.create(tmp_path / "corpus", task="boundaries", seed=1)
    study.make(text=(place,))
    study.run(guess)
    assert study.score(resamples=0)["scores"]["mean_f1"]["value"] == pytest.approx(0.5)
