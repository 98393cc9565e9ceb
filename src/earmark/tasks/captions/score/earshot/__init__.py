"""Earshot, our own metric: similarity, coverage, unsupported words and fluency."""
