"""Links of crowd markets: the parameters they add, and the person that these name.

Prolific adds PROLIFIC_PID, STUDY_ID and SESSION_ID; Mechanical Turk workerId, assignmentId, hitId
and turkSubmitTo. Nobody vouches for them, so they are exchanged for a signed token at once.
"""

from collections.abc import Mapping

from earmark.ask.live.people import Arrival

# market to the parameter that names the person, and the others that are stored with it
MARKETS = {
    "prolific": ("PROLIFIC_PID", ("STUDY_ID", "SESSION_ID")),
    "mturk": ("workerId", ("assignmentId", "hitId", "turkSubmitTo")),
}
LONGEST = 200  # characters of a parameter; a market's ids have 24 to 30


def arrival(params: Mapping[str, str]) -> Arrival | None:
    """Return where somebody comes from who opened a market's link, or None.

    Examples
    --------
    >>> arrival({"PROLIFIC_PID": "5f1a", "SESSION_ID": "s1"}).details
    {'SESSION_ID': 's1'}
    """
    for market, (name, others) in MARKETS.items():
        outside = params.get(name, "")
        if outside and len(outside) <= LONGEST and outside.isprintable():
            details = {other: params.get(other, "")[:LONGEST] for other in others}
            shown = {o: text for o, text in details.items() if text and text.isprintable()}
            return Arrival(market, outside, shown)
    return None
