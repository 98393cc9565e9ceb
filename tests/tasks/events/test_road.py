"""Making, asking, reconciling, files: the road of the task, and what it refuses."""

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from earmark.ask.batch import batches
from earmark.audio.level import rms
from earmark.audio.windows import window_spans
from earmark.tasks.events import TASK, ask, reconcile_windows
from earmark.tasks.events import reconcile as ways
from earmark.tasks.events.ask.crowd import Crowd
from earmark.tasks.events.files import build, read_events, read_jams, write_events, write_jams
from earmark.tasks.events.reconcile.windows import gather
from earmark.tasks.events.make.soundscapes import make_soundscapes
from earmark.tasks.events.make.plan import plan
from earmark.tasks.events.plan_values import Score
from earmark.tasks.events.make.sounds import LENGTHS, SOUNDS, synthesise
from earmark.tasks.events.values import Event, Tags, Timeline
from earmark.values.answer import Answer, Ballots
from earmark.values.errors import InputError
from earmark.values.item import Item

LABELS = ["dog", "siren"]


def recording(seconds: float = 20.0, name: str = "r") -> Item:
    return Item(name, "recording", details={"seconds": seconds, "labels": LABELS})


def ballots(truth: Timeline, *, people: int = 3) -> Ballots[Tags]:
    """Everybody hears everything that sounds in a window."""
    item = recording(truth.duration)
    units = tuple(ask.windows([item]))
    answers = []
    for unit in units:
        span = unit.span
        held = {e.label for e in truth.events if e.onset < span.end and e.offset > span.start}
        answers += [Answer(unit.id, f"p{k}", Tags(frozenset(held))) for k in range(people)]
    return Ballots(units, tuple(answers), (item,))


# ---- material


def test_a_plan_keeps_polyphony_gaps_and_labels_apart() -> None:
    lengths = {"a": 3.0, "b": 8.0, "c": 15.0}
    for kind in ("gaps", "onsets"):
        score = Score(seconds=120.0, intervals=kind)
        rng = np.random.default_rng(3)
        placed = plan(score, list(lengths), lambda k, _: (0, lengths[k]), rng)
        assert len(placed) > 5
        for at in np.arange(0.05, 120, 0.1):
            sounding = [p.event.label for p in placed if p.event.onset <= at < p.event.offset]
            assert len(sounding) <= 2 and len(set(sounding)) == len(sounding)
        assert all(0 <= p.level_db <= 20 for p in placed)


def test_classes_and_clips_are_drawn_evenly() -> None:
    rng = np.random.default_rng(1)
    drawn: Counter = Counter()
    for _ in range(60):
        placed = plan(Score(180.0), "abcdef", lambda k, r: (int(r.integers(3)), 4.0), rng)
        drawn.update(p.event.label for p in placed)
        drawn.update(f"clip {p.clip}" for p in placed)
    shares = np.array([drawn[k] for k in "abcdef"]) / sum(drawn[k] for k in "abcdef")
    assert np.abs(shares - 1 / 6).max() < 0.02
    assert min(drawn[f"clip {k}"] for k in range(3)) > 0.28 * sum(drawn[k] for k in "abcdef")


@pytest.mark.parametrize("label", sorted(SOUNDS))
def test_each_sound_is_audible_from_start_to_end_and_repeatable(label: str) -> None:
    low, high = LENGTHS[label]
    made = [synthesise(label, low + 1, rate=16000, rng=np.random.default_rng(2)) for _ in "ab"]
    assert np.array_equal(*made)
    assert np.max(np.abs(made[0])) == pytest.approx(1.0)
    other = synthesise(label, low + 1, rate=16000, rng=np.random.default_rng(3))
    assert not np.array_equal(made[0], other)
    for second in np.array_split(made[0], int(low + 1)):
        assert rms(second) > 0.005
    assert high > low


