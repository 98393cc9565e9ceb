from earmark.text.noun_forms import noun_stems, same_noun, written_like


def test_forms_of_one_noun_are_known():
    pairs = [("city", "cities"), ("life", "lives"), ("Box", "boxes"), ("man", "men"), ("a", "A")]
    assert all(same_noun(one, two) for one, two in pairs)
    assert not same_noun("class", "clas")
    assert "glass" in noun_stems("glass")
    assert written_like("rome", "Paris") == "Rome"
