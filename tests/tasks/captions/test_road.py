"""Files, making, asking, reconciling: the road before any score."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
import soundfile

import earmark
from earmark.files.digest import digest
from earmark.study import Study
from earmark.tasks.captions.ask import (
    PEOPLE,
    QUESTION,
    PairOptions,
    leave_out,
    pair_of,
)
from earmark.tasks.captions.files import measure, notes, read_captions, read_outputs
from earmark.tasks.captions.make import CaptionFiles, make_captions
from earmark.tasks.captions.reconcile import (
    PreferenceOptions,
    agreement,
    bradley_terry,
    by_preference,
    winner_of,
)
from earmark.tasks.captions.tour import SYSTEMS, write_scenes
from earmark.tasks.captions.values import (
    Captions,
    ContestPosterior,
    JudgedCaption,
    Pair,
    Preference,
)
from earmark.values.answer import Answer, Ballots
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.reference import Reference


def write(path, text):
    path.write_text(text, encoding="utf-8")
    return path


def test_several_rows_an_item_are_several_captions(tmp_path):
    path = write(tmp_path / "a.csv", 'item,caption\nx,a dog\nx,barks\ny,"rain, then wind"\n')
    assert read_captions(path) == {
        "x": Captions.of("a dog", "barks"),
        "y": Captions.of("rain, then wind"),
    }


def test_lines_of_json_are_read_too(tmp_path):
    path = write(tmp_path / "a.jsonl", '{"item": "x", "caption": "a dog"}\n')
    assert read_captions(path) == {"x": Captions.of("a dog")}


def test_an_empty_reference_is_refused_with_its_line(tmp_path):
    path = write(tmp_path / "a.csv", "item,caption\nx,a dog\ny,\n")
    with pytest.raises(InputError, match=r"a reference must not be empty\n  at:   .*a.csv:3"):
        read_captions(path)


def test_an_empty_candidate_is_legal_and_noted(tmp_path):
    references = write(tmp_path / "r.csv", "item,caption\nx,a dog\n")
    output = write(tmp_path / "o.csv", "item,caption\nx,\n")
    pairing = measure((references,), output)
    assert pairing.output == {"x": Captions.of("")}
    assert "1 caption is empty" in str(pairing.details["notes"])


def test_a_missing_item_is_named(tmp_path):
    references = write(tmp_path / "r.csv", "item,caption\nx,a dog\ny,rain\n")
    output = write(tmp_path / "o.csv", "item,caption\nx,a dog\n")
    with pytest.raises(InputError, match=r"1 item \(y\) only in the reference"):
        measure((references,), output)
    with pytest.raises(InputError, match="add --output"):
        measure((references,), None)


CLOTHO = (
    'file_name,caption_1,caption_2\nrain on tin.wav,rain falls,"rain, on tin"\nb.wav,a dog,barks\n'
)


def test_clotho_references_and_a_dcase_submission_are_measured_as_they_are(tmp_path):
    references = write(tmp_path / "clotho.csv", CLOTHO)
    output = write(
        tmp_path / "o.csv", "file_name,caption_predicted\nb.wav,a dog\nrain on tin.wav,\n"
    )
    pairing = measure((references,), output)
    assert pairing.reference == {
        "rain on tin.wav": Captions.of("rain falls", "rain, on tin"),
        "b.wav": Captions.of("a dog", "barks"),
    }
    assert pairing.output == {"b.wav": Captions.of("a dog"), "rain on tin.wav": Captions.of("")}
    items = (Item("b.wav", "sound"), Item("rain on tin", "sound"))
    assert [one.value.texts for one in read_outputs(output, items)] == [("a dog",), ("",)]


def test_audiocaps_has_a_row_per_caption_of_a_video(tmp_path):
    head = "audiocap_id,youtube_id,start_time,caption\n"
    rows = "103549,7fmOlUlwoNg,20,A rattle\n103541,7fmOlUlwoNg,20,Noise\n"
    path = write(tmp_path / "test.csv", head + rows)
    assert read_captions(path) == {"7fmOlUlwoNg": Captions.of("A rattle", "Noise")}
    output = write(tmp_path / "o.csv", "youtube_id,caption\n7fmOlUlwoNg,a rattle\n")
    assert measure((path,), output).output == {"7fmOlUlwoNg": Captions.of("a rattle")}
    twice = write(tmp_path / "twice.csv", head + rows + "9,7fmOlUlwoNg,90,A dog\n")
    with pytest.raises(InputError, match=r"the same part of it\n  at:   .*twice.csv:4"):
        read_captions(twice)


COCO = '{"images": [{"id": 1}], "annotations": [{"image_id": 1, "id": 9, "caption": "a dog"}]}'


@pytest.mark.parametrize(
    ("document", "captions"),
    [
        ('{"a": ["a dog", "barks"], "b": "rain"}', {"a": ("a dog", "barks"), "b": ("rain",)}),
        ('[{"file_name": "a.wav", "caption": "a dog"}]', {"a.wav": ("a dog",)}),
        (COCO, {"1": ("a dog",)}),
        ('{"item": "a", "captions": ["a dog", "barks"]}', {"a": ("a dog", "barks")}),
    ],
    ids=["by item", "rows", "coco", "one row"],
)
def test_one_document_of_json_is_read_as_captioning_tools_write_it(tmp_path, document, captions):
    path = write(tmp_path / "captions.json", document)
    assert read_captions(path) == {item: Captions.of(*texts) for item, texts in captions.items()}


@pytest.mark.parametrize("document", ["3", "[3]", '{"a": [3]}', '{"a": []}', '[{"item": "a"}]'])
def test_other_documents_of_json_are_refused_by_place(tmp_path, document):
    with pytest.raises(InputError, match=r"captions\.json"):
        read_captions(write(tmp_path / "captions.json", document))


def test_bleu_of_captions_that_are_all_right_has_a_bound(tmp_path):
    """BLEU's program adds tiny constants: resamples of what is all right differ by 1e-10."""
    references = write(tmp_path / "a.csv", "item,caption\na,a dog barks\nb,rain falls on tin\n")
    score = earmark.measure(
        "captions", reference=references, output=references, metrics=["bleu_1"]
    )["bleu_1"]
    assert score.interval is not None
    assert score.interval.low == pytest.approx(0.05 ** (1 / 2), abs=1e-6)