def test_the_same_seed_gives_the_same_soundscape_and_another_seed_another() -> None:
    def first(seed: int, **options):
        return next(make_soundscapes(None, seed=seed, recordings=1, seconds=20.0, **options))

    one, again, other = first(5), first(5, workers=1), first(6)
    assert np.array_equal(one.sound[0], again.sound[0]) and one.files == again.files
    assert not np.array_equal(one.sound[0], other.sound[0])
    assert len(one.sound[0]) == 20 * 22050 and np.abs(one.sound[0]).max() <= 0.99


def test_adding_a_recording_changes_no_other() -> None:
    few, more = (list(make_soundscapes(None, seed=1, recordings=n, seconds=12.0)) for n in (1, 3))
    assert np.array_equal(few[0].sound[0], more[0].sound[0])
    assert [m.item.id for m in more] == ["soundscape-00", "soundscape-01", "soundscape-02"]


def test_an_event_stands_as_far_above_the_noise_as_was_drawn() -> None:
    made = next(make_soundscapes(None, seed=2, recordings=1, seconds=30.0, snr_low=20.0))
    samples, rate = made.sound
    event = made.truth.events[0]
    inside = samples[int(event.onset * rate) : int(event.offset * rate)]
    outside = samples[: int(made.truth.events[0].onset * rate)]
    assert 20 * np.log10(rms(inside) / rms(outside)) == pytest.approx(20.0, abs=1.5)


def test_the_material_is_told_as_jams_and_tsv(tmp_path: Path) -> None:
    made = next(make_soundscapes(None, seed=3, recordings=1, seconds=40.0))
    for name, text in made.files.items():
        path = tmp_path / Path(name).name
        path.write_text(text, encoding="utf-8")
    found = [
        event for _, event in read_events(tmp_path / "soundscape-00.tsv")["soundscape-00.flac"]
    ]
    assert tuple(found) == made.truth.events
    assert sorted(read_jams(tmp_path / "soundscape-00.jams")) == sorted(made.truth.events)


def test_clips_of_a_folder_are_used_and_those_that_do_not_fit_are_counted(tmp_path: Path) -> None:
    from earmark.files.sound import write_sound

    for label, seconds in (("dog", 2.0), ("dog", 0.5), ("siren", 3.0)):
        folder = tmp_path / label
        folder.mkdir(exist_ok=True)
        tone = np.sin(np.arange(int(seconds * 8000)) / 5).astype(np.float32)
        write_sound(folder / f"{seconds}.wav", tone, 8000)
    made = next(
        make_soundscapes(None, seed=1, sounds=tmp_path, recordings=1, seconds=30.0, rate=8000)
    )
    assert made.item.details["labels"] == ["dog", "siren"]
    assert made.item.details["clips_left_out"] == 1
    with pytest.raises(InputError, match="every label needs a clip"):
        next(make_soundscapes(None, seed=1, sounds=tmp_path, shortest=2.5))


@pytest.mark.shared
def test_real_clips_make_soundscapes_too(shared: Path) -> None:
    sounds = shared / "data" / "sounds"
    made = next(make_soundscapes(None, seed=1, sounds=sounds, recordings=1, seconds=60.0))
    assert set(made.truth.labels) <= set(made.item.details["labels"])
    assert len(made.item.details["labels"]) == 6


# ---- asking


def test_three_minutes_give_171_windows_in_25_batches() -> None:
    units = list(ask.windows([recording(180.0)]))
    assert len(units) == 171
    assert len(batches(units)) == 25
    assert len(batches(units, counted_from="start")) == 15
    for batch in batches(units):
        starts = [units[k].span.start for k in batch]
        assert np.diff(starts).min(initial=99) >= 25


def test_other_windows_and_hops_change_the_units() -> None:
    assert len(window_spans(20.0, window=5.0, hop=2.5)) == 7
    assert len(list(ask.windows([recording(20.0)], window=5.0))) == 16
    with pytest.raises(InputError, match="at least one window long"):
        list(ask.windows([recording(5.0)]))


def test_the_question_shows_labels_descriptions_and_examples() -> None:
    item = Item("r", "recording", details={"seconds": 12, "labels": ["siren", "car_horn"]})
    shown = ask.show(next(iter(ask.windows([item]))))
    assert shown["labels"] == ["siren", "car_horn", "none"]
    assert set(shown["examples"]) == {"siren", "car_horn"}
    assert shown["examples"]["siren"].startswith("data:audio/")
    assert shown["end"] == 10.0 and shown["descriptions"]["siren"]


