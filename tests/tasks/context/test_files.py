import gzip
import json

import pytest

from earmark.tasks.context.files import measure, read_changes, read_outputs, read_scores, read_truth
from earmark.tasks.context.make.corrupted import make_corrupted
from earmark.tasks.context.make.documents import read_documents
from earmark.tasks.context.values import Flags, Passage, Swaps
from earmark.values.errors import InputError
from earmark.values.item import Item


def write(path, *rows):
    path.write_text("\n".join(json.dumps(row) for row in rows) + "\n", encoding="utf-8")
    return path


TRUTH = {"id": "a", "tokens": ["we", "shop"], "labels": [0, 1]}


def test_truth_and_scores_are_paired_by_id(tmp_path):
    truth = write(tmp_path / "t.jsonl", TRUTH)
    scores = write(tmp_path / "s.jsonl", {"id": "a", "scores": [0.1, 0.9], "threshold": 0.5})
    pairing = measure((truth,), scores)
    assert pairing.reference["a"] == Flags(2, frozenset({1}))
    assert pairing.output["a"].threshold == 0.5


def test_measure_on_the_command_line(tmp_path, earmark):
    truth = write(tmp_path / "t.jsonl", TRUTH)
    scores = write(tmp_path / "s.jsonl", {"id": "a", "scores": [0.1, 0.9], "threshold": 0.5})
    code, out, _ = earmark("measure", "context", "--reference", truth, "--output", scores, "--json")
    found = json.loads(out)["scores"]
    assert code == 0
    assert found["best_f"]["value"] == found["f_at_dev_threshold"]["value"] == 1.0
    assert found["perplexity"]["value"] is None


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"id": "a", "tokens": ["x"], "labels": [0, 1]}, "one label for every token"),
        ({"id": "a", "tokens": ["x"], "labels": [2]}, "labels are a list of 0 and 1"),
        ({"tokens": ["x"], "labels": [1]}, "every line names its item"),
        ({**TRUTH, "changes": []}, "labels and changes must speak of the same tokens"),
    ],
)
def test_truth_that_contradicts_itself_is_refused_with_its_line(tmp_path, row, words):
    path = write(tmp_path / "t.jsonl", {"id": "z", "tokens": ["y"], "labels": [0]}, row)
    with pytest.raises(InputError, match=words) as error:
        read_truth(path)
    assert f"{path}:2" in str(error.value)


def test_scores_with_nan_are_refused_with_line_and_token(tmp_path):
    path = tmp_path / "s.jsonl"
    path.write_text('{"id": "a", "scores": [0.1, NaN]}\n', encoding="utf-8")
    with pytest.raises(InputError) as error:
        read_scores(path)
    assert str(error.value).split("\n")[:2] == [
        "a score must be a finite number",
        f"  at:   {path}:1, token 1",
    ]


def test_scores_of_another_length_name_the_item(tmp_path):
    truth = write(tmp_path / "t.jsonl", TRUTH)
    scores = write(tmp_path / "s.jsonl", {"id": "a", "scores": [0.1]})
    with pytest.raises(InputError, match="there must be one score for every token") as error:
        measure((truth,), scores)
    assert "1 scores, 2 labels" in str(error.value)


def test_an_item_twice_and_an_empty_file_are_refused(tmp_path):
    with pytest.raises(InputError, match="an item stands once"):
        read_truth(write(tmp_path / "t.jsonl", TRUTH, TRUTH))
    (tmp_path / "e.jsonl").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="at least one item"):
        read_scores(tmp_path / "e.jsonl")


def test_a_study_reads_a_file_of_scores_as_a_system(tmp_path):
    item = Item("a", "passage", text="we shop", details={"offsets": [0, 2, 3, 7]})
    path = write(tmp_path / "mine.jsonl", {"id": "a", "scores": [0, 1]})
    (output,) = read_outputs(path, (item,))
    assert (output.system, output.value.scores) == ("mine", (0.0, 1.0))
    with pytest.raises(InputError, match="there must be one score"):
        list(read_outputs(write(tmp_path / "m.jsonl", {"id": "a", "scores": [1]}), (item,)))


def test_the_truth_of_a_study_is_read_as_a_change_log(talks, tmp_path):
    from earmark.study import Study

    study = Study.create(tmp_path / "s", task="context", seed=2)
    study.make(text=talks, swaps=3)
    path = tmp_path / "s" / "1-material" / "truth.jsonl"
    found = read_changes(path)
    assert all(isinstance(value, Swaps) and len(value.swaps) <= 3 for value in found.values())
    assert read_truth(path) == found


def test_tokens_offsets_labels_and_changes_make_a_truth_line(talks):
    from earmark.tasks.context import truth_line

    made = next(make_corrupted(text=talks, seed=1))
    line = truth_line(made.item, made.truth)
    assert [made.item.text[a:b] for a, b in line["offsets"]] == line["tokens"]
    assert sum(line["labels"]) == len(line["changes"])


