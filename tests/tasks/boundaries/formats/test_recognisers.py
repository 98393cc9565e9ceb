"""Recognisers' JSON as segmented text."""

import json

from earmark.tasks.boundaries.formats import read_file


def only(texts):
    (people,) = texts.values()
    (marked,) = people.values()
    return marked


def read(tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return only(read_file(path))


def test_whisper_segments_end_lines_and_marks_end_sentences(tmp_path):
    told = {
        "segments": [
            {
                "words": [
                    {"word": " So", "start": 0, "end": 1},
                    {"word": " we", "start": 1, "end": 2},
                ]
            },
            {"words": [{"word": " went.", "start": 2, "end": 3}]},
        ]
    }
    marked = read(tmp_path, "a.json", json.dumps(told))
    assert marked.words == ("so", "we", "went")
    assert marked.boundaries().after == {2}
    assert marked.boundaries(units="lines").after == {1, 2}
    assert marked.times == ((0, 1), (1, 2), (2, 3))


def test_whisper_without_words_uses_the_text_of_segments(tmp_path):
    marked = read(tmp_path, "a.json", json.dumps({"segments": [{"text": " So. We went."}]}))
    assert marked.words == ("so", "we", "went")
    assert marked.times is None


def test_a_stop_inside_a_word_of_amazon_is_no_mark_but_its_punctuation_is(tmp_path):
    def item(kind, content):
        return {"type": kind, "alternatives": [{"content": content}]}

    items = [
        item("pronunciation", "Mr."),
        item("pronunciation", "Hill"),
        item("punctuation", "?"),
        item("pronunciation", "Yes"),
    ]
    marked = read(tmp_path, "a.json", json.dumps({"results": {"items": items}}))
    assert marked.words == ("mr", "hill", "yes")
    assert marked.marks == ("", "?", "")
    assert marked.times is None


def test_vosk_without_words_uses_the_text_of_utterances(tmp_path):
    marked = read(tmp_path, "a.json", json.dumps([{"text": "so we"}, {"text": ""}, {"text": "go"}]))
    assert marked.words == ("so", "we", "go")
    assert marked.boundaries().after == {1, 2}
