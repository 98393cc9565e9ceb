"""What is shown runs: fenced blocks of README and docs, and the example in every help text."""

import gzip
import json
import re
import shlex
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import click
import numpy as np
import pytest
import soundfile

from earmark.cli.commands import TaskGroup
from earmark.cli.main import VERBS, cli
from earmark.tasks.context.talks import TALKS

Call = Callable[..., tuple[int, str, str]]
TOP = Path(__file__).parents[1]
PAGES = [
    TOP / "README.md",
    *sorted((TOP / "docs").glob("*.md")),
    *sorted((TOP / "docs/formats").glob("*.md")),
    *sorted((TOP / "src/earmark/tasks").glob("*/README.md")),
]
# The same commands on less material, so that all pages together take a minute.
SMALLER = {"--recordings": {"20": "2"}, "--seconds": {"180": "30"}}
# What a page may name that no test has: the reason is printed.
NEEDS = {
    "practice": "the practice data of a challenge",
    "audiocaps_eval.json": "the FENSE benchmark, which may not be shipped",
    "dev": "two studies of talks, trained for minutes (tests/tasks/context does it)",
    "test": "a model trained for minutes (tests/tasks/context does it)",
}


def blocks(page: Path, language: str) -> list[str]:
    text = page.read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, flags=re.M | re.S)


def write_shown_files(page: Path, folder: Path) -> None:
    """Write the files that a page shows: a name in backticks and a colon, then a fenced block."""
    text = page.read_text(encoding="utf-8")
    for name, content in re.findall(
        r"`([\w./-]+\.\w+)`[^`]*:\n\n```\n(.*?)^```", text, re.M | re.S
    ):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")


def commands(text: str) -> Iterator[list[str]]:
    """Yield the words of every line that is an earmark command, without comment or redirection."""
    for line in text.replace("\\\n", " ").splitlines():
        words = shlex.split(line, comments=True)
        if words[:1] == ["earmark"]:
            words = words[1 : words.index(">")] if ">" in words else words[1:]
            yield [word for word in words if word != "--open"]


def smaller(words: list[str]) -> list[str]:
    before = ["", *words]
    return [
        SMALLER.get(flag, {}).get(word, word) for flag, word in zip(before, words, strict=False)
    ]


def help_examples() -> list[tuple[str, list[str]]]:
    """Return every command's name and the words of each of its examples."""
    context = click.Context(cli)
    examples = []
    for verb in VERBS:
        command = cli.get_command(context, verb)
        if isinstance(command, TaskGroup):
            parts = [
                (f"{verb} {name}", command.get_command(context, name))
                for name in command.list_commands(context)
            ]
        else:
            parts = [(verb, command)]
        for name, part in parts:
            assert part is not None and part.epilog, f"{name} has no example"
            examples += [(name, words) for words in commands(part.epilog.replace("\b", ""))]
    return examples


