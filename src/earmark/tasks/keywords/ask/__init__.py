"""The questions put to people: recordings of a text, and verdicts on trials."""
