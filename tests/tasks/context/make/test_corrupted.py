import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from tests.tasks.context.making import corrupted

from earmark.task.progress import notes_to
from earmark.tasks.context.make.corrupted import part_ids
from earmark.tasks.context.make.documents import read_documents
from earmark.tasks.context.values import Passage
from earmark.values.errors import InputError
from earmark.values.pack import pack


def test_tokens_differ_from_the_original_exactly_where_the_label_is_1(talks):
    documents = {d.id: d for d in read_documents(talks)}
    for preset in ("clean", "paper-2018"):
        for made in corrupted(text=talks, preset=preset, seed=3, swaps=5):
            passage, original = Passage.of(made.item), documents[made.item.id]
            assert len(passage.tokens) == len(original.tokens) == made.truth.length
            changed = [a != b for a, b in zip(original.tokens, passage.tokens, strict=True)]
            assert [int(one) for one in changed] == list(made.truth.labels)
            assert sum(made.truth.labels) == len(made.truth.swaps)
            assert made.truth.restored(passage.tokens) == original.tokens
            for swap in made.truth.swaps:
                assert original.text[swap.start :].startswith(swap.was)
                assert passage.tokens[swap.previous] in (swap.was, passage.tokens[swap.previous])


def test_in_clean_text_the_earlier_mention_stays(talks):
    for made in corrupted(text=talks, seed=3, swaps=10):
        assert not {swap.previous for swap in made.truth.swaps} & made.truth.at


def bytes_of(made):
    return json.dumps([[pack(m.item), pack(m.truth)] for m in made], sort_keys=True)


def test_the_order_of_documents_does_not_matter(talks, tmp_path):
    lines = talks.read_text(encoding="utf-8").splitlines()
    random.Random(5).shuffle(lines)
    other = tmp_path / "talks.jsonl"
    other.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert bytes_of(corrupted(text=talks, seed=9)) == bytes_of(corrupted(text=other, seed=9))


def test_another_seed_gives_another_corpus(talks):
    assert bytes_of(corrupted(text=talks, seed=1)) != bytes_of(corrupted(text=talks, seed=2))


@pytest.mark.slow
def test_the_same_seed_gives_the_same_bytes_in_any_process(talks):
    code = (
        "import hashlib,json,sys;from pathlib import Path;"
        "from earmark.tasks.context.make.corrupted import CorruptedOptions, make_corrupted;"
        "from earmark.values.pack import pack;"
        "options=CorruptedOptions(text=Path(sys.argv[1]),sound_alike=True);"
        "made=make_corrupted(options=options,seed=4);"
        "print(hashlib.sha256(json.dumps([[pack(m.item),pack(m.truth)] for m in made],"
        "sort_keys=True).encode()).hexdigest())"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", code, str(talks)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "77")
    }
    assert len(found) == 1


OPTIONS = {
    "swaps": 3,
    "sound_alike": True,
    "least": 280,
    "context": 4,
    "skip": 0,
    "strict_last": True,
    "frame": 5,
    "letters": 6,
    "nouns": ("NN",),
    "unseen": False,
    "evidence": False,
    "grades": ("phonetic",),
    "reveal": True,
    "preset": "paper-2018",
}


@pytest.mark.parametrize("name", sorted(OPTIONS))
def test_every_option_changes_what_is_made(talks, name):
    plain = {"text": talks, "seed": 2, "frame": 10}
    changed = {**plain, name: OPTIONS[name]}
    assert bytes_of(corrupted(**plain)) != bytes_of(corrupted(**changed))


def test_stage_directions_are_left_alone_only_when_asked(tmp_path):
    said = "The wind blew . ( Laughter ) The rain came . ( Applause )".split()
    nouns = {"wind", "rain", "Laughter", "Applause"}
    row = {"id": "a", "tokens": said * 20, "tags": ["NN" if w in nouns else "X" for w in said] * 20}
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps(row), encoding="utf-8")
    swapped = [
        {
            s.was
            for m in corrupted(text=path, directions=yes, unseen=False, swaps=99)
            for s in m.truth.swaps
        }
        for yes in (True, False)
    ]
    assert "Laughter" not in swapped[0]
    assert "Laughter" in swapped[1]


def test_the_distance_of_sound_alikes_is_an_option(talks):
    near = list(corrupted(text=talks, seed=2, sound_alike=True, farthest=0.2, swaps=3))
    assert all(s.phonetic <= 0.2 for m in near for s in m.truth.swaps)


def test_a_split_is_drawn_by_the_seed_and_its_parts_are_disjoint():
    ids = [f"talk-{k}" for k in range(20)]
    parts = [part_ids(ids, split=(10, 4, 6), part=p, seed=1) for p in ("train", "develop", "test")]
    assert [len(p) for p in parts] == [10, 4, 6]
    assert len(frozenset().union(*parts)) == 20
    assert parts[0] == part_ids(ids[::-1], split=(10, 4, 6), part="train", seed=1)
    assert parts[0] != part_ids(ids, split=(10, 4, 6), part="train", seed=2)


