"""TextGrid and EAF."""

import pytest

from earmark.tasks.boundaries.formats import read_file
from earmark.values.errors import InputError


def only(texts):
    (people,) = texts.values()
    (marked,) = people.values()
    return marked


def read(tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return only(read_file(path))


def test_a_long_textgrid_is_read_as_a_short_one(tmp_path):
    text = (
        'File type = "ooTextFile"\nObject class = "TextGrid"\n\nxmin = 0\nxmax = 3\n'
        "tiers? <exists>\nsize = 1\nitem []:\n    item [1]:\n"
        '        class = "IntervalTier"\n        name = "units"\n        xmin = 0\n'
        "        xmax = 3\n        intervals: size = 2\n        intervals [1]:\n"
        '            xmin = 0\n            xmax = 1.5\n            text = "so we"\n'
        "        intervals [2]:\n            xmin = 1.5\n            xmax = 3\n"
        '            text = "say ""hi"""\n'
    )
    marked = read(tmp_path, "a.TextGrid", text)
    assert marked.words == ("so", "we", "say", "hi")
    assert marked.boundaries().after == {1, 3}


def test_an_eaf_file_with_entities_is_refused(tmp_path):
    with pytest.raises(InputError, match="must not define entities"):
        read(tmp_path, "a.eaf", '<!DOCTYPE x [<!ENTITY a "b">]><x/>')


def test_a_textgrid_must_name_itself_and_hold_what_it_says(tmp_path):
    with pytest.raises(InputError, match="must say so in its first lines"):
        read(tmp_path, "a.TextGrid", "hello")
    head = 'File type = "ooTextFile"\nObject class = "TextGrid"\n0\n1\n<exists>\n1\n'
    with pytest.raises(InputError, match="an interval tier with words"):
        read(tmp_path, "a.TextGrid", head)
    with pytest.raises(InputError, match="as many intervals as it says"):
        read(tmp_path, "a.TextGrid", head + '"IntervalTier"\n"u"\n0\n1\n3\n0\n1\n"a"\n')