def test_an_answer_is_labels_or_none_and_never_nothing() -> None:
    unit = next(iter(ask.windows([recording()])))
    assert ask.read(unit, {"labels": ["dog"]}) == Tags({"dog"})
    assert ask.read(unit, {"labels": "none"}) == Tags()
    for form, problem in (
        ({}, "must tick a sound or say none"),
        ({"labels": ["cat"]}, "there is no label 'cat'"),
        ({"labels": ["none", "dog"]}, "none cannot be ticked beside a sound"),
    ):
        with pytest.raises(InputError, match=problem):
            ask.read(unit, form)


FORMATS = {
    "plain.csv": "item,person,labels\nr@0,ann,dog|siren\nr@1,ann,none\n",
    "mturk.csv": (
        "HITId,WorkerId,WorkTimeInSeconds,Input.item,Answer.dog.on,Answer.siren.on,Answer.none.on\n"
        "h,ann,12,r@0,true,true,false\nh,ann,9,r@1,false,false,true\n"
    ),
    "joined.csv": "WorkerId,Input.item,Answer.labels\nann,r@0,dog|siren\nann,r@1,none\n",
    "prolific.csv": "participant_id,item,labels,time_taken\nann,r@0,siren|dog,3\nann,r@1,none,\n",
    "studio.json": json.dumps(
        [
            {
                "data": {"item": "r@0"},
                "annotations": [
                    {"completed_by": "ann", "result": [{"value": {"choices": ["dog", "siren"]}}]}
                ],
            },
            {
                "data": {"item": "r@1"},
                "annotations": [
                    {
                        "completed_by": {"id": 1, "email": "ann"},
                        "result": [{"value": {"choices": ["none"]}}],
                    }
                ],
            },
        ]
    ),
}


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_answers_given_elsewhere_are_read(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text(FORMATS[name], encoding="utf-8")
    units = tuple(ask.windows([recording()]))
    found = list(ask.read_answers(path, units))
    assert [(a.item, a.person, a.value) for a in found] == [
        ("r@0", "ann", Tags({"dog", "siren"})),
        ("r@1", "ann", Tags()),
    ]


@pytest.mark.parametrize(
    ("text", "problem", "line"),
    [
        ("item,person,labels\nr@0,ann,cat\n", "there is no label 'cat'", 2),
        ("item,person,labels\nr@0,ann,dog\nr@99,ann,dog\n", "a window that was asked", 3),
        ("item,person,labels\nr@0,ann,dog\nr@0,ann,dog\n", "answers a window once", 3),
        ("item,person,labels\nr@0,ann,\n", "must tick a sound or say none", 2),
        ("item,person,labels\nr@0, ,dog\n", "must say whose it is", 2),
        ("WorkerId,Input.item,Answer.dog\nann,r@0,maybe\n", "ticked or not", 2),
        ("WorkerId,Input.item\nann,r@0\n", "needs an answer", 2),
        ("item,person,labels,seconds\nr@0,ann,dog,soon\n", "seconds must be a number", 2),
        ("who,what\nann,dog\n", "plain, MTurk's, Prolific's or Label Studio's", 1),
    ],
)
def test_wrong_answer_files_are_named_by_line(
    tmp_path: Path, text: str, problem: str, line: int
) -> None:
    path = tmp_path / "a.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=problem) as error:
        list(ask.read_answers(path, tuple(ask.windows([recording()]))))
    assert f"{path}:{line}" in str(error.value)


def test_a_simulated_crowd_repeats_itself_and_every_parameter_matters() -> None:
    from earmark.values.reference import Reference

    truth = Timeline(40, (Event("dog", 5, 12), Event("siren", 15, 30)))
    units = tuple(ask.windows([recording(40.0)]))
    settings = {"people": 30, "opinions": 5}

    def said(**changes) -> list:
        reference = Reference("truth", {"r": truth})
        given = ask.simulate(units, reference, crowd={**settings, **changes}, seed=4)
        return [(a.item, a.person, sorted(a.value.labels)) for a in given]

    plain = said()
    assert plain == said() and len(plain) == 31 * 5
    for name, value in {
        "people": 20, "opinions": 4, "spammers": 0.5, "careless": 0.8, "audibility": -3.0,
        "audibility_spread": 0.1, "skill_spread": 4.0, "settle": 9.0, "false_yes": 0.4,
        "careless_hears": 1.0, "spam_yes": 0.9, "busy_spread": 3.0, "cap": 2,
    }.items():  # fmt: skip
        base = {"spammers": 0.3, "careless": 0.3} if name in {"careless_hears", "spam_yes"} else {}
        assert said(**base) != said(**base, **{name: value}), name
    with pytest.raises(InputError, match="other parameters"):
        said(volume=3)
    with pytest.raises(InputError, match="are numbers"):
        Crowd.of({"people": "many"})


# ---- reconciling


def test_noiseless_answers_give_the_event_back_at_a_full_share() -> None:
    truth = Timeline(60, (Event("dog", 13, 17), Event("siren", 20, 33)))
    for method in (ways.by_majority, ways.by_union, ways.by_share):
        found = method(ballots(truth), seed=1, share=1.0)
        assert found.values["r"].events == truth.events


def test_at_eighty_percent_an_event_grows_by_two_seconds_each_side() -> None:
    truth = Timeline(40, (Event("dog", 13, 17),))
    found = ways.by_share(ballots(truth), seed=1)
    assert found.values["r"].events == (Event("dog", 11, 19),)


@pytest.mark.parametrize("name", sorted(TASK.reconcile))
def test_every_way_finds_a_clear_event_and_says_how_sure_it_is(name: str) -> None:
    truth = Timeline(60, (Event("dog", 20, 35),))
    found = TASK.reconcile[name](ballots(truth, people=4), seed=1)
    event = found.values["r"].events[0]
    assert event.label == "dog" and event.onset <= 20 and event.offset >= 35
    assert 0 <= found.doubt["r"] <= 1 and found.name == name
    cells = dict(found.values["r"].doubt)["dog"]
    assert len(cells) == 60 and all(0 <= value <= 1 for value in cells)


def test_the_window_hmm_keeps_borders_that_stacking_smears() -> None:
    truth = Timeline(90, (Event("dog", 20, 35), Event("siren", 50, 58)))
    given = ballots(truth, people=5)
    sharp, smeared = (way(given, seed=1) for way in (ways.by_window_hmm, ways.by_mace))
    for wanted in truth.events:
        near, far = (
            next(e for e in found.values["r"].events if e.label == wanted.label)
            for found in (sharp, smeared)
        )
        assert abs(near.onset - wanted.onset) <= 1 and abs(near.offset - wanted.offset) <= 1
        assert near.length < far.length


def test_the_order_of_answers_does_not_matter() -> None:
    truth = Timeline(30, (Event("dog", 8, 20),))
    given = ballots(truth)
    back = Ballots(given.items[::-1], given.answers[::-1], given.material)
    for name in TASK.reconcile:
        one, two = (TASK.reconcile[name](each, seed=2) for each in (given, back))
        assert one.values == two.values and one.people == two.people


def noisy(seed: int = 1) -> Ballots[Tags]:
    from earmark.tasks.events.trial import trial

    return trial(seed, crowd=Crowd(people=60, cap=999), recordings=2, seconds=60.0).ballots


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("mace", {"inference": "em"}),
        ("mace", {"sure": 0.5}),
        ("mace", {"share": 0.3}),
        ("mace", {"iterations": 1}),
        ("trusted", {"trust": 0.9}),
        ("trusted", {"inference": "em"}),
        ("share", {"share": 0.3}),
        ("majority", {"share": 0.3}),
        ("union", {"share": 0.3}),
        ("dawid-skene", {"share": 0.3}),
        ("window-hmm", {"levels": 1}),
        ("window-hmm", {"shrink": 500.0}),
        ("window-hmm", {"iterations": 1}),
        ("window-hmm", {"chance": 0.95}),
    ],
)
def test_every_option_of_every_way_matters(name: str, change: dict) -> None:
    given = noisy()
    plain = TASK.reconcile[name](given, seed=1)
    other = TASK.reconcile[name](given, seed=1, **change)
    assert plain.values != other.values or plain.people != other.people