def test_a_split_that_does_not_fit_is_refused():
    with pytest.raises(InputError, match="a split needs a size for train"):
        part_ids(["a"], split=(10, 4, 6), part="train", seed=1)


def test_a_part_draws_from_the_vocabulary_of_all_documents(talks):
    whole = {m.item.id: m.truth for m in corrupted(text=talks, seed=3)}
    part = {m.item.id: m.truth for m in corrupted(text=talks, seed=3, split=(6, 2, 4), part="test")}
    assert len(part) == 4
    assert all(whole[name] == truth for name, truth in part.items())


def test_documents_that_are_too_short_are_counted(talks):
    first = next(corrupted(text=talks, least=280))
    told = json.loads(first.files["left-out.json"])
    assert told["least"] == 280
    assert "orchard" not in told["too_short"]
    assert told["too_short"]


def test_only_short_documents_are_an_error(tmp_path):
    (tmp_path / "a.txt").write_text("The dog saw a cat.", encoding="utf-8")
    with pytest.raises(InputError) as error:
        list(corrupted(text=tmp_path / "a.txt"))
    assert str(error.value) == (
        "a document needs at least 200 words\n"
        "  got:  1 documents, the longest of 6 words\n"
        "  fix:  give longer documents, or lower --least"
    )


def test_a_text_without_nouns_is_an_error(tmp_path):
    row = {"id": "a", "tokens": ["go"] * 300, "tags": ["VERB"] * 300}
    (tmp_path / "a.jsonl").write_text(json.dumps(row), encoding="utf-8")
    with pytest.raises(InputError, match="the documents have no nouns") as error:
        list(corrupted(text=tmp_path / "a.jsonl"))
    assert "VERB" in str(error.value)


def test_a_text_without_any_substitute_is_an_error(tmp_path):
    row = {"id": "a", "tokens": ["the", "dog"] * 150, "tags": ["DT", "NN"] * 150}
    (tmp_path / "a.jsonl").write_text(json.dumps(row), encoding="utf-8")
    with pytest.raises(InputError, match="no noun could be swapped") as error:
        list(corrupted(text=tmp_path / "a.jsonl"))
    assert "140 candidates, no_substitute" in str(error.value)


def test_any_language_works_when_tags_are_supplied(tmp_path):
    nouns = ["Hund", "Katze", "Baum", "Haus", "Weg", "Tür"]
    tokens = [t for k in range(120) for t in ("und", nouns[(k * k + k // 5) % 6])]
    tags = ["CCONJ", "NOUN"] * 120
    row = {"id": "märchen", "tokens": tokens, "tags": tags}
    (tmp_path / "a.jsonl").write_text(json.dumps(row), encoding="utf-8")
    loose = {"unseen": False, "articles": False, "once": False}
    made = next(corrupted(text=tmp_path / "a.jsonl", nouns=("NOUN",), **loose))
    assert len(made.truth.swaps) == 10
    assert tuple(made.item.details["tags"]) == tuple(tags)


def test_no_text_at_all_is_an_error():
    with pytest.raises(InputError, match="documents are needed"):
        list(corrupted())
    with pytest.raises(InputError, match="there is no such file"):
        list(corrupted(text=Path("nowhere.jsonl")))


def test_swaps_that_find_no_place_and_short_documents_are_counted(talks):
    notes: list[str] = []
    with notes_to(notes.append):
        made = list(corrupted(text=talks, swaps=500))
    swaps = sum(len(one.truth.swaps) for one in made)
    assert notes[0].startswith(f"{swaps} swaps of {500 * len(made)} wanted, 0 of ")
    least = min(one.truth.length for one in made) + 1
    with notes_to(notes.append):
        short = len(made) - len(list(corrupted(text=talks, least=least, swaps=1)))
    assert notes[-1] == f"{short} documents of fewer than {least} words left out"


def test_single_sentences_hold_a_swap_each_and_are_those_of_the_documents(talks):
    whole = {made.item.id: made for made in corrupted(text=talks, seed=3)}
    single = list(corrupted(text=talks, seed=3, sentences=True))
    assert sum(len(made.truth.at) for made in single) == sum(
        len(made.truth.at) for made in whole.values()
    )
    for made in single:
        document = whole[made.item.parent]
        low = int(made.item.id.rpartition("/")[2])
        tokens = Passage.of(made.item).tokens
        assert made.item.text in document.item.text
        assert tokens == Passage.of(document.item).tokens[low : low + len(tokens)]
        assert {at + low for at in made.truth.at} <= document.truth.at
        assert made.truth.at
    with pytest.raises(InputError, match="without --reveal"):
        list(corrupted(text=talks, seed=3, sentences=True, reveal=True))