SENTENCES = (
    "the old bridge crosses the river near the mill",
    "a boat on the river passed the bridge at noon",
    "the mill by the river was built before the bridge",
    "people of the town repaired the bridge and the mill",
    "in winter the river froze and the boat stayed at the mill",
    "the town bought a boat for the river and painted the bridge",
)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files that the pages and the help name."""
    folder = tmp_path_factory.mktemp("desk")
    speech = ". ".join(sentence.capitalize() for sentence in SENTENCES * 8) + ".\n"
    (folder / "speech.txt").write_text(speech)
    (folder / "speeches").mkdir()
    for name in ("one.txt", "two.txt"):
        (folder / "speeches" / name).write_text(speech)
    units = "\n".join(SENTENCES)
    for name in ("a.txt", "b.txt", "guess.txt"):
        (folder / name).write_text(units + "\n")
    lines = [json.dumps({"id": name, "text": text}) + "\n" for name, text in TALKS.items()]
    (folder / "talks.jsonl").write_text("".join(lines))
    with gzip.open(folder / "talks.jsonl.gz", "wt") as file:
        file.writelines(lines)
    write_captions(folder)
    write_events(folder)
    write_keywords(folder)
    shutil.copytree(TOP / "src/earmark/tasks/keywords/submissions/sample", folder / "my-code")
    shutil.make_archive(str(folder / "submission"), "zip", folder / "my-code")
    write_answers(folder)
    truth: dict[str, object] = {"id": "t", "tokens": ["a", "dog", "sings"], "labels": [0, 0, 1]}
    truth["changes"] = [{"at": 2, "was": "barks", "now": "sings"}]
    (folder / "truth.jsonl").write_text(json.dumps(truth) + "\n")
    (folder / "scores.jsonl").write_text(json.dumps({"id": "t", "scores": [0.1, 0.2, 0.9]}) + "\n")
    pieces = {
        "id": "t",
        "scores": [0, 1, 2, 1, 9],
        "offsets": [[0, 0], [0, 1], [2, 5], [6, 8], [8, 11]],
    }
    (folder / "pieces.jsonl").write_text(json.dumps(pieces) + "\n")
    write_own_talk(folder)
    (folder / "answers.csv").write_text(
        "item,person,label\n" + "".join(f"i{n},{p},dog\n" for n in range(4) for p in "xyz")
    )
    return folder


def write_own_talk(folder: Path) -> None:
    """Write a recogniser's words, and two people's sentences of the same words."""
    marked = " ".join(sentence.capitalize() + "." for sentence in SENTENCES)
    (folder / "speech-marked.txt").write_text(marked)
    words = [
        {"word": f" {word}", "start": n / 2, "end": n / 2 + 0.4}
        for n, word in enumerate(marked.split())
    ]
    (folder / "talk.json").write_text(json.dumps({"segments": [{"words": words}]}))
    for person, cut in (("anna", 6), ("ben", 5)):
        (folder / "people" / person).mkdir(parents=True)
        text = "\n".join(SENTENCES[:cut]) + " " + " ".join(SENTENCES[cut:])
        (folder / "people" / person / "talk.txt").write_text(text)


def write_captions(folder: Path) -> None:
    rows = [f"s{n},a dog barks near {place}" for n, place in enumerate(("a road", "a bird", "me"))]
    other = [f"s{n},a dog is barking close to {place}" for n, place in enumerate("abc")]
    (folder / "references.csv").write_text("\n".join(["item,caption", *rows, *other]) + "\n")
    (folder / "mine.csv").write_text("\n".join(["item,caption", *rows]) + "\n")
    shutil.copy(folder / "mine.csv", folder / "captions.csv")
    systems = [row.replace(",", f",{name},", 1) for row in rows for name in ("one", "two")]
    (folder / "systems.csv").write_text("\n".join(["item,system,caption", *systems]) + "\n")


def write_events(folder: Path) -> None:
    rows = "filename\tonset\toffset\tevent_label\na.wav\t0.0\t1.5\tdog\nb.wav\t2.0\t3.0\tcar\n"
    for name in ("reference.tsv", "output.tsv"):
        (folder / name).write_text(rows)
    for part in ("wavs", "frames"):
        (folder / part).mkdir()
    for name in ("a", "b"):
        soundfile.write(folder / "wavs" / f"{name}.wav", np.full(48000, 0.1), 8000)
        frames = "onset\toffset\tcar\tdog\n0\t1\t0.1\t0.9\n1\t3\t0.6\t0.2\n"
        (folder / "frames" / f"{name}.tsv").write_text(frames)


def write_answers(folder: Path) -> None:
    """Answers as markets give them back: those of docs/formats.md, and a table of tags."""
    blocks_of_page = blocks(TOP / "docs/formats.md", "")
    for name, start in (
        ("mturk.csv", "HITId,"),
        ("own-form.csv", "WorkerId,Input.audio_url"),
        ("prolific.csv", "PROLIFIC_PID,"),
        ("studio.json", '[{"data": {"item": "soundscape'),
    ):
        (text,) = [block for block in blocks_of_page if block.startswith(start)]
        (folder / name).write_text(text)
    rows = [f"{who},clip{n},dog\n" for n in range(3) for who in ("A1", "B2")]
    (folder / "tags.csv").write_text("WorkerId,Input.clip,Answer.tag\n" + "".join(rows))


def write_keywords(folder: Path) -> None:
    (folder / "texts.txt").write_text("open sesame\n")
    for name in ("a.wav", "b.wav"):
        tone = 0.3 * np.sin(np.arange(16000) / 8)
        soundfile.write(folder / name, tone, 16000, subtype="PCM_16")
    rng = np.random.default_rng(0)
    speakers = (("ana", 210.0), ("bo", 110.0), ("cem", 150.0))
    for part, shift in (("", 0), ("practice", 7), ("feedback", 13), ("private", 23)):
        # two speakers do for a challenge, and its pages are run sooner
        for speaker, pitch in speakers if not part else speakers[:2]:
            place = folder / "speakers" / part if part else folder / "recordings"
            write_takes(place / speaker, pitch + shift, rng)
    for side, suffix in (("labels", "test_labels"), ("predictions", "predictions")):
        (folder / side).mkdir()
        (folder / side / f"P0001_{suffix}.txt").write_text("P0001T0001.wav\t1\nP0001T0002.wav\t0\n")


def write_takes(place: Path, pitch: float, rng: np.random.Generator) -> None:
    """Write a speaker's recordings: two words, seven times each."""
    for word, formant in (("lamp", 700.0), ("river", 1900.0)):
        (place / word).mkdir(parents=True)
        for take in range(7):
            time = np.arange(11000) / 16000
            tone = 0.3 * np.sin(2 * np.pi * pitch * time) + 0.2 * np.sin(formant * 6.28 * time)
            noisy = tone + 0.01 * rng.standard_normal(len(time))
            path = str(place / word / f"{take}.wav")
            soundfile.write(path, noisy.astype(np.float32), 16000, subtype="PCM_16")


def serve_and_answer(words: list[str]) -> None:
    """Serve in a process of its own, as a person would; answer all, and stop it with Ctrl-C."""
    import asyncio

    from tests.web.serving import answer_everything, start

    free = [word for word in words[1:] if word != "--port" and not word.isdigit()]
    limits = ["--requests-per-minute", "1e6", "--joins-per-minute", "1e6", "--people", "1"]
    server = start(Path(words[0]), *(free if "--ask" in free else []), *limits)
    assert asyncio.run(answer_everything(server.port)) > 0
    said = server.stop()
    assert server.process.returncode == 0, said
    assert "stopped; 2-answers has" in said


