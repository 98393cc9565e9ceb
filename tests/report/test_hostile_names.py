"""Names, labels, captions and words that are HTML stay text on every task's page.

The page's own security policy would stop a script that came through; the browser is told to
ignore it, so that what is tested here is the escaping.
"""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
import soundfile
from tests.browser import chromium

from earmark import report
from earmark.report.challenge import board_csv
from earmark.report.study_page import page
from earmark.study import Study
from earmark.task.view import View
from earmark.tasks.context.talks import TALKS
from earmark.tasks.context.values import Passage

# for names of files and folders, which hold no slash; and for texts
NAME = "\"'><img src=x onerror=foreign=1>"
ELEMENT = "\"'><u>x"  # where a name may hold no blanks either
LINK = "javascript:foreign=1"
TEXT = "\"'><script>foreign=1</script><svg onload=foreign=1> a dog barks & a bell rings {{ 7 * 7 }}"
WORDS = (*TEXT.split(), "end.")
PEOPLE = (f"{NAME} Ann", TEXT)
RATE = 16000


def tone(path: Path, hertz: float, seconds: float) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    time = np.arange(int(seconds * RATE)) / RATE
    soundfile.write(path, 0.3 * np.sin(2 * np.pi * hertz * time * (1 + 0.1 * time)), RATE)


def answered(study: Study, folder: Path, column: str, answer: str) -> None:
    """Take answers of two people whose names are HTML to every question of a study."""
    study.ask()
    path = folder / "answers.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(("item", "person", column))
        rows.writerows((unit.id, who, answer) for unit in study.units() for who in PEOPLE)
    study.ask(import_from=path)


