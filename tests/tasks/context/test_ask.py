import pytest
from tests.tasks.context.making import corrupted
from tests.tasks.context.questions import ITEM, TEXT

from earmark.tasks.context.ask import (
    CROWD,
    SURVEY,
    UnitOptions,
    read,
    read_answers,
    show,
    simulate,
    units,
)
from earmark.tasks.context.values import Flags, Passage
from earmark.values.errors import InputError
from earmark.values.reference import Reference


def test_one_question_a_sentence_short_ones_left_out():
    (unit,) = units((ITEM,))
    assert (unit.id, unit.text, unit.parent) == (
        "talk/4",
        "We have a lot of shopping here.",
        "talk",
    )
    assert show(unit)["words"][5] == "shopping"
    assert len(list(units((ITEM,), UnitOptions(shortest=1)))) == 3


def test_the_whole_passage_as_one_question():
    (unit,) = units((ITEM,), UnitOptions(show="passage"))
    assert (unit.kind, unit.text) == ("passage", TEXT)


def test_some_sentences_drawn_at_random(talks):
    items = tuple(m.item for m in corrupted(text=talks))
    first = [u.id for u in units(items, UnitOptions(per_passage=2))]
    assert len(first) == 24
    assert first == [u.id for u in units(items, UnitOptions(per_passage=2))]
    assert first != [u.id for u in units(items, UnitOptions(per_passage=2, draw=1))]


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
        ("talk/9,ann,shopping", "a question that was asked"),
        ("talk/4,ann,banana", "must be in the text once"),
        ("talk/4,ann,77", "a number must be the index of a word shown"),
    ],
)
def test_an_import_that_cannot_be_read_names_its_line(tmp_path, row, words):
    path = write(tmp_path / "a.csv", row)
    with pytest.raises(InputError, match=words) as error:
        list(read_answers(path, tuple(units((ITEM,)))))
    assert f"{path}:2" in str(error.value)


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
    made = list(corrupted(text=talks))
    items = tuple(m.item for m in made)
    shares = []
    for kind in ("sentence", "passage"):
        asked = tuple(units(items, UnitOptions(show=kind)))
        shares.append(share_found(simulated(asked, made), asked, made))
    assert shares[0] == pytest.approx(0.29, abs=0.07)
    assert shares[1] == pytest.approx(0.85, abs=0.07)


def test_each_property_of_the_crowd_matters(talks):
    made = list(corrupted(text=talks, split=(2, 1, 1), part="train"))
    asked = tuple(units(tuple(m.item for m in made)))
    plain = simulated(asked, made)
    assert plain == simulated(asked, made)
    changes = {"opinions": 3, "finds_in_sentence": 0.9, "wrong_per_word": 0.2, "careless": 1.0}
    for name, value in {**changes, "seconds": 9.0}.items():
        assert simulated(asked, made, **{name: value}) != plain
    whole = tuple(units(tuple(m.item for m in made), UnitOptions(show="passage")))
    assert simulated(whole, made, finds_in_passage=0.1) != simulated(whole, made)


def test_the_question_has_everything_that_a_study_needs():
    assert SURVEY.seconds > 0
    assert Passage.of(ITEM).tokens[9] == "shopping"
