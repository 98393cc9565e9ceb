"""The whole road: make, ask, reconcile, run, score, report."""

import json

import pytest

from earmark.study import Study
from earmark.tasks import boundaries as b
from earmark.tasks.boundaries.tour import prepare
from earmark.tasks.boundaries.values import transcript_of

TEXT = "Mr. Hill spoke. Who heard him? We did - and so did they; it was loud.\n"


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "talk.txt"
    path.write_text(TEXT)
    return path


def test_a_whole_study_from_a_made_up_talk(tmp_path):
    prepare(tmp_path, 7)
    study = Study.create(tmp_path / "talk", task="boundaries", seed=7)
    assert study.make(text=(tmp_path / "talk.json",), truth=True) == {"items": 1, "truth": 1}
    assert 290 <= len(transcript_of(study.items()[0]).words) <= 330
    assert study.ask(simulate=True, people=3)["answered_by"] == 3
    study.reconcile("panel")
    study.run("pauses")
    printed = study.score(against="panel", resamples=20)
    assert 0 < printed["scores"]["wisebe"]["value"] < printed["scores"]["window_f1"]["value"] < 1
    assert printed["people"]["scored"] == 3 and list(printed["systems"]) == ["pauses"]
    page = study.report().read_text()
    assert "who ends a sentence where" in page
    assert "Score over the window limit" in page
    assert "trivial systems" in page


def test_a_corpus_is_drawn_with_its_correlations(tmp_path):
    place = tmp_path / "texts"
    place.mkdir()
    for number in range(4):
        words = [f"w{n}" + ("." if n % (4 + number) == 3 else "") for n in range(40)]
        (place / f"t{number}.txt").write_text(" ".join(words) + ".")
    study = Study.create(tmp_path / "corpus", task="boundaries", seed=1)
    study.make(text=(place,))
    for name, step in (("often", 4), ("seldom", 9)):
        rows = [
            {"item": item.id, "after": list(range(3, len(transcript_of(item).words), step))}
            for item in study.items()
        ]
        path = tmp_path / f"{name}.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        study.run(path)
    study.score(resamples=20)
    page = study.report().read_text()
    assert "Do the metrics agree?" in page
    assert "over 8 points" in page


def test_a_study_without_outputs_has_no_pictures_of_systems(text, tmp_path):
    study = Study.create(tmp_path / "talk", task="boundaries", seed=7)
    study.make(text=(text,))
    assert b.TASK.report["limits"](study) is None
    assert b.TASK.report["baselines"](study) is None
    assert b.TASK.report["marks"](study) is not None
