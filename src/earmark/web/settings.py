"""Options of the server itself; those of asking are `ask/live/terms.py`."""

from dataclasses import dataclass

from earmark.task.options import option
from earmark.values import checks


@dataclass(frozen=True, slots=True, kw_only=True)
class ServeOptions:
    """How the server behaves towards everybody; study.toml may hold them in `[serve]`."""

    requests_per_minute: float = option(300.0, "Requests that one person may send in a minute.")
    joins_per_minute: float = option(60.0, "People that may join from one address in a minute.")
    consent: str = option("1", "Version of the consent text; stored with every person.")
    redirect: str = option("", "Where people go when they are finished; {code} is their code.")
    spectrogram: bool = option(False, "Show people a picture of the sound.")
    examples: str = option(
        "",
        "Sounds that people hear first: a folder with a folder of sounds for each label.  "
        "[examples in the study, or else the task's own]",
    )

    def __post_init__(self) -> None:
        for name in ("requests_per_minute", "joins_per_minute"):
            checks.at_least(getattr(self, name), 1, what=f"--{name.replace('_', '-')}")
