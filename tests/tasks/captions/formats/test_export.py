"""Captions out and in again, as Clotho and DCASE write them."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from earmark.study.export import exporter
from earmark.task.export import Exported, Selection
from earmark.tasks.captions import TASK, Captions
from earmark.tasks.captions.files import read_captions
from earmark.tasks.captions.formats.export import FileNameOptions, write_clotho
from earmark.values.errors import InputError

# Files are written for every example; a machine that is busy is no fault of the code.
QUICK = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def select(values: dict[str, Captions], what: str = "references") -> Selection:
    return Selection(what, "ref", "study", values=values, rows=TASK.rows)


def write(exported: Exported, folder: Path) -> Path:
    (name, content) = next(iter(exported.files.items()))
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else str(content).encode())
    return path


# as the reader leaves them: single blanks, none at the ends; commas, quotes, any script; no cell
# that a spreadsheet would run, as those get a quote before them
TEXTS = (
    st.lists(st.text("ab,;'\"=+-@|é音🐕#", min_size=1, max_size=8), min_size=1, max_size=4)
    .map(" ".join)
    .filter(lambda text: text[0] not in "=+-@")
)


@pytest.mark.parametrize("form", ["clotho", "csv", "tsv", "parquet"])
@QUICK
@given(texts=st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=3))
def test_references_come_back(
    form: str, tmp_path_factory: pytest.TempPathFactory, texts: list[tuple[str, str]]
) -> None:
    values = {f"s {n}.wav": Captions(pair) for n, pair in enumerate(texts)}
    path = write(exporter(TASK, form).write(select(values)), tmp_path_factory.mktemp("t"))
    assert dict(read_captions(path)) == values


@QUICK
@given(text=st.one_of(TEXTS, st.just("")))
def test_a_submission_comes_back(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    values = {"a.wav": Captions.of(text), "b.wav": Captions.of("rain")}
    exported = exporter(TASK, "dcase").write(select(values, "outputs"))
    path = write(exported, tmp_path_factory.mktemp("t"))
    assert path.read_text().splitlines()[0] == "file_name,caption_predicted"
    assert dict(read_captions(path, may_be_empty=True)) == values


def test_clothos_table_by_hand() -> None:
    values = {"a": Captions.of("a dog", "a cat"), "b": Captions.of("rain", "more rain")}
    exported = write_clotho(select(values), FileNameOptions(suffix=".wav"))
    assert exported.files["ref.csv"] == (
        "file_name,caption_1,caption_2\na.wav,a dog,a cat\nb.wav,rain,more rain\n"
    )


def test_sounds_with_fewer_captions_do_not_fit_clothos_table() -> None:
    values = {"a": Captions.of("a dog", "a cat"), "b": Captions.of("rain")}
    with pytest.raises(InputError, match="equally many captions") as error:
        exporter(TASK, "clotho").write(select(values))
    assert "1 captions, 2 elsewhere" in str(error.value)


def test_a_submission_has_one_caption_per_sound() -> None:
    with pytest.raises(InputError, match="one caption"):
        exporter(TASK, "dcase").write(select({"a": Captions.of("x", "y")}, "outputs"))
