"""Commands whose options depend on their words: on a task, a study, a method, a system."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

from earmark import tasks
from earmark.cli.options import as_click, given_options
from earmark.cli.terminal import Terminal, progress
from earmark.task.options import Option, merged
from earmark.task.progress import notes_to
from earmark.task.task import Task
from earmark.values import checks
from earmark.values.errors import InputError

# (where to print, the command's own values, the task's options that were given) -> exit code
Handler = Callable[[Terminal, dict[str, Any], dict[str, Any]], int | None]


@dataclass(frozen=True, slots=True)
class Offer:
    """The options that a command's words bring along, and whose they are, for messages."""

    what: str = ""
    options: Mapping[str, Option] = field(default_factory=dict)

    @classmethod
    def of(cls, what: str, *functions: Callable[..., Any]) -> "Offer":
        """Return the options of one or several functions."""
        return cls(what, merged(functions))


NOTHING = Offer()
# Their help does not show --seed, which changes nothing there.
DRAW_NOTHING = frozenset({"show", "verify", "cite", "tasks", "report"})


class WordCommand(click.Command):
    """A command that looks at its words first: `offer(words)` says which options they bring."""

    def __init__(self, *args: Any, offer: Callable[[list[str]], Offer], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.offer = offer

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the words with the options that they bring; nothing is written, even for --help."""
        ctx.meta["offer"] = offer = self.offer(list(args))
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            if not offer.what:
                raise
            own = [name for param in self.params for name in param.opts if name.startswith("--")]
            flags = [f"--{option.flag}" for option in offer.options.values()]
            raise InputError(
                f"{offer.what} has no option {error.option_name}",
                want=", ".join(flags + own),
            ) from error

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Return the command's own options, then those that its words bring."""
        own = super().get_params(ctx)
        known = {param.name for param in own}
        offer: Offer = ctx.meta.get("offer", NOTHING)
        return [*own, *(as_click(o) for o in offer.options.values() if o.name not in known)]


class TaskGroup(click.Group):
    """`earmark VERB TASK ...`: a subcommand for every task that has the verb, built when named."""

    def __init__(
        self,
        name: str,
        *,
        has: Callable[[Task], Any],
        build: Callable[[Task], click.Command],
        help: str,
    ) -> None:
        super().__init__(name, help=help, short_help=help.partition(".")[0])
        self.has = has
        self.build = build

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the tasks that have this verb."""
        return [name for name in tasks.names() if self.has(tasks.load(name))]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the verb for one task; no other task is loaded."""
        task = tasks.load(checks.one_of(cmd_name, tasks.names(), what="task", at=self.name))
        if not self.has(task):
            raise InputError(f"{task.name} has no `{self.name}`", fix=f"see earmark {self.name} -h")
        return self.build(task)


def command(
    name: str,
    help_text: str,
    example: str,
    *,
    params: Sequence[click.Parameter] = (),
    handler: Handler,
    offer: Callable[[list[str]], Offer] = lambda words: NOTHING,
) -> click.Command:
    """Return a command; `handler` gets its own values, and apart from them those of the offer."""

    def callback(**values: Any) -> int | None:
        terminal = Terminal(as_json=values.pop("as_json"), quiet=values.pop("quiet"))
        offered: Offer = click.get_current_context().meta["offer"]
        own = {param.name for param in params}
        options = given_options(values, {n: o for n, o in offered.options.items() if n not in own})
        with progress(quiet=terminal.quiet), notes_to(terminal.note):
            return handler(terminal, values, options)

    return WordCommand(
        name,
        callback=callback,
        params=[*params, *_common(hide_seed=name in DRAW_NOTHING)],
        help=help_text,
        short_help=help_text.partition(".")[0],
        epilog="\b\n" + "\n".join(["Example:", *("  " + line for line in example.splitlines())]),
        context_settings={"max_content_width": 100},
        offer=offer,
    )


def _common(*, hide_seed: bool) -> list[click.Option]:
    """Return what every command takes, so that a script may give --seed to all of them."""
    return [
        click.Option(
            ["--seed"],
            type=int,
            default=None,
            metavar="N",
            hidden=hide_seed,
            help="Seed of what is random; the same seed gives the same bytes.  [0]",
        ),
        click.Option(["--json", "as_json"], is_flag=True, help="One JSON document on stdout."),
        click.Option(["--quiet", "-q"], is_flag=True, help="No progress and no notes on stderr."),
    ]


def study_argument() -> click.Argument:
    """Return the STUDY word."""
    return click.Argument(["study"], type=click.Path(path_type=Path), metavar="STUDY")


def metric_options() -> list[click.Option]:
    """Return what every command that scores takes."""
    return [
        click.Option(
            ["--resamples"],
            type=click.IntRange(0),
            default=1000,
            metavar="N",
            help="Bootstrap resamples; 0 for no intervals.  [1000]",
        ),
        click.Option(
            ["--groups"],
            metavar="NAME|FILE",
            help="What is resampled whole: recording, speaker, talk, item; or a table item,group.",
        ),
        click.Option(["--metric"], multiple=True, metavar="NAME", help="Only these.  [all]"),
    ]


def task_among(words: Iterable[str]) -> Task | None:
    """Return the task of the study that is named among a command's words; None if there is none.

    Only study.toml is read: parsing a command writes nothing and opens no study.
    """
    from earmark.study.settings import has_settings, task_name

    for word in words:
        if not word.startswith("-") and has_settings(Path(word)):
            return tasks.load(task_name(Path(word)))
    return None


def value_among(words: Sequence[str], flag: str) -> str | None:
    """Return the value that follows a flag among a command's words.

    Examples
    --------
    >>> value_among(["street", "--by", "mace"], "--by"), value_among(["--by=vote"], "--by")
    ('mace', 'vote')
    """
    for position, word in enumerate(words):
        if word == flag and position + 1 < len(words):
            return words[position + 1]
        if word.startswith(f"{flag}="):
            return word.partition("=")[2]
    return None


def chosen_among(words: Iterable[str], known: Mapping[str, Any]) -> str | None:
    """Return the first word that is one of the known names."""
    return next((word for word in words if word in known), None)
