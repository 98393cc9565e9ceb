"""Two kinds of command: one that names its task, and one whose study knows it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from earmark import tasks
from earmark.cli.talk import Voice, progress
from earmark.task.task import Task
from earmark.values import checks

Handler = Callable[[Voice, dict[str, Any]], int | None]


def common() -> list[click.Option]:
    """What every command takes."""
    return [
        click.Option(
            ["--seed"],
            type=int,
            default=None,
            metavar="N",
            help="The seed of every draw; the same seed gives the same bytes.  [0]",
        ),
        click.Option(["--json", "as_json"], is_flag=True, help="One JSON document on stdout."),
        click.Option(["--quiet", "-q"], is_flag=True, help="No progress and no words on stderr."),
    ]


def command(
    name: str,
    help_text: str,
    example: str,
    *,
    params: list[click.Parameter],
    handler: Handler,
    kind: type[click.Command] = click.Command,
    **more: Any,
) -> click.Command:
    """A command whose handler gets a voice and the options; its help ends in an example."""

    def callback(**values: Any) -> int | None:
        voice = Voice(as_json=values.pop("as_json"), quiet=values.pop("quiet"))
        with progress(quiet=voice.quiet):
            return handler(voice, values)

    return kind(
        name,
        callback=callback,
        params=[*params, *common()],
        help=help_text,
        short_help=help_text.partition(".")[0],
        epilog="\b\n" + "\n".join(["Example:", *("  " + line for line in example.splitlines())]),
        context_settings={"max_content_width": 100},
        **more,
    )


class TaskGroup(click.Group):
    """`earmark VERB TASK ...`: a subcommand for every task that has the verb, built when needed."""

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
        """The tasks that have this verb."""
        return [name for name in tasks.names() if self.has(tasks.load(name))]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The verb for one task."""
        known = self.list_commands(ctx)
        return self.build(tasks.load(checks.one_of(cmd_name, known, what="task", at=self.name)))


class StudyCommand(click.Command):
    """`earmark VERB STUDY ...`: the study knows its task, and the task its options."""

    def __init__(
        self, *args: Any, task_options: Callable[[Task], list[click.Option]], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.task_options = task_options

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Look for the study among the words first, so that its task's options are known."""
        for word in args:
            if not word.startswith("-") and (Path(word) / "study.toml").is_file():
                ctx.meta["task"] = _task_of(Path(word))
                break
        return super().parse_args(ctx, args)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """The verb's own options, and the task's when it is known."""
        own = super().get_params(ctx)
        task = ctx.meta.get("task")
        if task is None:
            return own
        known = {param.name for param in own}
        return [*own, *(o for o in self.task_options(task) if o.name not in known)]


def _task_of(folder: Path) -> Task:
    from earmark.study import Study

    return Study.open(folder).task


def study_argument() -> click.Argument:
    """The STUDY word."""
    return click.Argument(["study"], type=click.Path(path_type=Path), metavar="STUDY")
