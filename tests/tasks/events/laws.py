"""Random timelines for the laws that every metric keeps."""

from hypothesis import strategies as st

from earmark.tasks.events.values import Event, FrameScores, Timeline, merged

LABELS = ("dog", "horn", "siren")
DURATION = 20.0
INERT = {
    ("soft_f1", "active"): "needs a soft reference, which is tested by hand",
    ("intersection_f1", "cross"): "cross-triggers are counted in the details; they are made up",
    ("psds", "cross"): "matters only with cross_weight, which is tested by hand",
    ("psds", "cross_weight"): "needs cross, which is tested by hand",
    ("psds_2", "per"): "the rate's unit matters once false alarms are counted; tested by hand",
}
OTHER = {
    ("soft_f1", "steps"): 1,
    ("psds", "per"): "second",
    ("psds", "max_rate"): 2000.0,
    ("psds_2", "max_rate"): 2000.0,
    ("psds", "detection"): 0.05,
    ("psds", "coverage"): 0.05,
    ("event_f1", "collar"): 3.0,
    ("event_f1", "collar_share"): 1.0,
}


@st.composite
def timelines(draw: st.DrawFn) -> Timeline:
    rows = draw(
        st.lists(
            st.tuples(
                st.sampled_from(LABELS),
                st.integers(0, 1900),
                st.integers(10, 600),
            ),
            max_size=6,
        )
    )
    events = [Event(k, a / 100, min((a + n) / 100, DURATION)) for k, a, n in rows]
    return Timeline(DURATION, merged(events))


@st.composite
def scored(draw: st.DrawFn) -> Timeline:
    line = draw(timelines())
    frames = 10
    numbers = st.sampled_from([0.1, 0.3, 0.5, 0.7, 0.9])
    rows = tuple(tuple(draw(numbers) for _ in LABELS) for _ in range(frames))
    edges = tuple(2.0 * k for k in range(frames + 1))
    return Timeline(DURATION, line.events, FrameScores(LABELS, edges, rows))


def pairs() -> st.SearchStrategy[tuple[Timeline, Timeline]]:
    return st.tuples(timelines(), scored())


def perfect(reference: Timeline) -> Timeline:
    """Right everywhere: the same events, and a score of 1 exactly where they sound."""
    edges = sorted({0.0, DURATION, *(t for e in reference.events for t in (e.onset, e.offset))})
    rows = tuple(
        tuple(
            float(any(e.label == k and e.onset <= a < e.offset for e in reference.events))
            for k in LABELS
        )
        for a in edges[:-1]
    )
    return Timeline(DURATION, reference.events, FrameScores(LABELS, tuple(edges), rows))