def test_restarts_of_mace_matter() -> None:
    fits = [ways.by_mace(noisy(), seed=1, restarts=n, iterations=2) for n in (1, 6)]
    assert fits[0].people != fits[1].people


def test_windows_that_nobody_answered_or_that_are_missing_are_refused() -> None:
    given = ballots(Timeline(20, (Event("dog", 3, 9),)))
    silent = tuple(a for a in given.answers if a.item != "r@4")
    with pytest.raises(InputError, match="every window needs an answer"):
        gather(Ballots(given.items, silent, given.material))
    fewer = tuple(i for i in given.items if i.id != "r@4")
    with pytest.raises(InputError, match="without a gap") as error:
        gather(Ballots(fewer, silent, given.material))
    assert "a window that starts at 4 s" in str(error.value)


# ---- bare files


WINDOWS = "item,recording,start,end\n" + "".join(f"w{k},r,{k},{k + 10}\n" for k in range(11))
ANSWERS = "item,person,labels\n" + "".join(
    f"w{k},{who},{'dog' if k < 6 else 'none'}\n" for k in range(11) for who in ("ann", "bob")
)


def bare(tmp_path: Path, answers: str = ANSWERS, windows: str = WINDOWS, **options):
    (tmp_path / "a.csv").write_text(answers, encoding="utf-8")
    (tmp_path / "w.csv").write_text(windows, encoding="utf-8")
    return reconcile_windows(
        tmp_path / "a.csv", windows=tmp_path / "w.csv", out=tmp_path / "out", **options
    )


