"""earmark challenge, team, submit, worker, unblind: a challenge from the organiser's side."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from earmark.cli.commands import command, study_argument
from earmark.cli.terminal import DONE, NO, Terminal
from earmark.run.phases import utc
from earmark.score.text_table import aligned
from earmark.task.task import Json
from earmark.values.errors import InputError


def database_option() -> click.Option:
    """Return the option of which database the queue is in."""
    return click.Option(
        ["--database"],
        metavar="URL",
        help="Where the queue is: postgresql://USER@HOST/NAME.  [a SQLite file in the study]",
    )


def run_challenge(terminal: Terminal, values: dict[str, Any], options: dict[str, Any]) -> None:
    """Write the rules of a challenge, where they are given, and print how it stands."""
    from earmark.study.challenge import Challenge
    from earmark.study.organise import set_up, status

    given = {name: values[name] for name in ("title", "metric", "private", "practice")}
    set_up(values["study"], given)
    challenge = Challenge.open(values["study"], values["database"])
    document = status(challenge)
    challenge.close()
    terminal.result(document, lambda: _status_lines(document))


def _status_lines(document: Json) -> Iterator[str]:
    yield f"{document['title']}: {document['task']}, ranked by {document['metric']}"
    head = ["phase", "shows", "tries", "data", "submissions"]
    rows = [
        [
            phase["name"],
            phase["shows"] if not phase["unblinded"] else "scores (unblinded)",
            _tries(phase),
            phase["data"],
            ", ".join(f"{count} {state}" for state, count in phase["states"].items()) or "none",
        ]
        for phase in document["phases"]
    ]
    yield from aligned([head, *rows])
    yield f"teams: {', '.join(document['teams']) or 'none yet'}"
    for one in document["troubles"]:
        yield f"a failure of ours with {one['id']} of {one['team']}: {one['trouble']}"
    yield f"rules: {document['settings']}"


def _tries(phase: Json) -> str:
    parts = [
        f"{phase['tries_a_day']} a day" if phase["tries_a_day"] else "",
        f"{phase['tries']} in all" if phase["tries"] else "",
    ]
    return ", ".join(filter(None, parts)) or "any number"


challenge = command(
    "challenge",
    "Turn a study into a challenge, or see how one stands. The first call writes tables into "
    "study.toml: phases, what they show, budgets, the metric that ranks; edit them there. The "
    "private data of the final phase are another study of the same task.",
    "earmark challenge wake --title 'Wake words'\n"
    "earmark challenge wake --private wake-private --practice wake-practice",
    params=[
        study_argument(),
        click.Option(
            ["--private"],
            type=click.Path(path_type=Path),
            metavar="STUDY",
            help="The study whose material the final phase runs on; nobody else may see it.",
        ),
        click.Option(
            ["--practice"],
            type=click.Path(path_type=Path),
            metavar="STUDY",
            help="The study whose material the kit gives away, for teams to try theirs on.",
        ),
        click.Option(["--title"], metavar="TEXT", help="The challenge's name.  [the study's]"),
        click.Option(["--metric"], metavar="NAME", help="What ranks.  [the task's first]"),
        database_option(),
    ],
    handler=run_challenge,
)


def run_team(terminal: Terminal, values: dict[str, Any], options: dict[str, Any]) -> None:
    """Add a team, give it another token, let it withdraw, or list all."""
    from earmark.run import teams
    from earmark.study.challenge import Challenge

    action, name = values["action"], values["name"]
    opened = Challenge.open(values["study"], values["database"])
    engine = opened.engine
    if (name is None) != (action == "list"):
        raise InputError("an action is about one team", fix=f"earmark team STUDY {action} NAME")
    document: Json = {"team": name}
    if action in ("add", "renew"):
        give = teams.add_team if action == "add" else teams.renew_token
        document["token"] = give(engine, name)
    elif action == "withdraw":
        teams.require_team(engine, name)
        opened.queue.withdraw_team(name)
    elif action == "restore":
        teams.restore_team(engine, name)
    rows = [
        {"team": team.name, "since": team.created, "withdrawn": team.withdrawn}
        for team in teams.teams(engine)
    ]
    opened.close()
    if action == "list":
        document = {"teams": rows}
    terminal.result(document, lambda: _team_lines(action, document))


def _team_lines(action: str, document: Json) -> Iterator[str]:
    if action in ("add", "renew"):
        yield f"{document['team']}: {document['token']}"
        yield "the token is shown this once: hand it to the team"
    elif action == "list":
        for row in document["teams"]:
            left = f", withdrew {utc(row['withdrawn'])}" if row["withdrawn"] else ""
            yield f"{row['team']}: since {utc(row['since'])}{left}"
        if not document["teams"]:
            yield "no team yet"
    else:
        words = "has withdrawn and is on no board" if action == "withdraw" else "takes part again"
        yield f"{document['team']} {words}"


team = command(
    "team",
    "Teams of a challenge and their tokens. A token lets its team hand in submissions and see what "
    "becomes of them; only its hash is stored.",
    "earmark team wake add swifts\nearmark team wake list",
    params=[
        study_argument(),
        click.Argument(
            ["action"],
            type=click.Choice(["list", "add", "renew", "withdraw", "restore"]),
            default="list",
        ),
        click.Argument(["name"], required=False, metavar="[NAME]"),
        database_option(),
    ],
    handler=run_team,
)


def run_submit(terminal: Terminal, values: dict[str, Any], options: dict[str, Any]) -> None:
    """Hand in a submission for a team."""
    from earmark.study.challenge import Challenge

    opened = Challenge.open(values["study"], values["database"])
    phase = opened.phase(values["phase"])
    identity = opened.submit(values["team"], values["submission"], phase=phase.name)
    opened.close()
    document = {"id": identity, "team": values["team"], "phase": phase.name, "state": "submitted"}
    line = f"{identity}: {values['team']}, {phase.name}; a worker runs it: earmark worker STUDY"
    terminal.result(document, lambda: iter([line]))


submit = command(
    "submit",
    "Hand in a folder or a zip for a team, on the organiser's machine. Teams themselves upload "
    "theirs on the page of `earmark serve`.",
    "earmark submit wake my-code --team larks --phase feedback",
    params=[
        study_argument(),
        click.Argument(["submission"], type=click.Path(path_type=Path), metavar="FOLDER|ZIP"),
        click.Option(["--team"], required=True, metavar="NAME", help="Whose it is."),
        click.Option(["--phase"], metavar="NAME", help="Which phase.  [the one that is open]"),
        database_option(),
    ],
    handler=run_submit,
)


def run_unblind(terminal: Terminal, values: dict[str, Any], options: dict[str, Any]) -> None:
    """Unblind a phase."""
    from earmark.study.challenge import Challenge
    from earmark.study.organise import unblind_phase

    opened = Challenge.open(values["study"], values["database"])
    document = unblind_phase(opened, values["phase"], values["by"], early=values["early"])
    opened.close()
    line = (
        f"{document['phase']} was unblinded on {utc(document['time'])} by {document['name']}; "
        f"its board: earmark score {opened.study.name} --phase {document['phase']}"
    )
    terminal.result(document, lambda: iter([line]))


unblind = command(
    "unblind",
    "Show the scores of a blind phase, to the teams and on the board. This is recorded with the "
    "date and your name, cannot be undone, and waits for all submissions to have ended.",
    'earmark unblind wake --by "Ada Lovelace"',
    params=[
        study_argument(),
        click.Option(["--by"], required=True, metavar="NAME", help="Who unblinds it."),
        click.Option(["--phase"], metavar="NAME", help="Which phase.  [the one that is blind]"),
        click.Option(
            ["--early"], is_flag=True, help="Although the phase is open or submissions wait."
        ),
        database_option(),
    ],
    handler=run_unblind,
)


def run_worker(terminal: Terminal, values: dict[str, Any], options: dict[str, Any]) -> int:
    """Run queued submissions until it is stopped, or until none waits."""
    from earmark.study.challenge import Challenge
    from earmark.study.workers import stopped_by_signals, work, work_on_cluster

    opened = Challenge.open(values["study"], values["database"])
    with stopped_by_signals():
        if values["cluster"]:
            document = work_on_cluster(
                opened, values["cluster"], until_empty=values["until_empty"], note=terminal.note
            )
        else:
            document = work(opened, until_empty=values["until_empty"], note=terminal.note)
    opened.close()
    terminal.result(document, lambda: iter([_worker_line(document)]))
    return NO if values["until_empty"] and document["waiting"] else DONE


def _worker_line(document: Json) -> str:
    states = ", ".join(f"{count} {state}" for state, count in document["states"].items())
    return f"{document['worked']} worked on; now {states or 'no submissions'}"


worker = command(
    "worker",
    "Run the submissions that wait in a challenge's queue, each in a sandbox under its budgets. "
    "Start as many as you like, on as many machines; one that is killed costs at most the step "
    "that it was running. With --cluster, the workers of a dask.distributed cluster run them: they "
    "must see the study under the same path and the same database.",
    "earmark worker wake --until-empty",
    params=[
        study_argument(),
        database_option(),
        click.Option(["--cluster"], metavar="ADDRESS", help="A dask scheduler: tcp://HOST:8786."),
        click.Option(
            ["--until-empty"], is_flag=True, help="End when nothing waits.  [until stopped]"
        ),
    ],
    handler=run_worker,
)
