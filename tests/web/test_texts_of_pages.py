"""Every text that a page uses exists, in English and in German."""

import json
import re
from pathlib import Path

import pytest

import earmark
from earmark import tasks

SOURCE = Path(earmark.__file__).parent
PAGES = SOURCE / "web"
# t("key"), and keys in lists of them: a name with dots in quotes whose first part is a room's
CALL = re.compile(r"""\bt\(\s*["']([\w.+-]+)["']""")
LISTED = re.compile(r'"((?:events|captions|boundaries|context|keywords|wake|organiser)\.[\w.-]+)"')
CHOICE = re.compile(r"""\bt\([^)"']*\?\s*["']([\w.+-]+)["']\s*:\s*["']([\w.+-]+)["']""")
# put together by the page, or said by the task where there is no text
BUILT = ("label.", "about.", "language.", "reason.", "prompt", "keywords.advice")


def texts_of(folder: Path, language: str) -> dict[str, str]:
    texts: dict[str, str] = json.loads((folder / f"{language}.json").read_text(encoding="utf-8"))
    return texts


def keys_of(path: Path) -> set[str]:
    script = path.read_text(encoding="utf-8")
    pairs = {key for pair in CHOICE.findall(script) for key in pair}
    return {*CALL.findall(script), *LISTED.findall(script), *pairs}


@pytest.mark.parametrize("task", tasks.names())
def test_every_text_that_a_page_uses_exists(task: str) -> None:
    folder = SOURCE / "tasks" / task / "page"
    texts = texts_of(PAGES / "texts", "en") | texts_of(folder, "en")
    scripts = [*(PAGES / "static").glob("*.js"), *folder.glob("*.js")]
    used = {key for path in scripts for key in keys_of(path)}
    assert len(used) > 60
    absent = {k for k in used if k not in texts and f"{k}.other" not in texts}
    assert {key for key in absent if not key.startswith(BUILT)} == set()


@pytest.mark.parametrize("task", ["", *tasks.names()])
def test_german_has_every_text_with_the_same_names_in_braces(task: str) -> None:
    folder = SOURCE / "tasks" / task / "page" if task else PAGES / "texts"
    english, german = texts_of(folder, "en"), texts_of(folder, "de")
    extra = {key for key in german if key not in english and not key.startswith(BUILT)}
    assert set(english) <= set(german) and extra == set()
    for key, text in english.items():
        braces = re.findall(r"\{\w+\}", text)
        assert sorted(re.findall(r"\{\w+\}", german[key])) == sorted(braces), key


def test_scripts_load_nothing_from_elsewhere_and_put_no_text_in_as_html() -> None:
    for path in [*PAGES.rglob("*.js"), *SOURCE.glob("tasks/*/page/*.js")]:
        script = path.read_text(encoding="utf-8")
        assert "innerHTML" not in script and "insertAdjacentHTML" not in script, path
        places = re.findall(r"https?://[\w./-]+", script)
        assert set(places) <= {"http://www.w3.org/2000/svg"}, path
