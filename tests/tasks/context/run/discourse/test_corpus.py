from earmark.tasks.context.run.discourse.corpus import corpus_arrays


def test_neighbours_stop_at_the_edge_of_a_document():
    corpus = corpus_arrays([("a", "dog"), ("cat", "b")], [("DT", "NN"), ("NN", "DT")])
    assert corpus.nouns.tolist() == [1, 2]
    beside = corpus.neighbours(corpus.nouns, 1)
    assert beside[0] != corpus.hashes[2]
    assert beside[1] == corpus.hashes[3]
