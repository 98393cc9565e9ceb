import json

import pytest

from earmark.tasks.context.make.documents import read_documents
from earmark.values.errors import InputError


def write(path, *rows):
    path.write_text("\n".join(json.dumps(row) for row in rows) + "\n", encoding="utf-8")
    return path


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


def test_supplied_tags_are_kept(tmp_path):
    (tmp_path / "a.conllu").write_text(CONLLU, encoding="utf-8")
    assert read_documents(tmp_path / "a.conllu")[0].tags == ("NNS", "VERB")
    row = {"id": "a", "text": "Dogs sleep", "tags": ["NOUN", "VERB"]}
    assert read_documents(write(tmp_path / "a.jsonl", row))[0].tags == ("NOUN", "VERB")


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.jsonl", '{"id": "a"}', "a document must have an id and a text"),
        ("a.jsonl", "{", "every line must be one JSON value"),
        ("a.jsonl", '{"id": "a", "tokens": ["x"], "tags": []}', "every token must have one tag"),
        ("a.jsonl", '{"id": "a", "text": "x y", "tags": ["N"]}', "every token must have one tag"),
        ("a.xml", "<a/>", "an XML of talks"),
        ("a.srt", "nothing", "subtitles must have cues with times"),
        ("a.json", "{}", "this JSON is of no recogniser that we know"),
        ("a.conllu", "1\tx\n", "ten columns"),
    ],
)
def test_files_that_cannot_be_read_say_why(tmp_path, name, content, words):
    (tmp_path / name).write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=words):
        read_documents(tmp_path / name)
