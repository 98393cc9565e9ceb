"""Listening to a stream: windows are judged as clips are, whatever the chunks."""

import numpy as np
import pytest

from earmark.tasks.keywords.clips import read_clip
from earmark.tasks.keywords.run.auto import AutoDetector
from earmark.tasks.keywords.run.enrolment import enrol
from earmark.tasks.keywords.run.listening import StreamListener, WindowVerdict, wakes
from earmark.tasks.keywords.run.model_file import load_model
from earmark.tasks.keywords.values import Verdict
from earmark.values.errors import InputError

RATE = 16000


def loudest(samples: np.ndarray) -> Verdict:
    """A detector for tests: the score is the loudest sample."""
    return Verdict(awake=bool(samples.max() > 0.5), score=float(samples.max()))


@pytest.mark.parametrize("chunk", [1000, 4000, 7777, 64000])
def test_windows_do_not_depend_on_the_chunks_in_which_sound_arrives(chunk: int) -> None:
    stream = np.random.default_rng(0).random(40000).astype(np.float32)
    listener = StreamListener(loudest, window=1.0, hop=0.25)
    judged = [
        one
        for start in range(0, len(stream), chunk)
        for one in listener.feed(stream[start : start + chunk])
    ]
    judged += listener.rest()
    assert [one.end for one in judged] == [*(0.25 * k for k in range(1, 11)), 2.5][:10]
    for one in judged:
        clip = stream[round(one.start * RATE) : round(one.end * RATE)]
        assert one.verdict == loudest(clip)
        assert one.end - one.start == pytest.approx(min(1.0, one.end))


def test_what_is_left_when_the_stream_ends_is_judged_too() -> None:
    listener = StreamListener(loudest, window=1.0, hop=0.5)
    stream = np.zeros(10000, dtype=np.float32)
    assert [one.end for one in (*listener.feed(stream), *listener.rest())] == [0.5, 0.625]
    assert not list(listener.rest())


def test_a_keyword_that_lies_in_several_windows_wakes_once() -> None:
    awake = {0.75, 1.0, 1.5, 3.0}
    judged = [
        WindowVerdict(max(0.0, end - 1.0), end, Verdict(awake=end in awake))
        for end in np.arange(0.25, 4.0, 0.25)
    ]
    assert [one.end for one in wakes(judged)] == [0.75, 3.0]


def test_a_window_shorter_than_a_hop_is_refused() -> None:
    with pytest.raises(InputError, match="a window must be at least as long as a hop"):
        StreamListener(loudest, window=0.1, hop=0.25)


@pytest.fixture(scope="module")
def owner(networks: None, recordings) -> AutoDetector:
    paths = sorted((recordings / "ana" / "lamp").iterdir())[:3]
    clips = [read_clip(path).floats() for path in paths]
    return AutoDetector.of(
        load_model(), enrol(clips, seed=0, speaker="ana", copies=1), "ana", penalty=9.0
    )


def test_a_window_of_a_stream_has_the_score_of_the_same_clip(owner, recordings) -> None:
    words = [("ana", "river"), ("ana", "lamp"), ("dee", "stone")]
    clips = [read_clip(recordings / who / what / "6.wav").floats() for who, what in words]
    stream = np.concatenate(clips)
    listener = StreamListener(owner.judge, window=1.5, hop=0.5)
    judged = [*listener.feed(stream), *listener.rest()]
    for one in judged[2:5]:
        clip = stream[round(one.start * RATE) : round(one.end * RATE)]
        assert one.verdict == owner.judge(clip)


def test_passing_over_voices_that_cannot_matter_decides_the_same(owner, recordings) -> None:
    passed = 0
    for who, what in (("ana", "lamp"), ("ana", "river"), ("bo", "lamp"), ("dee", "stone")):
        clip = read_clip(recordings / who / what / "6.wav").floats()
        whole, quick = owner.judge(clip), owner.judge_if_words_fit(clip)
        assert quick.awake == whole.awake
        assert quick.score in (whole.score, None)
        passed += quick.score is None
    assert passed
