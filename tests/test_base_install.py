"""`pip install earmark` without extras: every verb does what it can, and says what it lacks."""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from earmark import tasks
from earmark.study import Study
from earmark.task.extras import (
    EXTRAS,
    MissingExtra,
    extra_of,
    missing_explained,
    missing_extras,
    needs,
)

HERE = Path(__file__).parent
COMMANDS = {
    "tasks": "tasks",
    "make events": "make events street --recordings 2 --seconds 20",
    "ask events": "ask street --simulate",
    "reconcile events": "reconcile street --by mace",
    "run energy": "run street energy",
    "run crnn": "run street crnn",
    "train crnn": "train events crnn --study street --epochs 1 --out model",
    "score events": "score street",
    "report events": "report street",
    "verify events": "verify street",
    "measure captions": "measure captions --reference r.csv --output o.csv --json",
    "explain captions": "measure captions --reference r.csv --output o.csv --explain",
    "measure fense": "measure captions --reference r.csv --output o.csv --metric fense",
    "make captions": "make captions caps --captions r.csv",
    "run captions": "run caps o.csv",
    "score captions": "score caps --json",
    "report captions": "report caps",
    "make boundaries": "make boundaries talk --text talk.json --truth",
    "run cnn": "run talk cnn",
    "run pauses": "run talk pauses",
    "score boundaries": "score talk",
    "report boundaries": "report talk",
    "train gru": "train boundaries gru --text talk.json --epochs 1 --out model",
    "make context": "make context other --text talks.jsonl --swaps 1",
    "run discourse": "run news discourse",
    "run local": "run news local",
    "train ngrams": "train context ngrams --study news --out ngrams.npz",
    "run ngrams": "run news ngrams --model ngrams.npz",
    "run classifier": "run news classifier",
    "run language-model": "run news language-model",
    "run pretrained": "run news pretrained --model nowhere",
    "train discourse": "train context discourse --study news --out model",
    "measure keywords": "measure keywords --reference labels --output predictions",
    "show": "show street",
    "cite": "cite street",
}
# what cannot be done, and the extra that would help
LACKING = {
    "run crnn": "nets",
    "train crnn": "nets",
    "measure fense": "text",
    "run cnn": "nets",
    "train gru": "nets",
    "make context": "text",
    "train discourse": "text",
    "run discourse": "text",
    "run local": "text",
    "run classifier": "nets",
    "run language-model": "nets",
    "run pretrained": "nets",
}


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """Return what each command printed, and its exit code."""
    folder = tmp_path_factory.mktemp("base")
    (folder / "r.csv").write_text("item,caption\na,a dog barks\nb,rain falls\n")
    (folder / "o.csv").write_text("item,caption\na,a dog barks\nb,a car\n")
    tour = tasks.load("context").tour
    assert tour and tour.prepare
    tour.prepare(folder, 0)
    words = "we went home. it was late. the dog barked.".split()
    timed = [{"word": w, "start": n * 0.5, "end": n * 0.5 + 0.4} for n, w in enumerate(words)]
    segments = [{"start": 0, "end": 5, "text": " ".join(words), "words": timed}]
    (folder / "talk.json").write_text(json.dumps({"segments": segments}))
    for place, suffix in (("labels", "_test_labels"), ("predictions", "_predictions")):
        (folder / place).mkdir()
        (folder / place / f"ann{suffix}.txt").write_text("1.wav 1\n2.wav 0\n")
    if not missing_extras("text"):  # a study that was made elsewhere
        news = Study.create(folder / "news", task="context")
        news.make("corrupted", text=folder / "talks.jsonl", swaps=1)
    (folder / "commands.json").write_text(json.dumps([c.split() for c in COMMANDS.values()]))
    done = subprocess.run(
        [sys.executable, HERE / "without_extras.py", "commands.json"],
        cwd=folder, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return dict(zip(COMMANDS, json.loads(done.stdout), strict=True))


def skip_without_study(err):
    """Skip what needs a study that cannot be made here."""
    if missing_extras("text") and ("no such study" in err or "no such option" in err):
        pytest.skip("a study of context is made with the extra `text`")


def test_no_command_ends_in_a_traceback(results):
    for name, (code, out, err) in results.items():
        assert code in (0, 1, 2), (name, err)
        assert "Traceback" not in out + err, name


@pytest.mark.parametrize("name", sorted(set(COMMANDS) - set(LACKING)))
def test_what_needs_no_extra_is_done(results, name):
    code, _, err = results[name]
    skip_without_study(err)
    assert code == 0, err


@pytest.mark.parametrize("name", sorted(LACKING))
def test_what_needs_an_extra_names_its_install_line(results, name):
    code, _, err = results[name]
    skip_without_study(err)
    assert code == 2
    assert f"pip install 'earmark[{LACKING[name]}]'" in err


def test_captions_are_measured_by_what_needs_nothing_and_the_others_say_what_they_need(results):
    document = json.loads(results["measure captions"][1])
    values = {name: score["value"] for name, score in document["scores"].items()}
    for name in ("cider_d", "bleu_1", "rouge_l"):
        assert values[name] is not None
    for name in ("earshot", "spice_plus_emb", "spice_plus", "sentence", "fense"):
        assert values[name] is None
        assert document["details"][name]["undefined"] == (
            "needs packages of the extra `text`: pip install 'earmark[text]'"
        )


def test_an_explanation_falls_back_to_words(results):
    assert "words in no reference: a car" in results["explain captions"][1]


def test_the_table_of_packages_is_that_of_pyproject():
    project = tomllib.loads((HERE.parent / "pyproject.toml").read_text())["project"]
    imports = {"scikit_learn": "sklearn", "argon2_cffi": "argon2"}
    for extra, packages in EXTRAS.items():
        listed = project["optional-dependencies"][extra]
        names = [re.split(r"[<>=\[]", line)[0].replace("-", "_") for line in listed]
        assert sorted(imports.get(name, name) for name in names) == sorted(packages)


def test_a_package_that_no_extra_brings_is_our_own_bug():
    with pytest.raises(ModuleNotFoundError), missing_explained():
        import no_such_package  # type: ignore[import-not-found]  # noqa: F401
    assert extra_of("no_such_package") is None


def test_a_check_of_what_is_installed_imports_nothing():
    needs("text", "json")()
    with pytest.raises(MissingExtra, match="needs packages of the extra `text`"):
        needs("text", "no_such_package")()
