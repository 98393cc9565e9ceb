"""The group of commands, and how it starts: every verb is imported only when it is called."""

import importlib
import os
from typing import Any

import click

from earmark import __version__

VERBS = {
    "tour": ("earmark.cli.tour", "tour", "Run all six verbs for every task on made-up material"),
    "tasks": (
        "earmark.cli.show",
        "tasks_command",
        "What there is: tasks, makers, systems, metrics",
    ),
    "make": ("earmark.cli.make", "make", "1  Make material, and the truth when it is known"),
    "plan": ("earmark.cli.plan", "plan", "Before you ask: how much material, answers, money"),
    "ask": ("earmark.cli.ask", "ask", "2  Ask people, or a simulated crowd"),
    "serve": ("earmark.cli.serve", "serve", "Ask people in the browser, on this machine or others"),
    "reconcile": ("earmark.cli.reconcile", "reconcile", "3  Make many answers one reference"),
    "run": ("earmark.cli.run", "run", "4  Run a system, or take a file of outputs"),
    "score": ("earmark.cli.score", "score", "5  Score systems, with intervals and a board"),
    "references": (
        "earmark.cli.references",
        "references",
        "What the reference does to scores and ranks",
    ),
    "report": ("earmark.cli.report", "report", "6  Write one HTML page that needs nothing else"),
    "measure": ("earmark.cli.measure", "measure", "Score two files, no study"),
    "audit": ("earmark.cli.audit", "audit", "How well does a metric agree with people?"),
    "train": ("earmark.cli.train", "train", "Train a system from data named here"),
    "listen": ("earmark.cli.listen", "listen", "Listen for a keyword in a recording or a stream"),
    "export": ("earmark.cli.export", "export", "Write part of a study in the field's own formats"),
    "kit": ("earmark.cli.kit", "kit", "The starting kit of a challenge, for those who take part"),
    "challenge": ("earmark.cli.challenge", "challenge", "Let teams hand in systems: the rules"),
    "team": ("earmark.cli.challenge", "team", "Teams of a challenge and their tokens"),
    "submit": ("earmark.cli.challenge", "submit", "Hand in a submission for a team"),
    "worker": ("earmark.cli.challenge", "worker", "Run the submissions that wait"),
    "unblind": ("earmark.cli.challenge", "unblind", "Show the scores of the final phase"),
    "show": ("earmark.cli.show", "show", "What is done in a study, and what is next"),
    "verify": ("earmark.cli.show", "verify", "Count every stored number again"),
    "cite": ("earmark.cli.show", "cite", "What to cite for exactly what was used"),
}


# words that people try, and the command they look for
OTHERS = {
    "compare": "earmark measure TASK --reference F --output A --output B ranks several outputs",
    "evaluate": "earmark measure TASK --reference F --output F; in a study, earmark score STUDY",
    "rank": "earmark measure TASK --reference F --output A --output B; in a study, earmark score",
    "aggregate": "earmark reconcile STUDY, or earmark reconcile --answers F --out DIR",
    "board": "earmark score STUDY prints the board; of a challenge, earmark score STUDY --phase P",
    "init": "earmark make TASK STUDY begins a study",
    "help": "earmark --help, or earmark COMMAND --help",
}


class Verbs(click.Group):
    """The commands by name; only the one that is called is imported."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the verbs in the order in which a study uses them."""
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return one verb."""
        from earmark.values import checks
        from earmark.values.errors import InputError

        if cmd_name in OTHERS:
            raise InputError(f"there is no command '{cmd_name}'", fix=OTHERS[cmd_name])
        module, name, _ = VERBS[checks.one_of(cmd_name, VERBS, what="command")]
        verb = getattr(importlib.import_module(module), name)
        return verb if isinstance(verb, click.Command) else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write one line per verb, without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, _, line) in VERBS.items()])


@click.group(
    cls=Verbs,
    context_settings={"help_option_names": ["--help", "-h"], "max_content_width": 100},
    epilog="\b\nStart here:\n  earmark tour            the whole road, offline, in a few minutes\n"
    "  earmark tasks           what can be measured",
)
@click.version_option(__version__, prog_name="earmark")
def cli() -> None:
    """From raw material to a score that can be trusted, for machine listening.

    One road for every task: make, ask, reconcile, run, score, report. Only `make` names the task;
    afterwards the study knows.
    """


def main(args: list[str] | None = None) -> Any:
    """Run the command `earmark`."""
    from earmark.cli.terminal import guarded

    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    guarded(lambda: cli.main(args=args, prog_name="earmark", standalone_mode=False))
