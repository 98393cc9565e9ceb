"""earmark run."""

from collections.abc import Iterator
from typing import Any

import click

from earmark.cli.commands import Offer, chosen_among, command, study_argument, task_among
from earmark.cli.terminal import DONE, NO, OUR_BUG, Terminal
from earmark.values.names import counted

SHOWN_FAILURES = 10
FLAGS = ("--json", "--quiet", "--help", "--dry")  # options that take no value


def run_run(terminal: Terminal, values: dict[str, Any], options: dict[str, Any]) -> int:
    """Run one system on a study; a submission that failed somewhere is a no."""
    from earmark.run.meter import SandboxError
    from earmark.study import Study

    study = Study.open(values["study"], seed=values["seed"])
    choice = {name: values[name] for name in ("name", "train_on", "phase", "dry")}
    try:
        result = study.run(values["system"], **choice, **options)
    except SandboxError as error:
        click.echo(f"the sandbox failed, which is no fault of the submission: {error}", err=True)
        return OUR_BUG
    terminal.result({"study": str(study.folder), **result}, lambda: run_lines(result))
    return DONE if result.get("run", {}).get("status", "done") == "done" else NO


def run_lines(result: dict[str, Any]) -> Iterator[str]:
    """Yield what a run comes to: for a submission how it was isolated, and each failure."""
    outputs = counted(result["outputs"], "output")
    run = result.get("run")
    if run is None:
        yield f"{result['system']}: {outputs} in {result['cost']['seconds']:.1f} s"
        return
    steps = run["steps"]
    seconds = sum(step["seconds"] for step in steps)
    dry = ", dry: nothing is stored" if result.get("dry") else ""
    yield f"{result['system']}: {run['status']}, {outputs} in {seconds:.1f} s{dry}"
    yield f"  {run['isolation']} (level {run['level']} of 3), digest {run['digest']}"
    yield from _usage(steps)
    failed = [step for step in steps if step["status"] != "ok"]
    for step in failed[:SHOWN_FAILURES]:
        yield f"  {step['step']} {step['part']}: {step['status']}, {step['reason']}"
    if len(failed) > SHOWN_FAILURES:
        yield f"  and {len(failed) - SHOWN_FAILURES} more steps"
    if run["reason"]:
        yield f"  {run['reason'].partition(';')[0]}"
    scores = result.get("scores", {})
    width = max(map(len, scores), default=0)
    for metric, score in scores.items():
        value = score["value"]
        yield f"  {metric:<{width}}  {'undefined' if value is None else f'{value:.3f}'}"


def _usage(steps: list[dict[str, Any]]) -> Iterator[str]:
    """Yield the most that a step of each kind used."""
    for name in dict.fromkeys(step["step"] for step in steps):
        own = [step for step in steps if step["step"] == name]
        factors = [s["real_time_factor"] for s in own if s["real_time_factor"] is not None]
        factor = f", real-time factor {max(factors):.3f}" if factors else ""
        yield (
            f"  {name}: at most {max(s['seconds'] for s in own):.1f} s, "
            f"{max(s['cpu_seconds'] or 0.0 for s in own):.1f} CPU s, "
            f"{max(s['megabytes'] or 0.0 for s in own):.0f} MB{factor}"
        )


def offer(words: list[str]) -> Offer:
    """Return the options of the system that is named, or those of reading outputs."""
    task = task_among(words)
    system = chosen_among(_positional(words)[1:], task.run) if task else None
    if task and system:
        return Offer.of(f"the system {system}", task.run[system])
    return Offer.of("a file of outputs", task.outputs) if task and task.outputs else Offer()


def _positional(words: list[str]) -> list[str]:
    """Return the words that are no options and no values of them: the study, the system."""
    return [
        word
        for before, word in zip(["", *words], [*words, "-"], strict=True)
        if not word.startswith("-")
        and (not before.startswith("--") or "=" in before or before in FLAGS)
    ]


run = command(
    "run",
    "Run a built-in system on a study, take a file or folder of outputs as a system, or run a "
    "submission: a folder or zip of scripts, in a sandbox without network, within the budgets of "
    "study.toml. `earmark run STUDY SYSTEM --help` shows the options of that system, "
    "`earmark run STUDY --help` those of reading outputs. Exit code 1: the submission failed for "
    "some or all of the material; 2: it is no submission.",
    "earmark run talk gru\n"
    "earmark run sounds captions.csv --name mine\n"
    "earmark run wake my-code --dry\n"
    "earmark run wake submission.zip --name larks",
    params=[
        study_argument(),
        click.Argument(["system"], metavar="SYSTEM|FILE|FOLDER|ZIP"),
        click.Option(["--name"], metavar="NAME", help="What to call it.  [the system's name]"),
        click.Option(["--train-on"], metavar="REFERENCE", help="Learn from this reference."),
        click.Option(["--phase"], metavar="NAME", help="Run a submission on this phase's data."),
        click.Option(
            ["--dry"],
            is_flag=True,
            help="Run a submission on the practice data, as the platform will; store nothing.",
        ),
    ],
    handler=run_run,
    offer=offer,
)