WIT3 = """<?xml version="1.0"?><xml><file id="7"><head><talkid>42</talkid></head><transcription>
<seekvideo id="1">Debt &amp; growth.</seekvideo><seekvideo id="2">More debt.</seekvideo>
</transcription></file></xml>"""
IWSLT = """<mteval><srcset><doc docid="535" genre="lectures"><url>x</url>
<seg id="1"> It is a hard one. </seg><seg id="2"> Very. </seg></doc></srcset></mteval>"""
TAGS = """<url>http://x</url>\n<talkid>1</talkid>\n<title>T</title>\nFirst line.\nSecond line.
<talkid>2</talkid>\nThird line.\n"""
SRT = """1
00:00:01,000 --> 00:00:02,000
<i>Hello</i> there.

2
00:00:03,000 --> 00:00:04,000
Bye.
"""
VTT = "WEBVTT\n\nNOTE nothing\n\n00:01.000 --> 00:02.000\nHello there.\n"
WHISPER = {"segments": [{"words": [{"word": " Hello"}, {"word": " there."}]}]}
VOSK = {"result": [{"word": "hello", "start": 0}, {"word": "there"}], "text": "hello there"}
AWS = {
    "results": {
        "items": [
            {"type": "pronunciation", "alternatives": [{"content": "Hello"}]},
            {"type": "punctuation", "alternatives": [{"content": "."}]},
        ]
    }
}
CONLLU = "# newdoc id = d1\n1\tDogs\tdog\tNOUN\tNNS\t_\t0\troot\t_\t_\n"
CONLLU += "2\tsleep\t_\tVERB\t_\t_\t1\t_\t_\t_\n\n"


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("a.txt", "Hello there.", {"a": "Hello there."}),
        ("a.xml", WIT3, {"42": "Debt & growth.\nMore debt."}),
        ("b.xml", IWSLT, {"535": "It is a hard one.\nVery."}),
        ("train.tags.xml", TAGS, {"1": "First line.\nSecond line.", "2": "Third line."}),
        ("a.srt", SRT, {"a": "Hello there. Bye."}),
        ("a.vtt", VTT, {"a": "Hello there."}),
        ("a.json", json.dumps(WHISPER), {"a": "Hello there."}),
        ("b.json", json.dumps(VOSK), {"b": "hello there"}),
        ("c.json", json.dumps(AWS), {"c": "Hello."}),
        ("a.conllu", CONLLU, {"d1": "Dogs sleep"}),
        ("a.jsonl", '{"id": "x", "text": "Hello."}', {"x": "Hello."}),
    ],
)
def test_documents_come_from_many_kinds_of_files(tmp_path, name, content, expected):
    (tmp_path / name).write_text(content, encoding="utf-8")
    found = {d.id: d.text for d in read_documents(tmp_path / name)}
    assert found == expected


def test_gzip_and_folders_are_read(tmp_path):
    folder = tmp_path / "f"
    (folder / "sub").mkdir(parents=True)
    (folder / "b.jsonl.gz").write_bytes(gzip.compress(b'{"id": "b", "text": "Two."}\n'))
    (folder / "sub" / "a.txt").write_text("One.", encoding="utf-8")
    (folder / "README").write_text("not a document", encoding="utf-8")
    assert [d.id for d in read_documents(folder)] == ["b", "sub/a"]


def test_supplied_tags_are_kept(tmp_path):
    (tmp_path / "a.conllu").write_text(CONLLU, encoding="utf-8")
    assert read_documents(tmp_path / "a.conllu")[0].tags == ("NNS", "VERB")
    row = {"id": "a", "text": "Dogs sleep", "tags": ["NOUN", "VERB"]}
    assert read_documents(write(tmp_path / "a.jsonl", row))[0].tags == ("NOUN", "VERB")


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.jsonl", '{"id": "a"}', "a document has an id and a text"),
        ("a.jsonl", "{", "every line must be one JSON value"),
        ("a.jsonl", '{"id": "a", "tokens": ["x"], "tags": []}', "every token has one tag"),
        ("a.jsonl", '{"id": "a", "text": "x y", "tags": ["N"]}', "every token has one tag"),
        ("a.xml", "<a/>", "an XML of talks"),
        ("a.srt", "nothing", "subtitles have lines under their times"),
        ("a.json", "{}", "a recogniser's JSON holds words"),
        ("a.conllu", "1\tx\n", "ten columns"),
    ],
)
def test_files_that_cannot_be_read_say_why(tmp_path, name, content, words):
    (tmp_path / name).write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=words):
        read_documents(tmp_path / name)


def test_the_same_id_twice_and_a_broken_gzip_are_refused(tmp_path):
    row = {"id": "a", "text": "x"}
    with pytest.raises(InputError, match="document id must stand once"):
        read_documents(write(tmp_path / "a.jsonl", row, row))
    (tmp_path / "b.jsonl.gz").write_bytes(b"no gzip")
    with pytest.raises(InputError, match="no gzip"):
        read_documents(tmp_path / "b.jsonl.gz")


def test_a_passage_needs_its_offsets():
    with pytest.raises(InputError, match="a passage has a text and the offsets"):
        Passage.of(Item("a", "passage", text="x"))
