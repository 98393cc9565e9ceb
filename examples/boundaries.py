"""Three people and a system disagree about a short talk: score the system against all of them."""

from earmark import evaluate
from earmark.tasks import boundaries
from earmark.tasks.boundaries.survey import human_ceiling, limit_curve, sanity_rows

words = (
    "well i went to the harbour it was early nobody was there why should they be "
    "the boats come in at nine and the market opens at ten"
).split()


def ends(*last):
    """Return boundaries after these words, at their first occurrence."""
    return boundaries.Boundaries(len(words), {words.index(word) for word in last})


panel = boundaries.Panel(
    (
        ends("harbour", "early", "there", "be", "nine", "ten"),
        ends("harbour", "there", "be", "ten"),
        ends("well", "harbour", "early", "be", "ten"),
    ),
    ("ann", "bob", "cy"),
)
output = ends("harbour", "early", "they", "ten")

for build in (boundaries.wisebe, boundaries.window_f1, boundaries.agreement_ratio):
    score = evaluate(build(), {"talk": panel}, {"talk": output}, resamples=0)
    print(score)
    print(score.signature)

metric = boundaries.window_f1()
print("people against the others:", human_ceiling(metric, {"talk": panel}))
print("trivial systems:", sanity_rows(metric, {"talk": panel}))
print("over the limit:", limit_curve({"talk": panel}, {"talk": output}, limits=range(5)))
