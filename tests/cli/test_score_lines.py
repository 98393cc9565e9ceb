"""What the commands that score print, and how they end."""

import json
from pathlib import Path

import pytest

HEAD = "filename\tonset\toffset\tevent_label\n"


@pytest.fixture
def silence(tmp_path: Path) -> Path:
    path = tmp_path / "silence.tsv"
    path.write_text(HEAD + "a\t\t\t\n")
    return path


def test_measure_ends_with_one_and_the_reasons_where_every_score_is_undefined(
    silence: Path, earmark
) -> None:
    files = ("--reference", silence, "--output", silence)
    code, out, err = earmark("measure", "events", *files, "--metric", "segment_f1", "--json")
    assert code == 1
    assert json.loads(out)["scores"]["segment_f1"]["value"] is None
    assert err.startswith("every score is undefined\n  fix:  check what the files hold\n")
    assert "  segment_f1: " in err


def test_one_score_that_is_defined_is_enough(tmp_path: Path, silence: Path, earmark) -> None:
    reference = tmp_path / "r.tsv"
    reference.write_text(HEAD + "a\t0\t1\tdog\n")
    code, _, err = earmark("measure", "events", "--reference", reference, "--output", silence)
    assert code == 0 and "every score" not in err


def test_score_ends_with_one_where_every_score_of_every_system_is_undefined(
    tmp_path: Path, earmark
) -> None:
    (tmp_path / "talk.txt").write_text("We went home.\n")
    study = tmp_path / "study"
    assert earmark("make", "boundaries", study, "--text", tmp_path / "talk.txt")[0] == 0
    for name, text in {"one": "we went home\n", "two": "we\nwent home\n"}.items():
        (tmp_path / "output.txt").write_text(text)
        assert earmark("run", study, tmp_path / "output.txt", "--name", name)[0] == 0
        code, _, err = earmark("score", study, "--metric", "mean_f1", "--metric", "mean_recall")
        # the second system marks a boundary where there is none, which has an F1 of 0
        assert (code, "every score is undefined" in err) == (
            (1, True) if name == "one" else (0, False)
        )
