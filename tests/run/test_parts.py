"""Speakers are judged one by one: a failure costs its speaker alone, and the reason is shown."""

from pathlib import Path

import pytest
from tests.run.strangers import (
    HONEST,
    challenge,
    copy_study,
    enrolment_bytes,
    needs_box,
    run,
    score_of,
    submission,
)

from earmark.run.bubblewrap import Bubblewrap
from earmark.run.cgroups import group_places
from earmark.run.steps import StepResult
from earmark.run.supervise import StepStopped
from earmark.study import Study
from earmark.study.execution import open_execution
from earmark.study.finished import write_outputs

pytestmark = pytest.mark.sandbox


@pytest.fixture(scope="module", autouse=True)
def box() -> None:
    needs_box()


def cases(bodies: list[str]) -> str:
    """A script that does the k-th thing for the k-th speaker, known by the size of a recording."""
    lines = ["case $(cat $2/size) in"]
    for number, body in enumerate(bodies, start=1):
        lines.append(f"{enrolment_bytes(number)})\n{body}\n;;")
    return "\n".join([*lines, "*) echo nobody; exit 9 ;; esac"])


def test_five_speakers_of_which_one_crashes_one_times_out_and_one_writes_nonsense(
    tmp_path: Path,
) -> None:
    study = challenge(tmp_path, 5, slack_seconds=2.0)
    honest = HONEST["predict.sh"]
    crash = "echo about to crash >&2; exit 3"
    bodies = [honest, crash, "sleep 60", "echo what a lovely day > $3", honest]
    outcome = run(study, submission(tmp_path / "code", {"predict.sh": cases(bodies)}))
    assert outcome.finished.run["status"] == "partial"
    assert outcome.reasons == {
        "S02": "predict ended with exit code 3",
        "S03": "predict took longer than its 2.375 s",
        "S04": "predict wrote what cannot be read: a line is a clip, and 0 or 1; at:   line 1; "
        "got:  what a lovely day",
    }
    assert (
        outcome.statuses[1:]
        == ["ok", "ok", "ok", "error", "ok", "timeout", "ok", "output"] + ["ok"] * 2
    )
    # two speakers without a mistake, three whose devices never wake: S = (0 + 1 + 1 + 1 + 0) / 5
    assert score_of(study, outcome) == pytest.approx(0.6)
    assert outcome.left == []
    assert "about to crash" in outcome.log
    assert outcome.finished.run["reason"].startswith(
        "3 of 5 speakers failed and count as a device that never wakes, S = 1; S02: predict"
    )


def test_no_failure_scores_better_than_saying_no_to_everything(tmp_path: Path) -> None:
    study = challenge(tmp_path, 2)
    bodies = [HONEST["predict.sh"], "exit 1"]
    failed = run(study, submission(tmp_path / "a", {"predict.sh": cases(bodies)}))
    bodies[1] = 'for f in $1/*; do echo "$(basename $f) 0"; done > $3'
    silent = run(study, submission(tmp_path / "b", {"predict.sh": cases(bodies)}))
    assert score_of(study, failed) == score_of(study, silent) == 0.5


