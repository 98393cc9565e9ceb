from earmark.tasks.context.make.three_ways import ThreeWaysOptions, make_three_ways


def test_every_document_is_made_in_three_ways(talks):
    made = list(make_three_ways(options=ThreeWaysOptions(text=talks, swaps=2)))
    assert len(made) == 36
    assert {m.item.details["way"] for m in made} == {"clean", "paper-2018", "sound-alike"}
    assert all(m.item.id.startswith(str(m.item.parent)) for m in made)
