"""The starting kit of a challenge: practice data, rules, a sample, baselines, one command for all.

The practice data are a study of their own, with its labels: what the kit holds tests nobody any
more. So they never are the material that a phase is scored on.
"""

import shutil
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from earmark.files.folder import whole_folder
from earmark.run.budget import Budget
from earmark.study.execution import contract_of
from earmark.study.places import MATERIAL
from earmark.study.settings import organisers_tables, write_organisers_tables, write_settings
from earmark.study.snapshot import Snapshot
from earmark.study.study import Study
from earmark.study.submissions import PRACTICE
from earmark.task.contract import Contract
from earmark.task.progress import notify
from earmark.task.task import Json
from earmark.values.errors import InputError, StudyError
from earmark.values.names import counted

SAMPLE, BASELINES, RULES, TRY = "sample", "baselines", "README.md", "try.sh"
# Tables that a participant's own runs need, to be the same as on the platform.
SHARED = ("budget", "sandbox", "challenge")
TRY_SCRIPT = """\
#!/bin/bash
# Run submissions on the practice data as the platform will, and score them:
#   bash try.sh                 the sample and the baselines
#   bash try.sh my-folder       yours, a folder or a zip
set -uo pipefail
cd "$(dirname "$0")"
if [ $# -eq 0 ]; then set -- sample {baselines}; fi
worst=0
for submission in "$@"; do
  earmark run practice "$submission" || worst=$?
done
[ $worst -ge 2 ] && exit $worst
earmark score practice && exit $worst
"""


def write_kit(study: Snapshot, folder: Path, practice: Path | None = None) -> Json:
    """Write the kit of a study's challenge into a new folder; return what is in it.

    `practice` is the study of the practice data: by default the data of the phase `practice`, or
    the study itself if no phase is scored on it.
    """
    contract = contract_of(study)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError("a kit needs a folder of its own", at=folder, fix="name a new folder")
    source = _practice(study, practice)
    with whole_folder(folder) as place:
        _copy_practice(study, source, place / PRACTICE)
        _copy_sample(study, contract, place / SAMPLE)
        for name, write in contract.baselines.items():
            write(place / BASELINES / name)
        names = " ".join(f"{BASELINES}/{name}" for name in contract.baselines)
        (place / TRY).write_text(TRY_SCRIPT.replace("{baselines}", names), encoding="utf-8")
        (place / TRY).chmod(0o755)
        (place / RULES).write_text(_rules(study, source, contract), encoding="utf-8")
    return {
        "kit": str(folder),
        "practice": source.name,
        "items": len(source.items()),
        "baselines": list(contract.baselines),
        "budget": Budget.of(study.settings().get("budget", {})).as_json(),
    }


def _practice(study: Snapshot, practice: Path | None) -> Snapshot:
    """Return the study of the practice data; raise StudyError if a phase is scored on it."""
    phases: Mapping[str, Mapping[str, Any]] = study.settings().get("phases", {})
    data = phases.get(PRACTICE, {}).get("data")
    if practice is None and data is not None:
        practice = study.folder / data
    source = study if practice is None else Study.open(practice).snapshot()
    if source.task.name != study.task.name:
        raise StudyError(
            "practice data are a study of the same task", at=practice, got=source.task.name
        )
    for name, table in phases.items():
        place = study.folder / table.get("data", ".")
        if name != PRACTICE and place.resolve() == source.folder.resolve():
            raise StudyError(
                f"the phase {name} is scored on these data, and a kit gives their labels away",
                at=source.folder,
                fix="make a study with other material and name it: --practice STUDY",
            )
    if not phases:
        notify(f"the kit holds the labels of {source.name}: score no challenge on it any more")
    return source


def _copy_practice(study: Snapshot, source: Snapshot, place: Path) -> None:
    """Copy material and settings, with the budgets of the challenge; people's answers stay here."""
    shutil.copytree(source.material, place / MATERIAL)
    write_settings(place)
    tables = organisers_tables(study.folder)
    shared = {name: tables[name] for name in SHARED if name in tables}
    if shared:
        write_organisers_tables(place, shared)


def _copy_sample(study: Snapshot, contract: Contract, place: Path) -> None:
    package = files(f"earmark.tasks.{study.task.name}")
    source = Path(str(package.joinpath(contract.sample)))
    shutil.copytree(source, place, ignore=shutil.ignore_patterns("__pycache__"))


def _rules(study: Snapshot, source: Snapshot, contract: Contract) -> str:
    """Return the kit's README, with the budgets filled in."""
    budget = Budget.of(study.settings().get("budget", {}))
    baselines = "".join(f"- `{BASELINES}/{name}`\n" for name in contract.baselines)
    return RULES_TEXT.format(
        title=study.task.title,
        items=counted(len(source.items()), "item"),
        formats=contract.formats,
        limits=_limits(budget, contract),
        failing=contract.failing,
        parts=contract.parts_are.capitalize(),
        baselines=f"\n{baselines}" if baselines else "\nNone yet.\n",
        scripts=", ".join(f"`{name}`" for name in contract.scripts),
    )


def _limits(budget: Budget, contract: Contract) -> str:
    steps = {call.step for call in contract.calls}
    rows = [("initialize.sh", f"{budget.initialise_seconds:g} s")]
    if "enroll" in steps:
        rows.append(("enrollment.sh, each speaker", f"{budget.enrol_seconds:g} s"))
    seconds = f"{budget.real_time_factor:g} x the seconds of sound + {budget.slack_seconds:g} s"
    rows += [
        ("predict.sh", f"{seconds}; {budget.enrol_seconds:g} s for text"),
        ("memory", f"{budget.memory_megabytes:g} MB"),
        ("processes and threads", f"{budget.processes}"),
        ("files written, in each step", f"{budget.disk_megabytes:g} MB"),
        ("the output", f"{budget.output_megabytes:g} MB"),
        ("the log that is kept", f"{budget.log_megabytes:g} MB"),
    ]
    return "".join(f"| {name} | {value} |\n" for name, value in rows)


RULES_TEXT = """\
# {title}: the starting kit

`practice` holds {items} with their labels. `sample` is a submission that passes; copy it and put
your own system in its place.

    bash try.sh               # runs and scores the sample and the baselines as the platform will
    bash try.sh my-folder     # yours, a folder or a zip of it
    earmark run practice my-folder --dry     # the same, and nothing is stored

The same program runs your code here and on the platform, with the same limits: what passes here
passes there, provided that `earmark run` says `bubblewrap` (Debian: `apt-get install bubblewrap`).
Without it your code is not shut in: it may find a network or files that it will not find there.

## What you hand in

{formats}
{scripts} are at the top of your folder. No links; no quotes or `$` in names.

## Where it runs

Python is the one that runs Earmark: `$PYTHON`, with all that Earmark installs. There is no network.
Everything is read-only but the folders named above, `/tmp` and `/dev/shm`, which are empty at each
step. What is still running when a script ends is killed. Your log is the last thing you see of a
step that failed: print what you need.

| limit | |
|---|---|
{limits}
{parts} for which a step fails, takes too long or writes something else {failing}.

## Baselines
{baselines}"""