# What may stand where the predictions should: how to make it, and what is said.
WRITE = 'for clip in "$1"/*; do printf "%s 1{}\\n" "$(basename $clip)"; done > $3'
FIRST = 'cd "$1"; '
OUTPUTS = {
    "nothing": (":", "it wrote no predictions.txt"),
    "a link": ("ln -s /etc/passwd $3", "no regular file"),
    "a pipe": ("mkfifo $3", "no regular file"),
    "a folder": ("mkdir $3", "no regular file"),
    "a socket": (
        '$PYTHON -c "import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])" $3',
        "no regular file",
    ),
    "a second name": ("echo x > $(dirname $3)/other; ln $(dirname $3)/other $3", "second name"),
    "too much": ("head -c 100000 /dev/zero | tr '\\0' 'a' > $3", "too large"),
    "a sparse giant": ("truncate -s 15M $3", "too large"),
    "no digit": (WRITE.format(".0"), "0 or 1"),
    "two digits": (WRITE.format("1"), "0 or 1"),
    "not a number": (WRITE.format(" nan"), "finite"),
    "a score too far": (WRITE.format(" 1e999"), "finite"),
    "four words": (WRITE.format(" .5 more"), "0 or 1"),
    "a clip twice": (HONEST["predict.sh"] + "; echo T0001.wav 1 >> $3", "two verdicts"),
    "another clip": (HONEST["predict.sh"] + "; echo T0999.wav 1 >> $3", "was not given"),
    "a path": (HONEST["predict.sh"] + "; echo ../T0001.wav 1 >> $3", "was not given"),
    "a clip less": (HONEST["predict.sh"] + "; sed -i 1d $3", "every clip needs a verdict"),
    "an empty file": (": > $3", "every clip needs a verdict"),
    "a zero byte": (HONEST["predict.sh"] + "; printf '\\0' >> $3", "control characters"),
    "Latin-1": (HONEST["predict.sh"] + "; printf '\\xe9\\n' >> $3", "not UTF-8"),
    "a pickle": ("$PYTHON -c 'import pickle; print(pickle.dumps([1, 2]))' > $3", "0 or 1"),
    "closed": (HONEST["predict.sh"] + "; chmod 000 $3", ""),
    "marks and line ends of Windows": (
        HONEST["predict.sh"] + "; sed -i '1s/^/\\xef\\xbb\\xbf/; s/$/\\r/' $3",
        "",
    ),
}


def test_what_is_written_is_read_as_hostile_text(tmp_path: Path) -> None:
    """Each speaker's prediction writes something else; the last two are fine."""
    study = challenge(tmp_path, len(OUTPUTS))
    bodies = [body for body, _ in OUTPUTS.values()]
    outcome = run(study, submission(tmp_path / "code", {"predict.sh": cases(bodies)}))
    results = [result for result in outcome.results if result.step == "predict"]
    for (name, (_, reason)), result in zip(OUTPUTS.items(), results, strict=True):
        assert result.status == ("output" if reason else "ok"), (name, result)
        assert reason in result.reason, (name, result.reason)
        assert str(tmp_path) not in result.reason and "/earmark-" not in result.reason
    failed = sum(bool(reason) for _, reason in OUTPUTS.values())
    assert score_of(study, outcome) == pytest.approx(failed / len(OUTPUTS))
    assert outcome.left == []


def test_a_submission_that_fails_everywhere_is_on_no_board(tmp_path: Path) -> None:
    study = challenge(tmp_path, 2)
    outcome = run(study, submission(tmp_path / "code", initialize="echo no weights; exit 7"))
    assert outcome.statuses == ["error"] * 5
    assert outcome.finished.run["status"] == "failed"
    assert outcome.finished.run["reason"].startswith(
        "nothing could be scored; S01, S02: initialize ended with exit code 7"
    )
    assert outcome.finished.outputs == {}
    write_outputs(study, "stranger", outcome.finished)
    place = study.folder / "4-outputs" / "stranger"
    assert sorted(path.name for path in place.iterdir()) == [
        *("cost.json", "log.txt", "run.json", "telemetry.jsonl"),
    ]
    assert Study.open(study.folder).snapshot().outputs() == {}


def test_a_prediction_that_was_cut_off_is_repeated_from_what_enrolment_left(
    tmp_path: Path,
) -> None:
    """A new process opens the same folder; the work folder is as enrolment left it."""
    study = challenge(tmp_path, 1)
    grows = 'echo more >> $2/notes; wc -l < $2/notes | sed "s/^/NOTES /"; sleep 1.2'
    code = submission(tmp_path / "code", enrollment="echo one > $2/notes", predict=grows)
    first = open_execution(study, code, tmp_path / "run", name="stranger")
    results: list[StepResult] = []
    for plan in first.steps[:2]:
        results.append(first.run(plan, results))
    with pytest.raises(StepStopped):
        first.run(first.steps[2], results, stop=lambda: True)
    second = open_execution(study, code, tmp_path / "run", name="stranger")
    assert second.digest == first.digest
    result = second.run(second.steps[2], results)
    assert result.is_ok and "NOTES 2" in result.log
    assert len(second.finish([*results, result]).outputs) == 3


