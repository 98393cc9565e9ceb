"""Material for the laws of every metric: trials of a few speakers, and verdicts, some failed."""

from hypothesis import strategies as st

from earmark.tasks.keywords.values import Trial, Verdict

SPEAKERS = ("ana", "bo", "cem")
INERT = {
    ("misses_at_false_alarms", "false_alarms"): "three random trials hardly ever have two others "
    "of one speaker around a target; tested by hand",
}


def trials():
    return st.builds(Trial, st.sampled_from(SPEAKERS), st.booleans())


def verdicts():
    return st.builds(
        Verdict,
        st.booleans(),
        st.none() | st.floats(-5, 5),
        st.sampled_from(("ok", "ok", "ok", "timed out", "illegal")),
    )


def pairs():
    return st.tuples(trials(), verdicts())


def perfect(reference):
    return Verdict(reference.is_target, float(reference.is_target))
