from earmark.tasks.context.make.candidates import asides, find_candidates
from earmark.tasks.context.make.recipe import recipe_of

NOUNS = "dog cat dog bird fish cat tree sun moon star sky dog".split()


def orders(nouns, **changes):
    recipe = recipe_of("paper-2018", **changes)
    return [c.order for c in find_candidates(nouns, range(len(nouns)), recipe)]


def test_a_noun_said_among_the_last_ten_nouns_is_a_candidate():
    # dog #2 (2 back), cat #5 (4 back), dog #11 (9 back)
    assert orders(NOUNS, skip=0) == [2, 5, 11]


def test_ten_nouns_back_is_inside_the_window_and_eleven_is_not():
    assert orders([*NOUNS[:-1], "sea", "dog"], skip=0)[-1] == 12
    assert orders([*NOUNS[:-1], "sea", "hill", "dog"], skip=0)[-1] == 5


def test_the_first_nouns_are_skipped():
    assert orders(NOUNS, skip=10) == [11]
    assert orders(NOUNS) == [11]
    assert orders(NOUNS, skip=20) == []


def test_only_the_last_mention_when_that_is_asked():
    # dog #2 comes again 9 nouns later, cat #5 and dog #11 do not
    assert orders(NOUNS, skip=0, strict_last=True) == [5, 11]


def test_a_shorter_context_sees_fewer():
    assert orders(NOUNS, skip=0, context=3) == [2]


def test_surface_forms_are_compared_as_written():
    assert orders(["Dog", "dog"], skip=0) == []


def test_a_candidate_knows_its_earlier_and_its_next_mention():
    recipe = recipe_of("clean", skip=0)
    first, _, last = find_candidates(NOUNS, [n * 10 for n in range(12)], recipe)
    assert (first.token, first.previous, first.nouns_back, first.following) == (20, 0, 2, 110)
    assert last.following is None


def test_stage_directions_and_speaker_names_are_asides():
    tokens = "Chris Anderson : Thanks . ( Laughter ) He left . CA : So : it goes".split()
    assert asides(tokens) == {0, 1, 5, 6, 7, 11}


def test_a_long_bracket_is_no_stage_direction():
    tokens = ["(", *"and this is a rather long aside of the speaker".split(), ")"]
    assert asides(tokens) == frozenset()
