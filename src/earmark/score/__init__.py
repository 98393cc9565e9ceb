"""Numbers: a metric counts an item and rates the sum; the rest is written once, here."""