def test_another_machine_does_again_what_the_step_builds_on(tmp_path: Path) -> None:
    study = challenge(tmp_path, 1)
    code = submission(tmp_path / "code", predict="cat $2/size | sed 's/^/SIZE /'")
    first = open_execution(study, code, tmp_path / "here", name="stranger")
    results: list[StepResult] = []
    for plan in first.steps[:2]:
        results.append(first.run(plan, results))
    elsewhere = open_execution(study, code, tmp_path / "there", name="stranger")
    result = elsewhere.run(elsewhere.steps[2], results)
    assert result.is_ok and f"SIZE {enrolment_bytes(1)}" in result.log


def test_the_same_submission_has_the_same_digest_and_the_same_outputs(tmp_path: Path) -> None:
    import zipfile

    study = challenge(tmp_path, 1)
    code = submission(tmp_path / "code")
    with zipfile.ZipFile(tmp_path / "code.zip", "w") as archive:
        for path in sorted(code.iterdir()):
            archive.write(path, f"code/{path.name}")
    one, other = run(study, code), run(study, tmp_path / "code.zip")
    assert one.finished.run["digest"] == other.finished.run["digest"]
    assert dict(one.finished.outputs) == dict(other.finished.outputs)
    again = run(copy_study(study, tmp_path / "again"), code)
    assert dict(one.finished.outputs) == dict(again.finished.outputs)


def test_every_step_is_measured(tmp_path: Path) -> None:
    study = challenge(tmp_path, 1)
    work = """$PYTHON -c 'x = b"1" * 50_000_000
for _ in range(10**6): pass
import time
time.sleep(2.2)'"""
    outcome = run(study, submission(tmp_path / "code", predict=f"{work}; echo 12345 > $2/file"))
    predict = outcome.results[-1]
    assert predict.seconds > 2 and (predict.cpu_seconds or 0) > 0.01
    assert (predict.megabytes or 0) > 40 and (predict.disk_megabytes or 0) > 0
    # F_r is the time of prediction over 1.5 s of test clips, and nothing else is in it
    assert predict.real_time_factor == pytest.approx(predict.seconds / 1.5)
    assert outcome.finished.cost.real_time_factor == pytest.approx(predict.seconds / 1.5)
    lines = outcome.finished.files["telemetry.jsonl"].splitlines()
    assert len(lines) >= 2 and '"step": "predict"' in lines[0] and '"megabytes"' in lines[0]


def test_what_a_submission_brings_along_is_not_counted_as_written(tmp_path: Path) -> None:
    """25 MB of weights, where a step may write 20 MB."""
    study = challenge(tmp_path, 1)
    code = submission(tmp_path / "code", initialize="head -c 9000000 /dev/zero > more")
    (code / "weights").write_bytes(bytes(25_000_000))
    outcome = run(study, code)
    assert outcome.finished.run["status"] == "done"
    assert 8 < (outcome.results[0].disk_megabytes or 0) < 10


def test_what_initialising_wrote_is_there_afterwards_and_read_only(tmp_path: Path) -> None:
    study = challenge(tmp_path, 1)
    look = "cat model | sed 's/^/MODEL /'; echo worse > model && echo SPOILED"
    code = submission(tmp_path / "code", initialize="echo compiled > model", predict=look)
    outcome = run(study, code)
    assert "MODEL compiled" in outcome.log and "SPOILED" not in outcome.log
    assert not (code / "model").exists()


@pytest.mark.parametrize("groups", [True, False])
def test_a_user_namespace_does_where_we_cannot_change_the_user(
    groups: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The way of ordinary users, with control groups where there are any, and without."""
    runner = Bubblewrap(groups=groups and group_places() is not None)
    monkeypatch.setattr("earmark.study.execution.choose_runner", lambda *words: runner)
    monkeypatch.setattr("earmark.study.execution.owner_for", lambda runner: None)
    study = challenge(tmp_path, 1)
    lines = f"cat {study.material}/truth.jsonl && echo LEAK; id -u | sed 's/^/USER /'"
    outcome = run(study, submission(tmp_path / "code", predict=lines))
    assert outcome.finished.run["status"] == "done"
    assert "LEAK" not in outcome.log and "USER 1000" in outcome.log
    assert score_of(study, outcome) == 0.0
