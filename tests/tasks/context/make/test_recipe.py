from dataclasses import fields

import pytest

from earmark.tasks.context.make.recipe import CorruptionOptions, CorruptionRecipe, recipe_of
from earmark.values.errors import InputError


def test_the_presets_differ_only_in_what_clean_asks_for():
    assert recipe_of("clean") == CorruptionRecipe()
    paper = recipe_of("paper-2018")
    own = (paper.swaps, paper.frame, paper.tries, paper.context, paper.least)
    assert own == (10, 20, 3, 10, 200)
    assert not any((paper.unseen, paper.articles, paper.capitals, paper.lemmas, paper.directions))


def test_every_value_of_a_recipe_is_an_option():
    options = {field.name for field in fields(CorruptionOptions)}
    assert {field.name for field in fields(CorruptionRecipe)} <= options


def test_options_that_are_not_given_leave_the_preset_as_it_is():
    assert CorruptionOptions(preset="paper-2018").recipe() == recipe_of("paper-2018")
    changed = CorruptionOptions(unseen=False, nouns=("NOUN",), frame=40).recipe()
    assert changed == CorruptionRecipe(unseen=False, nouns=("NOUN",), frame=40)


def test_a_value_out_of_range_or_an_unknown_name_is_refused():
    with pytest.raises(InputError, match="swaps must be at least 1"):
        CorruptionOptions(swaps=0).recipe()
    with pytest.raises(InputError, match="farthest"):
        CorruptionOptions(farthest=1.5).recipe()
    with pytest.raises(InputError, match="there is no option 'frames'"):
        recipe_of("clean", frames=3)