@pytest.mark.parametrize("by", sorted(TASK.reconcile))
def test_bare_window_answers_become_events(tmp_path: Path, by: str) -> None:
    told = bare(tmp_path, by=by)
    assert told["items"] == 11 and told["people"] == 2
    found = read_events(tmp_path / "out" / "events.tsv")["r"]
    assert [event.label for _, event in found] == ["dog"]
    lines = (tmp_path / "out" / "reference.csv").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "item,label,doubt" and lines[1].startswith("w0,dog,")
    assert lines[-1].startswith("w10,none,")


@pytest.mark.parametrize(
    ("change", "problem", "where"),
    [
        ({"answers": ANSWERS + "w99,ann,dog\n"}, "speak of a window of the table", "a.csv:24"),
        ({"answers": ANSWERS + "w1,ann,dog\n"}, "answers a window once", "a.csv:24"),
        ({"answers": ANSWERS.replace("w3,ann,dog", "w3,ann,")}, "a sound or say none", "a.csv:8"),
        ({"answers": ANSWERS.replace("w3,ann,dog", "w3,,dog")}, "needs its person", "a.csv:8"),
        ({"windows": WINDOWS.replace("w3,r,3,13", "w3,,3,13")}, "name its recording", "w.csv:5"),
        ({"windows": WINDOWS.replace("w3,r,3,13", "w3,r,13,3")}, "end after it starts", "w.csv:5"),
        ({"windows": WINDOWS.replace("w3,r,3,13", "w3,r,x,3")}, "must be a number", "w.csv:5"),
        ({"windows": WINDOWS.replace("w3,r,3,13\n", "")}, "without a gap", "w.csv:5"),
        ({"windows": WINDOWS.replace("w3,r,3,13", "w3,r,3,14")}, "as long as", "w.csv:5"),
        ({"windows": WINDOWS + "w3,r,11,21\n"}, "a window stands once", "w.csv:13"),
        ({"windows": WINDOWS + "w11,r,11,21\n"}, "every window needs an answer", "w.csv:13"),
        ({"answers": ANSWERS, "labels": ("siren",)}, "there is no label 'dog'", "a.csv:2"),
    ],
)
def test_wrong_bare_files_are_named_by_file_and_line(
    tmp_path: Path, change: dict, problem: str, where: str
) -> None:
    with pytest.raises(InputError, match=problem) as error:
        bare(tmp_path, **change)
    assert where in str(error.value)