def test_a_table_of_another_layout_is_refused_with_all_layouts(tmp_path):
    with pytest.raises(InputError, match="file_name, caption_predicted"):
        read_captions(write(tmp_path / "a.csv", "file,text\nx,a dog\n"))
    both = "file_name,caption_predicted,caption_1\nx,a dog,a cat\n"
    with pytest.raises(InputError, match="references or an output, not both"):
        read_captions(write(tmp_path / "b.csv", both))


def test_a_study_is_made_of_clotho_with_or_without_its_sounds(tmp_path):
    references = write(tmp_path / "clotho.csv", CLOTHO)
    without = list(make_captions(None, CaptionFiles(captions=references)))
    assert [one.item.media for one in without] == [None, None]
    assert without[1].truth == Captions.of("a dog", "barks")
    with pytest.raises(InputError, match="a sound that is named must be there"):
        list(make_captions(None, CaptionFiles(captions=references, sounds=tmp_path)))
    for name in ("rain on tin.wav", "b.wav"):
        soundfile.write(tmp_path / name, np.full((800, 2), (0.5, 0.0)), 8000)
    study = Study.create(tmp_path / "study", task="captions")
    study.make(captions=references)
    for name in ("rain on tin.wav", "b.wav"):
        (tmp_path / name).unlink()
    assert [Path(str(item.media)).name for item in study.items()] == [
        "0000-rain-on-tin-wav.flac", "0001-b-wav.flac",
    ]  # fmt: skip
    samples, rate = soundfile.read(str(study.items()[0].media))
    assert rate == 8000 and samples[0] == pytest.approx(0.25)


