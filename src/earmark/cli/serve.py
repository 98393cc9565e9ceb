"""earmark serve."""

import os
from pathlib import Path
from typing import Any

import click

from earmark.cli.commands import Offer, command, study_argument
from earmark.cli.options import existing
from earmark.cli.terminal import Terminal
from earmark.files.text import read_text
from earmark.task.options import fields_of
from earmark.values.errors import InputError
from earmark.values.names import counted

PASSWORD = "EARMARK_PASSWORD"


def run_serve(terminal: Terminal, values: dict[str, Any], options: dict[str, Any]) -> None:
    """Serve a study until the command is stopped."""
    from earmark.study import Study
    from earmark.web.serving import Serving, serve

    study = Study.open(values["study"], seed=values["seed"])
    serving = Serving(
        host=values["host"],
        port=values["port"],
        database=values["database"],
        password=_password(values["password_file"]),
        known=existing(values["known"]) if values["known"] else None,
    )
    result = serve(study, serving, options, started=terminal.note)
    terminal.result({"study": str(study.folder), **result}, lambda: iter([_line(result)]))


def _line(result: dict[str, Any]) -> str:
    if "why" in result:
        return f"stopped; 2-answers is as it was: {result['why']}"
    people = counted(result["answered_by"], "person", "people")
    return f"stopped; 2-answers has {counted(result['answers'], 'answer')} of {people}"


def _password(path: Path | None) -> str | None:
    """Return the organiser's password: from a file, or from the environment."""
    if path is None:
        return os.environ.get(PASSWORD) or None
    password = read_text(path).strip()
    if not password:
        raise InputError("a file with a password must not be empty", at=path)
    return password


def offer(words: list[str]) -> Offer:
    """Return the options of asking live and of the server."""
    from earmark.ask.live.terms import LiveOptions
    from earmark.web.settings import ServeOptions

    return Offer("serving", {**fields_of(LiveOptions), **fields_of(ServeOptions)})


serve_params = [
    study_argument(),
    click.Option(["--port"], type=click.IntRange(0, 65535), default=8000, metavar="N",
                 help="Where to listen; 0 for any that is free.  [8000]"),
    click.Option(["--host"], default="127.0.0.1", metavar="ADDRESS",
                 help="The address to listen on; others than this machine's own need a password.  "
                 "[127.0.0.1]"),
    click.Option(["--database"], metavar="URL",
                 help="postgresql://... for several server processes.  [live.sqlite in the study]"),
    click.Option(["--password-file"], type=click.Path(path_type=Path), metavar="FILE",
                 help=f"The organiser's password; {PASSWORD} has it too."),
    click.Option(["--known"], type=click.Path(path_type=Path), metavar="FILE",
                 help="Right answers to trial and gold questions, as an answer file."),
]  # fmt: skip

serve = command(
    "serve",
    "Ask people in the browser: serve the study's questions, keep every answer, show the organiser "
    "how far it is. Stop it with Ctrl-C: the answers are then in the study, for `earmark "
    "reconcile`. Terms may be in study.toml, table [serve].",
    "earmark serve street\nearmark serve street --ask doubt --people 8 --cap 50 --port 0",
    params=serve_params,
    handler=run_serve,
    offer=offer,
)