# ---- files


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("x.wav\t2\t1\tdog", "must end after it starts"),
        ("x.wav\t-1\t1\tdog", "must end after it starts"),
        ("x.wav\tone\t1\tdog", "onset must be a number"),
        ("x.wav\t0\t1\t", "needs a label"),
        ("\t0\t1\tdog", "must name its recording"),
    ],
)
def test_wrong_events_are_named_by_line(tmp_path: Path, row: str, problem: str) -> None:
    path = tmp_path / "e.tsv"
    path.write_text(f"filename\tonset\toffset\tevent_label\n{row}\n", encoding="utf-8")
    with pytest.raises(InputError, match=problem) as error:
        read_events(path)
    assert f"{path}:2" in str(error.value)


def test_overlapping_events_of_a_label_are_refused_or_merged_as_told() -> None:
    placed = [("f:2", Event("dog", 0, 3)), ("f:3", Event("dog", 2, 5)), ("f:4", Event("cat", 1, 2))]
    with pytest.raises(InputError, match="must not overlap") as error:
        build(placed, 9.0, overlaps="refuse")
    assert "f:3" in str(error.value) and "--overlaps merge" in str(error.value)
    assert Event("dog", 0, 5) in build(placed, 9.0, overlaps="merge").events
    with pytest.raises(InputError, match="within its recording"):
        build(placed, 4.0, overlaps="merge")


def test_a_silent_recording_keeps_its_row(tmp_path: Path) -> None:
    path = tmp_path / "e.tsv"
    path.write_text(write_events({"x": Timeline(3), "y": Timeline(3, (Event("a", 0, 1),))}))
    assert {name: len(rows) for name, rows in read_events(path).items()} == {"x": 0, "y": 1}
    assert json.loads(write_jams(Timeline(3), title="x"))["annotations"][0]["data"] == []


# ---- asking again


def test_an_answer_tells_nothing_where_all_is_known_and_most_where_nothing_is() -> None:
    """One label, two columns (silent, sounding) that people tell apart: by hand.

    Known column: the answer's entropy is what it would be anyway, so nothing is told. Even odds:
    H(.5 * .1 + .5 * .9) - (H(.1) + H(.9)) / 2 = 1 - H(.1) = 1 - .469 = .531 bits.
    """
    from earmark.tasks.events.reconcile.hmm import Chain, Smoothed
    from earmark.tasks.events.ask.information_gain import telling

    numbers = np.array([[[1.0, 0.0]], [[0.5, 0.5]], [[0.0, 1.0]]])
    says_yes = np.array([[0.1, 0.9]])
    chain = Chain(np.full((1, 2, 2), 0.5), np.ones((1, 1)))
    told = telling(Smoothed(np.zeros((3, 1)), numbers, says_yes, chain, 0.0))
    assert told == pytest.approx([0.0, 0.531, 0.0], abs=1e-3)


def test_neighbours_of_a_window_that_is_asked_about_wait() -> None:
    from earmark.tasks.events.ask.information_gain import spread_out

    sheet = gather(ballots(Timeline(60, (Event("dog", 20, 30),))))
    told = np.zeros(sheet.windows)
    told[20:26] = [0.8, 1.0, 0.9, 0.7, 0.6, 0.5]
    told[45] = 0.4
    order = list(spread_out(sheet, told))
    assert sorted(order) == list(range(sheet.windows))
    assert order[:2] == [21, 45]


def test_every_window_is_ranked_when_more_is_asked() -> None:
    given = ballots(Timeline(40, (Event("dog", 15, 25),)), people=2)
    ranked = list(TASK.ask.more(given, seed=1))
    assert sorted(unit for unit, _ in ranked) == sorted(item.id for item in given.items)
    assert all(bits >= 0 for _, bits in ranked)