def test_lines_of_json_have_the_names_of_tables_and_lists_of_captions(tmp_path):
    lines = [
        {"file_name": "x.wav", "caption_1": "a dog", "caption_2": "barks"},
        {"id": "y", "captions": ["rain", "it rains"]},
        {"item": "z", "caption": "wind"},
    ]
    path = write(tmp_path / "r.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
    assert {name: one.texts for name, one in read_captions(path).items()} == {
        "x.wav": ("a dog", "barks"), "y": ("rain", "it rains"), "z": ("wind",),
    }  # fmt: skip
    for wrong, words in (
        ({"id": "x", "caption": None}, "a caption must be a text"),
        ({"id": None, "caption": "a dog"}, "an item must be a text"),
        ({"caption": "a dog"}, "fix:  add item"),
    ):
        with pytest.raises(InputError, match=words):
            read_captions(write(tmp_path / "w.jsonl", json.dumps(wrong) + "\n"))


def test_systems_captions_match_items_with_or_without_folder_and_extension(tmp_path):
    references = write(tmp_path / "r.csv", "item,caption\nx.wav,a dog\ny.wav,rain\n")
    systems = write(tmp_path / "s.csv", "item,system,caption\nout/x,m,a cat\ny,m,wind\n")
    x, y = make_captions(None, CaptionFiles(captions=references, systems=systems))
    assert x.item.details["systems"] == {"m": "a cat"}
    assert y.item.details["systems"] == {"m": "wind"}
    systems = write(tmp_path / "s.csv", "item,system,caption\nx,m,a cat\nq,m,wind\n")
    counted = r"q; 1 of 2 items are among 2 items \(x.wav, y.wav\)"
    with pytest.raises(InputError, match=counted):
        list(make_captions(None, CaptionFiles(captions=references, systems=systems)))


def test_items_match_with_or_without_folder_and_extension(tmp_path):
    references = write(tmp_path / "r.csv", "item,caption\nx.wav,a dog\ny.wav,rain\n")
    output = write(tmp_path / "o.csv", "item,caption\naudio/y.flac,rain\naudio/x.flac,a dog\n")
    pairing = measure((references,), output)
    assert pairing.output == {"x.wav": Captions.of("a dog"), "y.wav": Captions.of("rain")}
    same = write(tmp_path / "same.csv", "item,caption\ny.wav,rain\nx.wav,a dog\n")
    assert digest(pairing.output) == digest(read_captions(same))
    items = (Item("x", "sound"), Item("y", "sound"))
    assert [one.item for one in read_outputs(output, items)] == ["x", "y"]


def test_a_malformed_table_is_named(tmp_path):
    path = write(tmp_path / "r.csv", "item,caption\nx,a,b\n")
    with pytest.raises(InputError, match="one cell per column"):
        read_captions(path)
    with pytest.raises(InputError, match="must belong to an item"):
        read_captions(write(tmp_path / "s.csv", "item,caption\n,a\n"))
    with pytest.raises(InputError, match="at least one caption"):
        read_captions(write(tmp_path / "t.csv", "item,caption\n"))


def test_foreign_letters_and_long_captions_are_noted():
    said = {"x": Captions.of("犬が吠える"), "y": Captions.of("dog " * 10_000)}
    told = " ".join(notes({"x": Captions.of("a dog"), "y": Captions.of("a dog")}, said))
    assert "hardly in English letters (item x" in told
    assert "longer than the encoder reads" in told


def test_a_file_is_a_system_when_it_speaks_of_every_item(tmp_path):
    path = write(tmp_path / "mine.csv", "item,caption\nx,a dog\n")
    assert [o.value for o in read_outputs(path, (Item("x", "sound"),))] == [Captions.of("a dog")]
    with pytest.raises(InputError, match="same items"):
        list(read_outputs(path, (Item("x", "sound"), Item("y", "sound"))))


@pytest.fixture
def made(tmp_path):
    write_scenes(tmp_path, 7)
    return list(
        make_captions(
            None,
            CaptionFiles(captions=tmp_path / "references.csv", systems=tmp_path / "systems.csv"),
            seed=7,
        )
    )


def test_making_needs_a_file_and_systems_that_speak_of_it(tmp_path):
    with pytest.raises(InputError, match="add --captions"):
        list(make_captions(None))
    references = write(tmp_path / "r.csv", "item,caption\nx,a dog\n")
    systems = write(tmp_path / "s.csv", "item,system,caption\ny,m,a cat\n")
    with pytest.raises(InputError, match="of sounds that have references"):
        list(make_captions(None, CaptionFiles(captions=references, systems=systems)))
    with pytest.raises(InputError, match="a sound that is named must be there"):
        list(
            make_captions(
                None,
                CaptionFiles(
                    captions=write(tmp_path / "t.csv", "item,caption,sound\nx,a dog,x.wav\n"),
                    sounds=tmp_path,
                ),
            )
        )


def test_pairs_are_of_four_kinds_and_no_side_is_the_good_one(made):
    items = [one.item for one in made]
    units = list(QUESTION.units(items))
    kinds = [pair_of(unit).kind for unit in units]
    assert {kind: kinds.count(kind) for kind in ("HC", "HI", "HM", "MM")} == {
        "HC": 12, "HI": 12, "HM": 12, "MM": 36,
    }  # fmt: skip
    people_first = [pair_of(u).first_from.startswith("person") for u in units if "HM" in u.id]
    assert 0 < sum(people_first) < 12
    assert [u.id for u in QUESTION.units(items)] == [u.id for u in units]
    assert len(list(QUESTION.units(items, PairOptions(machine_pairs=1)))) == 48
    other = list(QUESTION.units(items, PairOptions(pair_seed=1)))
    assert [u.details for u in other] != [u.details for u in units]


def test_the_page_does_not_say_who_wrote_what(made):
    unit = next(QUESTION.units([one.item for one in made]))
    assert set(QUESTION.show(unit)) == {"first", "second", "sound"}
    assert QUESTION.read(unit, {"winner": "second"}) == Preference("second")
    with pytest.raises(InputError, match="a preference names a winner"):
        QUESTION.read(unit, {"winner": "both"})


def test_answers_are_read_from_a_table(tmp_path, made):
    units = tuple(QUESTION.units([one.item for one in made]))
    path = write(tmp_path / "a.csv", f"item,person,winner\n{units[0].id},p,-1\n")
    assert [a.value for a in QUESTION.read_answers(path, units)] == [Preference("second")]
    with pytest.raises(InputError, match="a pair that was asked"):
        list(QUESTION.read_answers(write(tmp_path / "b.csv", "item,person,winner\nz,p,1\n"), units))


def test_simulated_judges_make_a_ranking(made):
    items = tuple(one.item for one in made)
    units = tuple(QUESTION.units(items))
    truth = Reference("truth", {one.item.id: one.truth for one in made})
    assert QUESTION.simulate is not None
    answers = tuple(QUESTION.simulate(units, truth, crowd=QUESTION.crowd, seed=3))
    assert len(answers) == 4 * len(units)
    reference = by_preference(Ballots(units, answers, items), seed=3)
    strengths = reference.made_by["systems"]
    assert isinstance(strengths, dict)
    assert strengths["careful"] > strengths["padded"]
    assert set(strengths) == {*SYSTEMS, "people"}
    assert set(reference.values) == {item.id for item in items}
    assert all(0 <= doubt <= 1 for doubt in reference.doubt.values())
    assert all(0.4 < value <= 1 for value in reference.people.values())
    again = tuple(QUESTION.simulate(units, truth, crowd=QUESTION.crowd, seed=3))
    assert again == answers


def test_a_reference_that_loses_to_another_sound_is_dropped():
    sound = Item("x", "sound", details={"captions": ["a dog", "nonsense"], "systems": {}})
    details = {
        "sound": "x", "kind": "HI", "first": "nonsense", "second": "rain falls",
        "first_from": "person", "second_from": "other:y",
    }  # fmt: skip
    unit = Item("x-HI", "pair", details=details, parent="x")
    answers = tuple(Answer("x-HI", f"p{n}", Preference("second")) for n in range(3))
    ballots = Ballots((unit,), answers, (sound,))
    assert by_preference(ballots).values["x"] == Captions.of("a dog")
    assert by_preference(ballots, PreferenceOptions(drop_rejected=False)).values[
        "x"
    ] == Captions.of("a dog", "nonsense")


def test_the_judges_of_a_reference_are_drawn_and_it_stays_or_goes():
    """Two of three judges are against it: of three that are drawn, two or more in 20 of 27."""
    captions = ("a dog", "nonsense")
    judged = JudgedCaption("nonsense", ("ann", "bob", "cy"), (-1, -1, 1))
    posterior = ContestPosterior(captions, (judged,))
    draws = [posterior.draw(Captions(captions), item="x", seed=seed) for seed in range(300)]
    share = sum(draw == Captions.of("a dog") for draw in draws) / 300
    assert share == pytest.approx(20 / 27, abs=0.08)
    assert set(draws) == {Captions.of("a dog"), Captions(captions)}
    calm = ContestPosterior(captions)
    assert calm.draw(Captions(captions), item="x", seed=1) == Captions(captions)
    with pytest.raises(InputError, match="every judge of a pair needs one vote"):
        JudgedCaption("nonsense", ("ann",), ())


def test_votes_against_a_reference_are_kept_whichever_side_it_was_on():
    sound = Item("x", "sound", details={"captions": ["a dog", "nonsense"], "systems": {}})
    details = {
        "sound": "x", "kind": "HI", "first": "rain falls", "second": "nonsense",
        "first_from": "other:y", "second_from": "person",
    }  # fmt: skip
    unit = Item("x-HI", "pair", details=details, parent="x")
    votes = {"ann": "first", "bob": "second", "cy": "neither"}
    answers = tuple(Answer("x-HI", person, Preference(won)) for person, won in votes.items())
    ballots = Ballots((unit,), answers, (sound,))
    judged = JudgedCaption("nonsense", ("ann", "bob", "cy"), (-1, 1, 0))
    posterior = by_preference(ballots).posterior["x"]
    assert posterior == ContestPosterior(("a dog", "nonsense"), (judged,))
    kept_all = by_preference(ballots, PreferenceOptions(drop_rejected=False)).posterior["x"]
    assert kept_all == ContestPosterior(("a dog", "nonsense"))


def test_the_sum_of_votes_decides():
    assert winner_of([1, -1, 0, 0]) == Preference("neither", 0)
    assert winner_of([-1, -1, 1, 0]) == Preference("second", 1)
    assert (
        agreement({"u": {"a": 1, "b": 1, "c": -1}})["a"] != agreement({"u": {"a": -1, "b": 1}})["a"]
    )


def test_bradley_terry_by_hand():
    # a beats b 3 to 1, b beats c 3 to 1: strengths 9 : 3 : 1.
    found = bradley_terry({("a", "b"): 3, ("b", "a"): 1, ("b", "c"): 3, ("c", "b"): 1}, prior=0.0)
    assert found["a"] / found["b"] == pytest.approx(3)
    assert found["b"] / found["c"] == pytest.approx(3)
    assert math.fsum(found.values()) == pytest.approx(1)
    assert bradley_terry({}) == {}
    sure = bradley_terry({("a", "b"): 5})
    assert 0.9 < sure["a"] < 1
    assert bradley_terry({("a", "b"): 5}, prior=2.0)["a"] < sure["a"]
    with pytest.raises(InputError, match="0 or more"):
        bradley_terry({("a", "b"): 1}, prior=-1)


def test_values_check_themselves():
    with pytest.raises(InputError, match="at least one caption"):
        Captions(())
    with pytest.raises(InputError, match="captions are a list of texts"):
        Captions("a dog barks")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="one of four kinds"):
        Pair("a", "b", "XX")
    with pytest.raises(InputError, match="names a winner"):
        Preference("both")


def test_a_writer_is_scored_against_what_the_others_wrote_beside_the_systems():
    captions = {"a": ["a dog", "a dog", "one dog"], "b": ["rain"], "c": ["wind", "a storm"]}
    items = tuple(Item(k, "sound", details={"captions": v}) for k, v in captions.items())
    asked: Ballots[Preference] = Ballots((), (), items)
    assert PEOPLE.names(asked) == ("writer 1", "writer 2", "writer 3")
    assert PEOPLE.output(asked, "writer 2") == {
        "a": Captions.of("a dog"),
        "c": Captions.of("a storm"),
    }
    truth = {name: Captions(tuple(texts)) for name, texts in captions.items()}
    # the other writer of the same words stays; the only caption of b is taken out, and b with it
    assert leave_out(truth, asked, "writer 1") == {
        "a": Captions.of("a dog", "one dog"),
        "c": Captions.of("a storm"),
    }
    # judges have rejected a caption of c: nothing is left but the other writer's
    judged = {**truth, "c": Captions.of("wind")}
    assert leave_out(judged, asked, "writer 2")["c"] == Captions.of("wind")