def write_lines(path: Path, rows: list[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def events(folder: Path) -> Study:
    for hertz, label in ((440, NAME), (880, LINK)):
        tone(folder / "sounds" / label / "clip.wav", hertz, 2.0)
    study = Study.create(folder / NAME, task="events", seed=1)
    study.make(sounds=folder / "sounds", recordings=1, seconds=15.0)
    answered(study, folder, "labels", NAME)
    study.reconcile("mace")
    study.run("labels", train_on="mace", name="mine")
    return study


def captions(folder: Path) -> Study:
    items = (NAME, LINK, TEXT)
    for name, extra in (("references", ("a dog barks", TEXT)), ("system", (TEXT,))):
        with (folder / f"{name}.csv").open("w", newline="", encoding="utf-8") as file:
            rows = csv.writer(file)
            rows.writerow(("item", "caption"))
            rows.writerows((item, caption) for item in items for caption in extra)
    with (folder / "machines.csv").open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(("item", "caption", "system"))
        rows.writerows((item, f"{TEXT} {who}", who) for item in items for who in (NAME, LINK))
    study = Study.create(folder / NAME, task="captions", seed=1)
    study.make(captions=folder / "references.csv", systems=folder / "machines.csv")
    answered(study, folder, "winner", "1")
    study.reconcile("preference")
    study.run(folder / "system.csv", name="mine")
    return study


def boundaries(folder: Path) -> Study:
    words = [{"word": f" {word}", "start": n, "end": n + 0.5} for n, word in enumerate(WORDS * 4)]
    spoken = {"segments": [{"id": 0, "start": 0.0, "end": 99.0, "words": words}]}
    (folder / f"{NAME}.json").write_text(json.dumps(spoken), encoding="utf-8")
    study = Study.create(folder / NAME, task="boundaries", seed=1)
    study.make(text=(folder / f"{NAME}.json",), truth=True)
    answered(study, folder, "after", "2")
    study.reconcile("panel")
    study.run("pauses", name="mine")
    return study


def context(folder: Path) -> Study:
    talks = [f"{TEXT} {text}" for text in list(TALKS.values())[:2]]
    rows = [{"id": name, "text": text} for name, text in zip((NAME, TEXT), talks, strict=True)]
    path = folder / "talks.jsonl"
    write_lines(path, rows)
    study = Study.create(folder / NAME, task="context", seed=1)
    study.make(text=path, swaps=4)
    answered(study, folder, "words", "none")
    study.reconcile("majority")
    lengths = {item.id: len(Passage.of(item).tokens) for item in study.items()}
    write_lines(
        folder / "mine.jsonl",
        [{"id": item, "scores": [n % 9 for n in range(size)]} for item, size in lengths.items()],
    )
    study.run(folder / "mine.jsonl", name="mine")
    return study


def keywords(folder: Path) -> Study:
    for take in range(5):
        tone(folder / "set" / NAME / "enroll" / f"{NAME}{take}.wav", 400 + take, 0.7)
    for hertz, name in ((400, ELEMENT), (900, LINK)):
        tone(folder / "set" / NAME / "test" / f"{name}.wav", hertz, 0.8)
    (folder / "labels").mkdir()
    labels = folder / "labels" / f"{NAME}_test_labels.txt"
    labels.write_text(f"{ELEMENT}.wav\t1\n{LINK}.wav\t0\n", encoding="utf-8")
    study = Study.create(folder / NAME, task="keywords", seed=1)
    study.make(challenge=folder / "set", labels=folder / "labels")
    study.run("template", name="mine")
    return study


class RenamedSystem:
    """A study whose system has a name that `earmark run` refuses, but a file by hand may hold."""

    def __init__(self, study: Study) -> None:
        self._view = study.snapshot()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._view, name)

    def outputs(self) -> dict[str, Any]:
        return {NAME: self._view.outputs()["mine"]}

    def scores(self) -> tuple[Any, ...]:
        return tuple(
            {**row, "system": NAME if row["system"] == "mine" else row["system"]}
            for row in self._view.scores()
        )

    def boards(self) -> dict[str, Any]:
        return {
            reference: {
                **board,
                "metrics": {
                    metric: [{**row, "system": NAME} for row in rows]
                    for metric, rows in board["metrics"].items()
                },
            }
            for reference, board in self._view.boards().items()
        }


# Open, choose, sort, search and point at all there is: what a page writes only then counts too.
USE_EVERYTHING = """() => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const happen = (node, ...names) => names.forEach(
    (name) => node.dispatchEvent(new Event(name, { bubbles: true })));
  all("details").forEach((one) => { one.open = true; });
  all("select").forEach((one) => [...one.options].forEach((option, place) => {
    one.selectedIndex = place;
    happen(one, "input", "change");
  }));
  all("button, a[data-items], a[href^='#']").forEach((one) => one.click());
  all("input").forEach((one) => {
    if (["search", "text"].includes(one.type)) one.value = "<img src=x onerror=foreign=1>";
    happen(one, "input", "change");
  });
  all("svg *").forEach((one) => happen(one, "mouseover", "mouseenter", "focus", "click"));
}"""


@pytest.mark.browser
@pytest.mark.parametrize("build", [events, captions, boundaries, context, keywords])
def test_html_in_names_and_texts_stays_text(build: Callable[[Path], Study], tmp_path: Path) -> None:
    study = build(tmp_path)
    study.score(resamples=0)
    path = tmp_path / "page.html"
    path.write_text(page(cast("View", RenamedSystem(study))), encoding="utf-8")
    with chromium() as browser:
        tab = browser.new_context(bypass_csp=True).new_page()
        tab.goto(path.as_uri())
        tab.evaluate(USE_EVERYTHING)
        tab.wait_for_timeout(100)  # an image that is not there takes a moment to fail
        assert tab.evaluate("window.foreign") is None
        elements = "img, u, main script, svg svg, [onerror], [onload], a[href^=javascript]"
        assert tab.locator(elements).count() == 0
        assert tab.locator("figure").count() >= 3
        assert "&lt;" not in tab.locator("main").inner_text(), "nothing is escaped twice"
        assert NAME in tab.locator("h1").inner_text()
        signed = tab.locator("details > summary").all_inner_texts()
        assert any(line.startswith(f"{NAME} against") for line in signed)
        if study.task.name in ("boundaries", "context", "events"):  # the others name nobody
            assert f"{NAME} Ann" in tab.locator("main").inner_text(), "people are named"


FORMULAS = ("=HYPERLINK(1)", "+p1", "@a", "-x", "\tb")


@pytest.mark.browser
def test_a_table_that_a_page_saves_holds_no_formulas(tmp_path: Path) -> None:
    script = (Path(report.__file__).parent / "saving.js").read_text(encoding="utf-8")
    cells = "".join(f"<td data-fields='{json.dumps([cell])}'>x</td>" for cell in (*FORMULAS, "-1"))
    text = f"<div class=savable><table><tr>{cells}</tr></table></div><script>{script}</script>"
    (tmp_path / "page.html").write_text(text, encoding="utf-8")
    with chromium() as browser:
        tab = browser.new_page(accept_downloads=True)
        tab.goto((tmp_path / "page.html").as_uri())
        with tab.expect_download() as saved:
            tab.get_by_role("button", name="CSV").click()
        line = saved.value.path().read_text(encoding="utf-8")
    assert line.strip() == ",".join([*(f"'{cell}" for cell in FORMULAS), "-1"])


def test_a_board_of_a_challenge_holds_no_formulas() -> None:
    received = [{"team": "=HYPERLINK(1)", "submitted": 0.0}]
    assert "\n'=HYPERLINK(1)," in board_csv({"shows": False, "received": received})
