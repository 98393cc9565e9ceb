"""A challenge of coins that is served, with a worker that runs what is handed in."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.run.tiny_runner import open_tiny, tiny_zip
from tests.web.places import serving

from earmark.run.teams import add_team
from earmark.study import Study
from earmark.study.challenge import Challenge
from earmark.study.worker import Worker

RULES = """
[challenge]
title = "Coins of the year"
resamples = 50
upload_megabytes = 1
[phases.feedback]
tries_a_day = 3
[phases.check]
[phases.final]
data = "../private"
"""


@dataclass(frozen=True)
class Contest:
    """A served challenge: where, whose tokens, and the challenge itself."""

    address: str
    tokens: dict[str, str]
    challenge: Challenge
    folder: Path

    def zipped(self, words: str, team: str = "larks") -> Path:
        """Return a submission that says heads for the hands named in `words`."""
        script = f"# {team}\necho listening >&2\ncase $1 in {words} *) echo tails;; esac\n"
        return tiny_zip(self.folder / f"{team}.zip", script)

    def work(self) -> None:
        """Run everything that waits."""
        worker = Worker(self.challenge, opener=open_tiny)
        while worker.work_once():
            pass
        worker.refresh_boards(now=True)


@contextmanager
def contest(folder: Path) -> Iterator[Contest]:
    """Serve a challenge with private data, a baseline and three teams."""
    for name, seed in (("coins", 3), ("private", 4)):
        study = Study.create(folder / name, task="coins", seed=seed)
        study.make(tosses=30)
        study.run("always")
    toml = folder / "coins" / "study.toml"
    toml.write_text(toml.read_text() + RULES)
    with serving(Study.open(folder / "coins")) as place:
        challenge = Challenge.open(folder / "coins")
        tokens = {name: add_team(challenge.engine, name) for name in ("larks", "owls", "wrens")}
        yield Contest(place.address, tokens, challenge, folder)
        challenge.close()
