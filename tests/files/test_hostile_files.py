"""Every reader refuses every kind of damage: exit 2 with the file's name, no traceback, no hang."""

from pathlib import Path

import pytest
from tests.hostile import damages, refused, special_files

EVENTS = "filename\tonset\toffset\tevent_label\na.wav\t0\t1\tdog\n"
CAPTIONS = "item,caption\na,a dog barks\na,dogs bark\n"
WORDS = "we are here\nit is late\n"
SRT = "1\n00:00:00,000 --> 00:00:01,000\nwe are here\n"
VTT = "WEBVTT\n\n00:00.000 --> 00:01.000\nwe are here\n"
GRID = (
    'File type = "ooTextFile"\nObject class = "TextGrid"\n\n0\n1\n<exists>\n1\n'
    '"IntervalTier"\n"units"\n0\n1\n1\n0\n1\n"we are here"\n'
)
EAF = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<ANNOTATION_DOCUMENT><TIME_ORDER>'
    '<TIME_SLOT TIME_SLOT_ID="a" TIME_VALUE="0"/><TIME_SLOT TIME_SLOT_ID="b" TIME_VALUE="900"/>'
    '</TIME_ORDER><TIER><ANNOTATION><ALIGNABLE_ANNOTATION TIME_SLOT_REF1="a" TIME_SLOT_REF2="b">'
    "<ANNOTATION_VALUE>we are here</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION></TIER>"
    "</ANNOTATION_DOCUMENT>\n"
)
WHISPER = '{"segments": [{"text": "we are here", "words": [{"word": "we", "start": 0, "end": 1}]}]}'
SIZES = '{"items": {"a": {"p": [3, 2]}}}'
JAMS = (
    '{"annotations": [{"namespace": "scaper", "data": [{"time": 0, "duration": 1, "value": "x"}]}]}'
)
LABELLED = '{"id": "a", "tokens": ["we", "are"], "labels": [0, 1]}\n'
TALKS = '<doc docid="1"><seg id="1">we are here</seg></doc>'
CONLLU = "1\twe\twe\tPRON\tPRP\t_\t0\troot\t_\t_\n\n"
PAIRS = '[{"references": ["a dog barks"], "HC": [["a dog", "dogs", 1]]}]'
ANSWERS = "item,person,label\na,p,dog\n"

# Readers by what they are called: the name of the file, whole content, and the words of a command.
MEASURE = ("measure", "{task}", "--reference", "{file}", "--output", "{file}")
MAKE = ("make", "{task}", "{folder}/new", "--text", "{file}")
READERS: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "events: TSV": ("e.tsv", EVENTS, MEASURE),
    "events: JAMS": ("e.jams", JAMS, MEASURE),
    "captions: CSV": ("c.csv", CAPTIONS, MEASURE),
    "captions: JSON lines": ("c.jsonl", '{"item": "a", "caption": "a dog"}\n', MEASURE),
    "captions: benchmark": (
        "b.json",
        PAIRS,
        ("audit", "captions", "--benchmark", "{file}", "--metric", "cider"),
    ),
    "boundaries: text": ("t.txt", WORDS, MEASURE),
    "boundaries: SRT": ("t.srt", SRT, MEASURE),
    "boundaries: VTT": ("t.vtt", VTT, MEASURE),
    "boundaries: TextGrid": ("t.TextGrid", GRID, MEASURE),
    "boundaries: EAF": ("t.eaf", EAF, MEASURE),
    "boundaries: recogniser": ("t.json", WHISPER, MEASURE),
    "boundaries: sizes": ("t.json", SIZES, MEASURE),
    "boundaries: 0 and 1": ("t.seg", "0 1 0 1\n", MEASURE),
    "context: labels": ("t.jsonl", LABELLED, MEASURE),
    "context: text": ("t.txt", WORDS, MAKE),
    "context: JSON lines": ("t.jsonl", '{"id": "a", "text": "we are here"}\n', MAKE),
    "context: talks": ("t.xml", TALKS, MAKE),
    "context: recogniser": ("t.json", WHISPER, MAKE),
    "context: CoNLL-U": ("t.conllu", CONLLU, MAKE),
    "keywords: labels": ("l.txt", "a.wav 1\n", MEASURE),
    "reconcile: answers": (
        "a.csv",
        ANSWERS,
        ("reconcile", "--answers", "{file}", "--out", "{folder}/out"),
    ),
}


def command(name: str, file: Path) -> list[str]:
    parts = {"task": name.partition(":")[0], "file": str(file), "folder": str(file.parent)}
    return [word.format(**parts) for word in READERS[name][2]]


@pytest.mark.parametrize("name", READERS)
def test_a_reader_refuses_special_files_without_opening_them(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    suffix = Path(READERS[name][0]).suffix
    for file in special_files(tmp_path, suffix):
        refused(command(name, file), capsys, file)


@pytest.mark.parametrize("name", READERS)
def test_a_reader_refuses_damage_and_names_the_file(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file_name, whole, _ = READERS[name]
    file = tmp_path / file_name
    for kind, data in damages(file_name, whole):
        file.write_bytes(data)
        try:
            refused(command(name, file), capsys, file)
        except AssertionError as error:
            raise AssertionError(kind) from error


JAMS_ROWS = (
    '{"time": "x", "duration": 1, "value": "dog"}',
    '{"time": null, "duration": 1, "value": "dog"}',
    '{"time": [0], "duration": 1, "value": "dog"}',
    '{"time": 0, "duration": {}, "value": "dog"}',
    '{"time": 0, "duration": 1, "value": ["dog"]}',
    '{"time": 0, "duration": 1, "value": {"label": 5}}',
    '{"time": NaN, "duration": 1, "value": "dog"}',
    '{"time": 0, "duration": 1e999, "value": "dog"}',
    "5", "null", '"x"', "[]",
)  # fmt: skip


@pytest.mark.parametrize("row", JAMS_ROWS)
def test_fields_of_a_jams_file_of_another_kind_are_refused(
    row: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a.jams"
    file.write_text(f'{{"annotations": [{{"namespace": "scaper", "data": [{row}]}}]}}')
    refused(command("events: JAMS", file), capsys, file)


@pytest.mark.parametrize("time", ["1e308", "99999999999999999999", "1e12"])
def test_times_beyond_any_recording_are_refused_before_they_are_counted(
    time: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "e.tsv"
    table.write_text(f"filename\tonset\toffset\tevent_label\na.wav\t0\t{time}\tdog\n")
    assert "at most 115 days" in refused(command("events: TSV", table), capsys, table)
    document = tmp_path / "e.jams"
    row = f'{{"time": 0, "duration": {float(time)!r}, "value": "dog"}}'
    document.write_text(f'{{"annotations": [{{"namespace": "scaper", "data": [{row}]}}]}}')
    assert "at most 115 days" in refused(command("events: JAMS", document), capsys, document)


def test_votes_of_another_kind_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for votes in ("[[1]]", "[{}]", '["1"]', "[2]", "[null]"):
        file = tmp_path / "b.json"
        file.write_text(f'[{{"references": ["a"], "HC": ["a", "b", "c", "d", {votes}]}}]')
        assert "votes are 1, -1 or 0" in refused(command("captions: benchmark", file), capsys, file)