def run_all(lines: list[list[str]], earmark: Call) -> None:
    for words in lines:
        needed = [NEEDS[word] for word in words if word in NEEDS]
        if needed:
            pytest.skip(f"needs {needed[0]}")
        if words[0] == "serve":
            serve_and_answer(words[1:])
            continue
        code, _, err = earmark(*smaller(words), "--quiet")
        assert code == 0, f"earmark {' '.join(words)}\n{err}"


SHELL = [page for page in PAGES if any(any(commands(block)) for block in blocks(page, r"\w*"))]
PYTHON = [page for page in PAGES if blocks(page, "python")]


@pytest.mark.parametrize("page", SHELL, ids=lambda page: page.relative_to(TOP).as_posix())
def test_the_commands_of_a_page_run_one_after_another(
    page: Path, desk: Path, tmp_path: Path, earmark: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(desk, tmp_path, dirs_exist_ok=True)
    if page.parent.name == "formats":
        for name in ("labels", "predictions"):  # here a page shows all files of a folder
            shutil.rmtree(tmp_path / name)
    if page.parent.name == "formats" or page.name == "formats.md":
        write_shown_files(page, tmp_path)
    monkeypatch.chdir(tmp_path)
    run_all([words for block in blocks(page, r"\w*") for words in commands(block)], earmark)


@pytest.mark.parametrize("page", PYTHON, ids=lambda page: page.relative_to(TOP).as_posix())
def test_the_python_of_a_page_runs_one_block_after_another(
    page: Path, desk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(desk, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for block in blocks(page, "python"):
        exec(compile(block, page.name, "exec"), names)


STUDIES = (
    ("make", "events", "street", "--recordings", "2", "--seconds", "30"),
    ("ask", "street", "--simulate"),
    ("reconcile", "street", "--by", "mace"),
    ("run", "street", "energy"),
    ("make", "boundaries", "talk", "--text", "speech.txt"),
    ("make", "captions", "sounds", "--captions", "references.csv"),
    ("make", "context", "talks", "--text", "talks.jsonl", "--swaps", "2"),
    ("make", "keywords", "wake", "--recordings", "recordings"),
    ("make", "keywords", "wake-private", "--recordings", "speakers/private"),
    ("make", "keywords", "wake-practice", "--recordings", "speakers/practice"),
    ("make", "keywords", "rehearsal", "--recordings", "speakers/practice"),
    ("challenge", "wake", "--private", "wake-private", "--practice", "wake-practice"),
    ("team", "wake", "add", "larks"),
    ("run", "wake", "my-code", "--name", "sample"),
)


@pytest.fixture(scope="module")
def studies(desk: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The studies that examples of the help name, made once beside a copy of the files."""
    from earmark.cli.main import main

    folder = tmp_path_factory.mktemp("studies")
    shutil.copytree(desk, folder, dirs_exist_ok=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for words in STUDIES:
            with pytest.raises(SystemExit) as stop:
                main([*words, "--quiet"])
            assert not stop.value.code
    return folder


# What a test cannot run here, with the reason and where it is run.
LONG = {
    "tour": "the tour takes minutes; its parts have tests of their own",
    "ask --import": "needs answers to these windows; tests/tasks/events imports some",
    "train captions": "needs thousands of captions; tests/tasks/captions trains on made-up ones",
    "train keywords": "takes minutes; tests/tasks/keywords trains on fewer speakers",
}


@pytest.mark.parametrize(
    ("name", "words"), help_examples(), ids=[" ".join(words) for _, words in help_examples()]
)
def test_the_example_in_every_help_text_runs(
    name: str,
    words: list[str],
    studies: Path,
    tmp_path: Path,
    earmark: Call,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    long = name if "--import" not in words else f"{name} --import"
    if long in LONG:
        pytest.skip(LONG[long])
    if "pairs.json" in words:
        pytest.skip("needs pairs that people judged; tests/tasks/captions makes some")
    shutil.copytree(studies, tmp_path, dirs_exist_ok=True)
    if words[0] == "make":
        shutil.rmtree(tmp_path / words[2], ignore_errors=True)
    if words[0] == "serve":  # people are not asked about what a simulated crowd has answered
        shutil.rmtree(tmp_path / words[1] / "2-answers")
    if words[0] == "cite" or words[0] == "verify":
        earmark("score", "street")
    monkeypatch.chdir(tmp_path)
    run_all([words], earmark)


def test_the_python_page_shows_every_call_that_is_promised() -> None:
    import earmark

    code = "\n".join(blocks(TOP / "docs/python.md", "python"))
    calls = ["measure", "compare", "reconcile", "open", "evaluate", "compare_scores"]
    assert set(calls) <= set(earmark.__all__)
    assert not [name for name in calls if not re.search(rf"\b{name}\(", code)]
    assert not [name for name in ("per_item", "to_frame", "float(", ".people") if name not in code]
