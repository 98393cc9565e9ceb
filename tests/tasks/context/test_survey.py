import pytest

from earmark.tasks.context.ask import CROWD, SURVEY, read, read_answers, show, simulate, units
from earmark.tasks.context.make.corrupted import make_corrupted
from earmark.tasks.context.reconcile import by_majority, by_share, by_union, people
from earmark.tasks.context.values import Flags, Passage
from earmark.values.answer import Answer, Ballots
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.reference import Reference

TEXT = "We have debt. We have a lot of shopping here. Yes."
OFFSETS = [0, 2, 3, 7, 8, 12, 12, 13, 14, 16, 17, 21, 22, 23, 24, 27, 28, 30, 31, 39, 40, 44]
ITEM = Item("talk", "passage", text=TEXT, details={"offsets": [*OFFSETS, 44, 45, 46, 49, 49, 50]})


def test_one_question_a_sentence_short_ones_left_out():
    (unit,) = units((ITEM,))
    assert (unit.id, unit.text, unit.parent) == (
        "talk/4",
        "We have a lot of shopping here.",
        "talk",
    )
    assert show(unit)["words"][5] == "shopping"
    assert len(list(units((ITEM,), shortest=1))) == 3


def test_the_whole_passage_as_one_question():
    (unit,) = units((ITEM,), show="passage")
    assert (unit.kind, unit.text) == ("passage", TEXT)


def test_some_sentences_drawn_at_random(talks):
    items = tuple(m.item for m in make_corrupted(text=talks))
    first = [u.id for u in units(items, per_passage=2)]
    assert len(first) == 24
    assert first == [u.id for u in units(items, per_passage=2)]
    assert first != [u.id for u in units(items, per_passage=2, draw=1)]


def test_marks_become_flags_of_the_passage():
    (unit,) = units((ITEM,))
    assert read(unit, {"marked": [5]}) == Flags(14, frozenset({9}), ((4, 12),))
    assert read(unit, {"marked": []}).at == frozenset()


@pytest.mark.parametrize("form", [{}, {"marked": "5"}, {"marked": ["a"]}, {"marked": [99]}])
def test_a_form_that_says_something_else_is_refused(form):
    (unit,) = units((ITEM,))
    with pytest.raises(InputError):
        read(unit, form)


def write(path, *rows):
    path.write_text("item,person,words\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return path


def test_answers_are_imported_by_word_or_number(tmp_path):
    asked = tuple(units((ITEM,)))
    rows = ("talk/4,ann,shopping", "talk/4,bob,5|1", "talk/4,cy,none", "talk/4,di,")
    found = list(read_answers(write(tmp_path / "a.csv", *rows), asked))
    assert [sorted(a.value.at) for a in found] == [[9], [5, 9], [], []]


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("talk/9,ann,shopping", "there is no question"),
        ("talk/4,ann,banana", "must stand once in the text"),
        ("talk/4,ann,77", "a number is that of a word shown"),
    ],
)
def test_an_import_that_cannot_be_read_names_its_line(tmp_path, row, words):
    path = write(tmp_path / "a.csv", row)
    with pytest.raises(InputError, match=words) as error:
        list(read_answers(path, tuple(units((ITEM,)))))
    assert f"{path}:2" in str(error.value)


def ballots():
    asked = tuple(units((ITEM,)))
    marks = {"ann": [5], "bob": [5, 1], "cy": [1], "di": [5]}
    answers = [Answer("talk/4", name, read(asked[0], {"marked": m})) for name, m in marks.items()]
    return Ballots(asked, tuple(answers), (ITEM,))


def test_a_majority_a_share_or_anybody_decides():
    # of four people three marked word 9, two word 5
    assert by_majority(ballots(), seed=0).values["talk"].at == {9}
    assert by_share(ballots(), seed=0, share=0.4).values["talk"].at == {5, 9}
    assert by_share(ballots(), seed=0, share=0.8).values["talk"].at == frozenset()
    assert by_union(ballots(), seed=0).values["talk"].at == {5, 9}


def test_a_reference_knows_what_was_shown_its_doubt_and_its_people():
    found = by_majority(ballots(), seed=0)
    assert found.values["talk"].seen == ((4, 12),)
    # word 9: share 3/4 -> 0.5, word 5: 2/4 -> 1, six others 0; mean of 8
    assert found.doubt["talk"] == pytest.approx(1.5 / 8)
    assert found.people["ann"] == 1.0
    assert found.people["cy"] == 0.0


def test_people_are_scored_against_the_truth_as_it_is(talks):
    truth = Reference("truth", {"talk": next(make_corrupted(text=talks)).truth})
    made = next(iter(people(ballots(), truth)))
    assert made.reference["talk"] is truth.values["talk"]
    assert made.output["talk"].seen == ((4, 12),)


def test_people_are_scored_against_the_others_when_people_made_the_reference():
    reference = by_majority(ballots(), seed=0)
    ann = next(p for p in people(ballots(), reference) if p.name == "ann")
    # without Ann, words 9 and 5 are marked by two of three
    assert ann.reference["talk"].at == {5, 9}


def simulated(asked, made, **crowd):
    truth = Reference("truth", {m.item.id: m.truth for m in made})
    return list(simulate(asked, truth, crowd={**CROWD, **crowd}, seed=5))


def share_found(answers, asked, made):
    swapped = {m.item.id: m.truth.at for m in made}
    parent = {u.id: u.parent for u in asked}
    found = total = 0
    for answer in answers:
        low, high = answer.value.seen[0]
        shown = {p for p in swapped[parent[answer.item]] if low <= p < high}
        found += len(shown & answer.value.at)
        total += len(shown)
    return found / total


def test_simulated_people_find_more_with_the_whole_passage(talks):
    made = list(make_corrupted(text=talks))
    items = tuple(m.item for m in made)
    shares = []
    for kind in ("sentence", "passage"):
        asked = tuple(units(items, show=kind))
        shares.append(share_found(simulated(asked, made), asked, made))
    assert shares[0] == pytest.approx(0.29, abs=0.07)
    assert shares[1] == pytest.approx(0.85, abs=0.07)


def test_each_property_of_the_crowd_matters(talks):
    made = list(make_corrupted(text=talks, split=(2, 1, 1), part="train"))
    asked = tuple(units(tuple(m.item for m in made)))
    plain = simulated(asked, made)
    assert plain == simulated(asked, made)
    changes = {"opinions": 3, "finds_in_sentence": 0.9, "wrong_per_word": 0.2, "careless": 1.0}
    for name, value in {**changes, "seconds": 9.0}.items():
        assert simulated(asked, made, **{name: value}) != plain
    whole = tuple(units(tuple(m.item for m in made), show="passage"))
    assert simulated(whole, made, finds_in_passage=0.1) != simulated(whole, made)


def test_the_question_has_everything_that_a_study_needs():
    assert SURVEY.seconds > 0
    assert Passage.of(ITEM).tokens[9] == "shopping"
