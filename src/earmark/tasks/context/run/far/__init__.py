"""The detector with a language model: what it expected, and whether an earlier noun fits better."""
