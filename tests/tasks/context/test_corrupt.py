import json
import os
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from earmark.tasks.context.make.corrupt import corrupt, rebuild, restored
from earmark.tasks.context.make.corrupted import make_corrupted, part_ids, tag_documents
from earmark.tasks.context.make.documents import Tagged, document, from_tokens, read_documents
from earmark.tasks.context.make.recipe import recipe_of
from earmark.tasks.context.make.substitutes import Shelf
from earmark.tasks.context.make.variants import make_rebuilt, make_three_ways
from earmark.tasks.context.values import Passage
from earmark.text.frequency import vocabulary
from earmark.values.errors import InputError
from earmark.values.pack import pack


def word(number):
    """A word of letters only, in alphabetical order of its number."""
    return "word" + chr(97 + number // 26) + chr(97 + number % 26)


def hundred(tag="NN"):
    """A vocabulary of ranks 0..99: word k is said k + 1 times."""
    tokens = [word(k) for k in range(100) for _ in range(k + 1)]
    return vocabulary([(tokens, [(token, tag) for token in tokens])], letters=3)


class Last:
    """A draw that always takes the last."""

    def integers(self, size):
        return size - 1


def test_the_window_is_clamped_at_the_rarest_word():
    # rank 10, frame 20: ranks 0..29, the original among them
    assert hundred().window(10, 20, "NN") == list(range(30))
    assert hundred().window(50, 20, "NN") == list(range(30, 70))


def test_the_frame_doubles_until_a_substitute_fits():
    words = hundred()
    shelf = Shelf(words, recipe_of("clean", frame=2, tries=3))
    said = frozenset(word(k) for k in range(44, 54))
    found = shelf.pick(word(50), "NN", "the", said, Last())
    assert (found.frame, found.rank) == (8, 57)
    narrow = Shelf(words, recipe_of("clean", frame=2, tries=1))
    assert narrow.pick(word(50), "NN", "the", said, Last()) == "no_substitute"


def test_a_word_of_another_tag_or_too_short_is_no_substitute():
    tokens = ["dog", "cat", "ox", "runs"]
    words = vocabulary(
        [(tokens, [("dog", "NN"), ("cat", "NN"), ("ox", "NN"), ("runs", "NNS")])], letters=3
    )
    shelf = Shelf(words, recipe_of("paper-2018"))
    assert shelf.pick("dog", "NN", "", frozenset(), Last()).word == "cat"
    assert shelf.pick("runs", "NNS", "", frozenset(), Last()) == "no_substitute"


def pair(one, two, tag="NN"):
    return vocabulary([([one, two], [(one, tag), (two, tag)])], letters=3)


@pytest.mark.parametrize(
    ("one", "two", "before", "said", "option"),
    [
        ("dog", "cat", "", {"cat"}, "unseen"),
        ("dog", "owl", "a", set(), "articles"),
        ("dog", "dogs", "", set(), "lemmas"),
    ],
)
def test_each_filter_of_the_clean_preset_refuses_something(one, two, before, said, option):
    words = pair(one, two)
    strict = Shelf(words, recipe_of("clean"))
    loose = Shelf(words, recipe_of("clean", **{option: False}))
    assert strict.pick(one, "NN", before, frozenset(said), Last()) == "no_substitute"
    assert loose.pick(one, "NN", before, frozenset(said), Last()).word == two


def test_capital_letters_are_carried_over_when_asked():
    words = pair("dog", "cat")
    clean = Shelf(words, recipe_of("clean"))
    assert clean.pick("Dog", "NN", "", frozenset(), Last()).word == "Cat"
    paper = Shelf(pair("Dog", "cat"), recipe_of("paper-2018"))
    assert paper.pick("Dog", "NN", "", frozenset(), Last()).word == "cat"


def test_a_sound_alike_is_found_within_the_distance():
    words = pair("far-east", "forest")
    shelf = Shelf(words, recipe_of("clean", sound_alike=True))
    found = shelf.pick("far-east", "NN", "the", frozenset(), Last())
    assert (found.word, round(found.phonetic, 3)) == ("forest", 0.167)
    near = Shelf(words, recipe_of("clean", sound_alike=True, farthest=0.1))
    assert near.pick("far-east", "NN", "the", frozenset(), Last()) == "no_sound_alike"


def tagged(nouns, name="doc", filler=0):
    tokens = [token for noun in nouns for token in ("the", noun)] + ["and"] * filler
    tags = [tag for _ in nouns for tag in ("DT", "NN")] + ["CC"] * filler
    return Tagged.of(from_tokens(name, tokens, tags, at=name), tags)


def test_a_document_of_199_tokens_is_left_out_and_one_of_200_is_kept():
    nouns = [word(k % 7) for k in range(40)]
    short, long = tagged(nouns, "short", 119), tagged(nouns, "long", 120)
    made = list(corrupt([short, long], recipe_of("paper-2018"), seed=1))
    assert [passage.id for passage in made] == ["long"]


def test_fewer_candidates_than_swaps_are_all_swapped():
    nouns = [word(k) for k in range(60)] + [word(59), word(58), word(57)]
    made = next(corrupt([tagged(nouns, filler=100)], recipe_of("paper-2018"), seed=1))
    assert made.swaps.candidates == 3
    assert len(made.swaps.swaps) == sum(made.swaps.labels) == 3


def test_tokens_differ_from_the_original_exactly_where_the_label_is_1(talks):
    documents = {d.id: d for d in read_documents(talks)}
    for preset in ("clean", "paper-2018"):
        for made in make_corrupted(text=talks, preset=preset, seed=3, swaps=5):
            passage, original = Passage.of(made.item), documents[made.item.id]
            assert len(passage.tokens) == len(original.tokens) == made.truth.length
            changed = [a != b for a, b in zip(original.tokens, passage.tokens, strict=True)]
            assert [int(one) for one in changed] == list(made.truth.labels)
            assert sum(made.truth.labels) == len(made.truth.swaps)
            assert restored(passage.tokens, made.truth) == original.tokens
            for swap in made.truth.swaps:
                assert original.text[swap.start :].startswith(swap.was)
                assert passage.tokens[swap.previous] in (swap.was, passage.tokens[swap.previous])


def test_a_substitute_carries_the_tag_of_the_original(talks):
    documents = tag_documents(read_documents(talks))
    recipe = recipe_of("paper-2018", swaps=5)
    from earmark.tasks.context.make.corrupt import count_words

    tag_of = count_words(documents, recipe).tag_of
    for made in corrupt(documents, recipe, seed=3):
        assert all(tag_of[swap.now] == swap.tag for swap in made.swaps.swaps)


def test_in_clean_text_the_earlier_mention_stays(talks):
    for made in make_corrupted(text=talks, seed=3, swaps=10):
        assert not {swap.previous for swap in made.truth.swaps} & made.truth.at


def bytes_of(made):
    return json.dumps([[pack(m.item), pack(m.truth)] for m in made], sort_keys=True)


def test_the_order_of_documents_does_not_matter(talks, tmp_path):
    lines = talks.read_text(encoding="utf-8").splitlines()
    random.Random(5).shuffle(lines)
    other = tmp_path / "talks.jsonl"
    other.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert bytes_of(make_corrupted(text=talks, seed=9)) == bytes_of(
        make_corrupted(text=other, seed=9)
    )


def test_another_seed_gives_another_corpus(talks):
    assert bytes_of(make_corrupted(text=talks, seed=1)) != bytes_of(
        make_corrupted(text=talks, seed=2)
    )


@pytest.mark.slow
def test_the_number_of_processes_does_not_matter(talks):
    documents = read_documents(talks)
    one, two = tag_documents(documents), tag_documents(documents, processes=2)
    assert all(np.array_equal(a.codes, b.codes) for a, b in zip(one, two, strict=True))


@pytest.mark.slow
def test_the_same_seed_gives_the_same_bytes_in_any_process(talks):
    code = (
        "import hashlib,json,sys;from pathlib import Path;"
        "from earmark.tasks.context.make.corrupted import make_corrupted;"
        "from earmark.values.pack import pack;"
        "made=make_corrupted(text=Path(sys.argv[1]),seed=4,sound_alike=True);"
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
    assert bytes_of(make_corrupted(**plain)) != bytes_of(make_corrupted(**changed))


def test_stage_directions_are_left_alone_only_when_asked(tmp_path):
    said = "The wind blew . ( Laughter ) The rain came . ( Applause )".split()
    nouns = {"wind", "rain", "Laughter", "Applause"}
    row = {"id": "a", "tokens": said * 20, "tags": ["NN" if w in nouns else "X" for w in said] * 20}
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps(row), encoding="utf-8")
    said = [
        {
            s.was
            for m in make_corrupted(text=path, directions=yes, unseen=False, swaps=99)
            for s in m.truth.swaps
        }
        for yes in (True, False)
    ]
    assert "Laughter" not in said[0]
    assert "Laughter" in said[1]


def test_the_distance_of_sound_alikes_is_an_option(talks):
    near = list(make_corrupted(text=talks, seed=2, sound_alike=True, farthest=0.2, swaps=3))
    assert all(s.phonetic <= 0.2 for m in near for s in m.truth.swaps)


def test_the_change_log_alone_rebuilds_the_text_byte_for_byte(talks, tmp_path):
    from earmark.files import jsonl
    from earmark.tasks.context.files import change_line

    made = list(make_corrupted(text=talks, seed=6))
    log = tmp_path / "changes.jsonl"
    log.write_text(
        "".join(jsonl.dump(change_line(m.item.id, m.truth)) + "\n" for m in made), encoding="utf-8"
    )
    assert "The stairs" not in log.read_text(encoding="utf-8")
    again = list(make_rebuilt(text=talks, changes=log))
    assert [(m.item.id, m.item.text) for m in again] == [(m.item.id, m.item.text) for m in made]
    assert [m.item.details["offsets"] for m in again] == [m.item.details["offsets"] for m in made]


def test_a_change_log_of_another_text_is_refused(talks):
    made = next(make_corrupted(text=talks, seed=6))
    with pytest.raises(InputError, match="the original text is not the one"):
        rebuild("another text", made.truth)


def test_line_ends_of_a_text_file_survive(tmp_path):
    text = "The dog saw a cat.\r\nThe cat saw the dog.\r\nA bird, a fish and a tree.\r\n" * 12
    (tmp_path / "a.txt").write_bytes(text.encode())
    made = next(make_corrupted(text=tmp_path / "a.txt", unseen=False, skip=0, swaps=2))
    assert made.item.text.count("\r\n") == text.count("\r\n")
    assert rebuild(text, made.truth) == made.item.text


def test_a_split_is_drawn_by_the_seed_and_its_parts_are_disjoint():
    ids = [f"talk-{k}" for k in range(20)]
    parts = [part_ids(ids, split=(10, 4, 6), part=p, seed=1) for p in ("train", "develop", "test")]
    assert [len(p) for p in parts] == [10, 4, 6]
    assert len(frozenset().union(*parts)) == 20
    assert parts[0] == part_ids(ids[::-1], split=(10, 4, 6), part="train", seed=1)
    assert parts[0] != part_ids(ids, split=(10, 4, 6), part="train", seed=2)


def test_a_split_that_does_not_fit_is_refused():
    with pytest.raises(InputError, match="a split has a size for train"):
        part_ids(["a"], split=(10, 4, 6), part="train", seed=1)


def test_a_part_draws_from_the_vocabulary_of_all_documents(talks):
    whole = {m.item.id: m.truth for m in make_corrupted(text=talks, seed=3)}
    part = {
        m.item.id: m.truth for m in make_corrupted(text=talks, seed=3, split=(6, 2, 4), part="test")
    }
    assert len(part) == 4
    assert all(whole[name] == truth for name, truth in part.items())


def test_every_document_is_made_in_three_ways(talks):
    made = list(make_three_ways(text=talks, swaps=2))
    assert len(made) == 36
    assert {m.item.details["way"] for m in made} == {"clean", "paper-2018", "sound-alike"}
    assert all(m.item.id.startswith(m.item.parent) for m in made)


def test_documents_that_are_too_short_are_counted(talks):
    first = next(make_corrupted(text=talks, least=280))
    told = json.loads(first.files["left-out.json"])
    assert told["least"] == 280
    assert "orchard" not in told["too_short"]
    assert told["too_short"]


def test_only_short_documents_are_an_error(tmp_path):
    (tmp_path / "a.txt").write_text("The dog saw a cat.", encoding="utf-8")
    with pytest.raises(InputError) as error:
        list(make_corrupted(text=tmp_path / "a.txt"))
    assert str(error.value) == (
        "a document needs at least 200 words\n"
        "  got:  1 documents, the longest of 6 words\n"
        "  fix:  give longer documents, or lower --least"
    )


def test_a_text_without_nouns_is_an_error(tmp_path):
    row = {"id": "a", "tokens": ["go"] * 300, "tags": ["VERB"] * 300}
    (tmp_path / "a.jsonl").write_text(json.dumps(row), encoding="utf-8")
    with pytest.raises(InputError, match="the documents have no nouns") as error:
        list(make_corrupted(text=tmp_path / "a.jsonl"))
    assert "VERB" in str(error.value)


def test_a_text_without_any_substitute_is_an_error(tmp_path):
    row = {"id": "a", "tokens": ["the", "dog"] * 150, "tags": ["DT", "NN"] * 150}
    (tmp_path / "a.jsonl").write_text(json.dumps(row), encoding="utf-8")
    with pytest.raises(InputError, match="no noun could be swapped") as error:
        list(make_corrupted(text=tmp_path / "a.jsonl"))
    assert "140 candidates, no_substitute" in str(error.value)


def test_any_language_works_when_tags_are_supplied(tmp_path):
    nouns = ["Hund", "Katze", "Baum", "Haus", "Weg", "Tür"]
    tokens = [t for k in range(120) for t in ("und", nouns[(k * k + k // 5) % 6])]
    tags = ["CCONJ", "NOUN"] * 120
    row = {"id": "märchen", "tokens": tokens, "tags": tags}
    (tmp_path / "a.jsonl").write_text(json.dumps(row), encoding="utf-8")
    made = next(
        make_corrupted(text=tmp_path / "a.jsonl", nouns=("NOUN",), unseen=False, articles=False)
    )
    assert len(made.truth.swaps) == 10
    assert tuple(made.item.details["tags"]) == tuple(tags)


def test_no_text_at_all_is_an_error():
    with pytest.raises(InputError, match="documents are needed"):
        list(make_corrupted())
    with pytest.raises(InputError, match="there is no such file"):
        list(make_corrupted(text=Path("nowhere.jsonl")))


def test_a_document_is_cut_with_its_places():
    found = document("a", "We don't go.")
    assert found.tokens == ("We", "do", "n't", "go", ".")
