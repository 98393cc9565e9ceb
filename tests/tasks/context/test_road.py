import json


def test_measure_on_the_command_line(tmp_path, earmark):
    truth = write(tmp_path / "t.jsonl", TRUTH)
    scores = write(tmp_path / "s.jsonl", {"id": "a", "scores": [0.1, 0.9], "threshold": 0.5})
    code, out, _ = earmark("measure", "context", "--reference", truth, "--output", scores, "--json")
    found = json.loads(out)["scores"]
    assert code == 0
    assert found["best_f"]["value"] == found["f_at_dev_threshold"]["value"] == 1.0
    assert found["perplexity"]["value"] is None


def write(path, *rows):
    path.write_text("\n".join(json.dumps(row) for row in rows) + "\n", encoding="utf-8")
    return path


TRUTH = {"id": "a", "tokens": ["we", "shop"], "labels": [0, 1]}


def test_train_run_and_score_on_the_command_line(talks, tmp_path, earmark):
    study, model = tmp_path / "study", tmp_path / "model.npz"
    assert earmark("make", "context", study, "--text", talks, "--swaps", "4", "--seed", "7")[0] == 0
    assert earmark("train", "context", "ngrams", "--study", study, "--out", model)[0] == 0
    assert earmark("run", study, "ngrams", "--model", model)[0] == 0
    code, out, _ = earmark("score", study, "--json", "--resamples", "50")
    scores = json.loads(out)["scores"]
    assert code == 0
    assert 0 < scores["best_f"]["low"] <= scores["best_f"]["value"] <= scores["best_f"]["high"]
    assert scores["perplexity"]["value"] > 1
