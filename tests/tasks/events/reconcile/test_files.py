"""Files of window answers, without a study: what is written, and what is refused where."""

from pathlib import Path
from typing import Any

import pytest

from earmark.task.task import Json
from earmark.tasks.events import METHODS
from earmark.tasks.events.files import read_events
from earmark.tasks.events.reconcile.files import reconcile_windows
from earmark.tasks.events.reconcile.options import WindowFileOptions
from earmark.values.errors import InputError

WINDOWS = "item,recording,start,end\n" + "".join(f"w{k},r,{k},{k + 10}\n" for k in range(11))
ANSWERS = "item,person,labels\n" + "".join(
    f"w{k},{who},{'dog' if k < 6 else 'none'}\n" for k in range(11) for who in ("ann", "bob")
)


def reconcile(
    tmp_path: Path,
    answers: str = ANSWERS,
    windows: str = WINDOWS,
    labels: tuple[str, ...] = (),
    by: str = "mace",
    **how: object,
) -> Json:
    (tmp_path / "a.csv").write_text(answers, encoding="utf-8")
    (tmp_path / "w.csv").write_text(windows, encoding="utf-8")
    options = WindowFileOptions(windows=tmp_path / "w.csv", labels=labels)
    return reconcile_windows(
        tmp_path / "a.csv", options, by=by, how=how, out=tmp_path / "out", seed=0
    )


@pytest.mark.parametrize("by", sorted(METHODS))
def test_files_of_window_answers_become_events(tmp_path: Path, by: str) -> None:
    result = reconcile(tmp_path, by=by)
    assert result["items"] == 11 and result["people"] == 2
    rows = read_events(tmp_path / "out" / "events.tsv")["r"]
    assert [event.label for _, event in rows] == ["dog"]
    lines = (tmp_path / "out" / "reference.csv").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "item,label,doubt" and lines[1].startswith("w0,dog,")
    assert lines[-1].startswith("w10,none,")


@pytest.mark.parametrize(
    ("change", "problem", "where"),
    [
        ({"answers": ANSWERS + "w99,ann,dog\n"}, "name a window of the table", "a.csv:24"),
        ({"answers": ANSWERS + "w1,ann,dog\n"}, "answers a window once", "a.csv:24"),
        ({"answers": ANSWERS.replace("w3,ann,dog", "w3,ann,")}, "a sound or say none", "a.csv:8"),
        ({"answers": ANSWERS.replace("w3,ann,dog", "w3,,dog")}, "needs its person", "a.csv:8"),
        ({"windows": WINDOWS.replace("w3,r,3,13", "w3,,3,13")}, "name its recording", "w.csv:5"),
        ({"windows": WINDOWS.replace("w3,r,3,13", "w3,r,13,3")}, "end after it starts", "w.csv:5"),
        ({"windows": WINDOWS.replace("w3,r,3,13", "w3,r,x,3")}, "must be a number", "w.csv:5"),
        ({"windows": WINDOWS.replace("w3,r,3,13\n", "")}, "without a gap", "w.csv:5"),
        ({"windows": WINDOWS.replace("w3,r,3,13", "w3,r,3,14")}, "as long as", "w.csv:5"),
        ({"windows": WINDOWS + "w3,r,11,21\n"}, "must be listed once", "w.csv:13"),
        ({"windows": WINDOWS + "w11,r,11,21\n"}, "every window needs an answer", "w.csv:13"),
        ({"answers": ANSWERS, "labels": ("siren",)}, "there is no label 'dog'", "a.csv:2"),
    ],
)
def test_wrong_files_are_named_by_file_and_line(
    tmp_path: Path, change: dict[str, Any], problem: str, where: str
) -> None:
    with pytest.raises(InputError, match=problem) as error:
        reconcile(tmp_path, **change)
    assert where in str(error.value)


@pytest.mark.parametrize("separator", [",", ";", " "])
@pytest.mark.parametrize("labels", [(), ("dog", "siren")])
def test_joined_labels_are_the_same_labels_by_any_separator(
    tmp_path: Path, separator: str, labels: tuple[str, ...]
) -> None:
    answers = ANSWERS.replace("w3,ann,dog", "w3,ann,siren").replace("w4,bob,dog", "w4,bob,{both}")
    expected = reconcile(tmp_path, answers.format(both="dog|siren"), labels=labels)
    result = reconcile(tmp_path, answers.format(both=f'"dog{separator}siren"'), labels=labels)
    assert result == expected and set(result["labels"]) == {"dog", "siren", "none"}


def test_labels_that_may_be_one_or_several_are_refused(tmp_path: Path) -> None:
    answers = ANSWERS.replace("w4,bob,dog", 'w4,bob,"dog,siren"')
    with pytest.raises(InputError, match="one label or several") as error:
        reconcile(tmp_path, answers)
    assert "a.csv:11" in str(error.value)


def test_the_options_of_the_method_are_its_own(tmp_path: Path) -> None:
    assert reconcile(tmp_path, by="union", share=1.0)["events"] == 1
    with pytest.raises(InputError, match="reconciling by union has no option --trust"):
        reconcile(tmp_path, by="union", trust=0.5)


def test_answers_without_windows_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="need the windows"):
        reconcile_windows(tmp_path / "a.csv", by="mace", how={}, out=tmp_path, seed=0)
