"""Metrics of captions: n-grams, graphs, sentence vectors, fluency, and our own."""
