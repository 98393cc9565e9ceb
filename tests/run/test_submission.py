"""A submission is looked over before it runs; each refusal has its reason."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.run.strangers import challenge, submission

from earmark.run.submission import code_digest, is_submission, take_in
from earmark.tasks import load
from earmark.values.errors import InputError

Call = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def wake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return challenge(tmp_path_factory.mktemp("challenge"), 1).folder


def contract():
    task = load("keywords")
    assert task.submission is not None
    return task.submission()


def refused(code: Path, tmp_path: Path) -> str:
    with pytest.raises(InputError) as refusal:
        take_in(code, tmp_path / "taken", contract())
    assert not (tmp_path / "taken").exists()
    return str(refusal.value)


def test_a_missing_script_is_named(tmp_path: Path) -> None:
    code = submission(tmp_path / "code")
    (code / "enrollment.sh").unlink()
    assert refused(code, tmp_path) == (
        "a submission must have its scripts at the top\n"
        f"  at:   {code}\n"
        "  got:  2 entrys (initialize.sh, predict.sh), no enrollment.sh\n"
        "  want: initialize.sh, enrollment.sh, predict.sh"
    ).replace("entrys", "files")


def test_links_special_files_and_line_ends_of_windows_are_refused(tmp_path: Path) -> None:
    code = submission(tmp_path / "link")
    (code / "weights").symlink_to("/etc/passwd")
    assert "weights: a link" in refused(code, tmp_path)
    code = submission(tmp_path / "folder")
    (code / "weights").symlink_to("/etc")
    assert "weights: a link" in refused(code, tmp_path)
    code = submission(tmp_path / "pipe")
    os.mkfifo(code / "weights")
    assert "weights: a special file" in refused(code, tmp_path)
    code = submission(tmp_path / "windows")
    (code / "predict.sh").write_bytes(b"echo\r\n")
    assert "predict.sh with the line ends of Windows" in refused(code, tmp_path)
    code = submission(tmp_path / "empty")
    (code / "predict.sh").write_text(" \n")
    assert "a script must not be empty" in refused(code, tmp_path)


def test_a_hard_link_of_the_labels_is_refused(tmp_path: Path, wake: Path, earmark: Call) -> None:
    code = submission(tmp_path / "code")
    try:
        os.link(wake / "1-material" / "truth.jsonl", code / "weights.txt")
    except OSError:
        pytest.skip("the two folders are on different disks")
    status, _, err = earmark("run", wake, code)
    assert status == 2 and "weights.txt: a hard link of a file of the study" in err


def test_the_digest_is_of_names_bytes_and_what_can_be_run(tmp_path: Path) -> None:
    one, other = submission(tmp_path / "a"), submission(tmp_path / "b")
    assert code_digest(one) == code_digest(other)
    (other / "predict.sh").chmod(0o755)
    assert code_digest(one) != code_digest(other)
    (other / "predict.sh").chmod(0o644)
    (other / "new").write_text("")
    assert code_digest(one) != code_digest(other)


def test_a_folder_without_scripts_is_no_submission_but_outputs(tmp_path: Path) -> None:
    (tmp_path / "predictions").mkdir()
    assert not is_submission(tmp_path / "predictions", contract())
    assert is_submission(submission(tmp_path / "code"), contract())
    assert is_submission(tmp_path / "any.zip", contract())


def test_no_submission_is_exit_code_2_and_nothing_is_stored(
    tmp_path: Path, wake: Path, earmark: Call
) -> None:
    (tmp_path / "bad.zip").write_bytes(b"no zip")
    code, out, err = earmark("run", wake, tmp_path / "bad.zip")
    assert (code, out) == (2, "") and err.startswith("a submission is a folder, or a zip of one")
    assert not (wake / "4-outputs").exists()


def test_a_study_that_every_box_can_read_is_refused(tmp_path: Path, wake: Path) -> None:
    import shutil
    import sys

    from earmark.study import Study
    from earmark.study.execution import open_execution
    from earmark.values.errors import StudyError

    place = Path(sys.prefix) / f"earmark-test-{os.getpid()}"
    try:
        shutil.copytree(wake, place)
    except OSError:
        pytest.skip("Python's own folder cannot be written")
    try:
        study = Study.open(place).snapshot()
        with pytest.raises(StudyError, match="a study must lie where submissions cannot read"):
            open_execution(study, submission(tmp_path / "code"), tmp_path / "run", name="x")
    finally:
        shutil.rmtree(place)


def test_wrong_budgets_are_named(tmp_path: Path, wake: Path, earmark: Call) -> None:
    settings = wake / "study.toml"
    text = settings.read_text()
    for line, reason in {
        "processes = 1.5": "the limit processes must be a whole number",
        "memory_megabytes = -1": "the limit memory_megabytes must be above 0 and finite",
        "procesess = 4": "there is no limit 'procesess'",
    }.items():
        settings.write_text(text.partition("[budget]")[0] + f"[budget]\n{line}\n")
        status, _, err = earmark("run", wake, submission(tmp_path / "code"))
        assert status == 2 and err.startswith(reason)
    settings.write_text(text)
