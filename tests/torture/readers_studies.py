"""The files of studies themselves, of every task, read by the verbs that follow."""

from collections.abc import Iterator
from pathlib import Path

from tests.studies import TASKS, small_study
from tests.torture.kills import CHANGES, FEW, filled
from tests.torture.reader import Reader, Words
from tests.torture.readers_options import challenge_of, packed

from earmark.study import Study

VERIFY: Words = ("verify", "STUDY")
SHOW: Words = ("show", "STUDY")
# What every task has, beside its own words of the six verbs; OUT is a new folder.
COMMON: tuple[Words, ...] = (
    VERIFY,
    SHOW,
    ("cite", "STUDY"),
    ("report", "STUDY"),
    ("references", "STUDY", *FEW),
    ("plan", "STUDY", "--difference", "0.1", "--spread", "0.2"),
    ("kit", "STUDY", "OUT"),
)
# Which verbs read what lies in a place, and what of it is exported.
READ_BY: dict[str, tuple[tuple[str, ...], str]] = {
    "study.toml": ((*"make ask reconcile run score report".split(),), "material"),
    "1-material": (("ask", "reconcile", "run", "score", "report", "references", "kit"), "material"),
    "2-answers": (("ask", "reconcile", "report", "show", "plan"), "answers"),
    "3-references": (("score", "report", "references", "show"), "references"),
    "4-outputs": (("run", "score", "report", "references", "show"), "outputs"),
    "5-scores": (("report", "show", "cite", "score", "plan"), "boards"),
    "6-report": (("report", "show"), "boards"),
    "plan.json": (("report", "plan", "show"), "boards"),
    "live.sqlite": (("show", "report"), "material"),
}
# Commands of a challenge, which read its tables in study.toml and its database.
ORGANISERS: tuple[Words, ...] = (
    ("challenge", "STUDY"),
    ("team", "STUDY", "list"),
    ("score", "STUDY", "--phase", "feedback"),
    ("unblind", "STUDY", "--by", "Ada", "--early"),
    ("worker", "STUDY", "--until-empty"),
    ("submit", "STUDY", "ZIP", "--team", "larks", "--phase", "feedback"),
    ("serve", "STUDY", "--port", "0"),
    VERIFY,
)


def study_readers(folder: Path) -> Iterator[Reader]:
    """Yield every file of a study of each task, and those of a challenge."""
    for task in TASKS:
        study = small_study(task, folder / "own" / task)
        _completed(study)
        for file in _files(study.folder):
            yield from _file(folder, task, study.folder, file)
    yield from _organised(folder)


def _files(study: Path) -> Iterator[Path]:
    """Yield every file of a study, but of the sounds the first of each folder."""
    seen: set[Path] = set()
    for path in sorted(path for path in study.rglob("*") if path.is_file()):
        if "sound" not in path.parts or path.parent not in seen:
            yield path
        seen.add(path.parent)


def _completed(study: Study) -> None:
    """Write what few studies have: a plan, and values of every kind of choice."""
    study.plan(difference=0.1, spread=0.2)
    first = next(iter(study.task.choices), None)
    if first and study.task.name == "boundaries":
        study.score(resamples=5, choices=True, metrics=(first,))


def _file(folder: Path, task: str, study: Path, file: Path) -> Iterator[Reader]:
    name = file.relative_to(study).as_posix()
    verbs, what = READ_BY[name.partition("/")[0]]
    every: tuple[Words, ...] = (*CHANGES[task], *COMMON)
    of_system = ("--system", "careful") if (task, what) == ("captions", "outputs") else ()
    every = (*every, ("export", "STUDY", "OUT", "--to", "jsonl", "--what", what, *of_system))
    base, out = folder / "own" / task, str(study.with_name(f"{task}-out"))
    commands = [
        tuple(word.replace("OUT", out) for word in filled(words, study, base))
        for words in every
        if words[0] in (*verbs, "export", "verify")
        # trials have one reference, the truth
        and (task, words[0]) != ("keywords", "references")
    ]
    slow = task in ("keywords", "events") and "sound" in name
    first, *others = commands
    yield Reader(f"{task}: {name}", file, file.read_bytes(), first, study, others=tuple(others),
                 takes_seconds=slow)  # fmt: skip


def _organised(folder: Path) -> Iterator[Reader]:
    """Yield the rules and the database of a challenge, and those of answers given live."""
    base = folder / "own" / "boundaries"
    place = challenge_of(Study.open(base), folder / "organised")
    out, code = str(folder / "organised-out"), folder / "organised.zip"
    code.write_bytes(packed())
    named = {"STUDY": str(place), "OUT": out, "ZIP": str(code)}
    commands = [tuple(named.get(word, word) for word in words) for words in ORGANISERS]
    for name in ("study.toml", "live.sqlite"):
        data = (place / name).read_bytes()
        yield Reader(f"challenge: {name}", place / name, data, commands[0], place, answers_no=True,
                     others=tuple(commands[1:]))  # fmt: skip
    yield _answered_live(folder)
    other = str(small_study("boundaries", folder / "other-data", verbs=1).folder)
    file = Path(other) / "1-material" / "items.jsonl"
    for flag in ("--private", "--practice"):
        words = ("challenge", str(place), flag, other)
        more = (("kit", str(place), out, "--practice", other),) if flag == "--practice" else ()
        yield Reader(f"challenge: {flag}", file, file.read_bytes(), words, place, others=more)


def _answered_live(folder: Path) -> Reader:
    """Return the database of a study whose questions somebody answered in the browser."""
    from tests.study.test_live import answer_all
    from tests.web.apps import application, joined
    from tests.web.serving import events_study

    place = events_study(folder / "street", seconds=12.0).folder
    with application(place, people=2) as client:
        answer_all(client, joined(client))
    file = place / "live.sqlite"
    words = ("ask", str(place), "--import", "live")
    others = (("serve", str(place), "--port", "0"), ("show", str(place)))
    return Reader("ask: live.sqlite", file, file.read_bytes(), words, place, others=others)
