import numpy as np

from earmark.tasks.context.run.discourse.corpus import corpus_arrays
from earmark.tasks.context.run.discourse.ngram_counts import (
    CONTEXT_OF,
    CONTEXTS,
    KINDS,
    NGRAMS,
    ContextCounts,
    CorpusCounts,
    HashCounts,
    Neighbourhoods,
)
from earmark.tasks.context.run.hashing import combine, word_hashes

# "the dog" twice in the first document, once in the second
DOCUMENTS = [("the", "dog", "saw", "the", "dog"), ("the", "dog", "saw", "the", "cat")]
TAGS = [("DT", "NN", "VBD", "DT", "NN")] * 2
CORPUS = corpus_arrays(DOCUMENTS, TAGS)


def test_hashes_are_counted_and_found_again_after_a_model_file():
    hashes = word_hashes(["a", "b", "a", "c"])
    counts = HashCounts.of(hashes)
    again = HashCounts.from_arrays(counts.arrays("x"), "x")
    for table in (counts, again):
        assert table.look_up(word_hashes(["a", "b", "c", "d"])).tolist() == [2, 1, 1, 0]
    assert HashCounts.of(word_hashes([])).look_up(hashes).tolist() == [0, 0, 0, 0]


def test_every_kind_has_a_salt_of_its_own_and_every_ngram_its_context():
    assert len({kind.salt for kind in KINDS.values()}) == len(KINDS)
    assert all(0 in kind.offsets for kind in NGRAMS.values())
    for ngram, context in CONTEXT_OF.items():
        offsets = tuple(offset for offset in NGRAMS[ngram].offsets if offset)
        assert CONTEXTS[context].offsets == offsets


def test_an_ngram_is_counted_in_the_corpus_by_its_words_and_kind():
    counts = CorpusCounts.of(CORPUS)
    the, dog, cat = word_hashes(["the", "dog", "cat"])
    pair = [combine(np.uint64(NGRAMS["lw"].salt), the, word) for word in (dog, cat)]
    assert counts.ngrams.look_up(np.array(pair)).tolist() == [3, 1]
    assert counts.documents.look_up(np.array([dog, cat])).tolist() == [2, 1]
    assert counts.nouns == 4


def test_what_a_document_contributed_is_subtracted_for_its_own_nouns():
    counts = CorpusCounts.of(CORPUS)
    around = Neighbourhoods.of(CORPUS, CORPUS.nouns)
    document = CORPUS.document[CORPUS.nouns]
    everywhere = ContextCounts.of(counts, CORPUS).elsewhere(document, around.ngrams("w"))
    elsewhere = ContextCounts.of(counts, CORPUS, CORPUS)
    # dog: 2 of 3 in the first document, 1 of 3 in the second; cat: only in the second
    assert everywhere.tolist() == [3, 3, 3, 1]
    assert elsewhere.elsewhere(document, around.ngrams("w")).tolist() == [1, 1, 2, 0]
    assert elsewhere.other_documents(document, around).tolist() == [1, 1, 1, 0]


def test_other_nouns_can_be_tried_at_the_same_places():
    around = Neighbourhoods.of(CORPUS, CORPUS.nouns[:1])
    tried = around.with_nouns(word_hashes(["dog", "cat"])[None, :])
    assert tried.ngrams("lw").shape == (1, 2)
    assert tried.ngrams("lw")[0, 0] == around.ngrams("lw")[0]
    assert tried.ngrams("lw")[0, 1] != around.ngrams("lw")[0]
    assert tried.ngrams("l").ravel().tolist() == around.ngrams("l").tolist()


def test_counts_of_two_corpora_add_up_to_those_of_both():
    parts = [corpus_arrays(DOCUMENTS[d : d + 1], TAGS[d : d + 1]) for d in range(2)]
    one, two = map(CorpusCounts.of, parts)
    both, whole = one.plus(two), CorpusCounts.of(CORPUS)
    assert both.nouns == whole.nouns
    for table in ("ngrams", "documents"):
        added, counted = getattr(both, table), getattr(whole, table)
        assert added.keys.tolist() == counted.keys.tolist()
        assert added.counts.tolist() == counted.counts.tolist()
