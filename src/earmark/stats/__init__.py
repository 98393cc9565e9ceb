"""Numbers about numbers: rates, intervals, tests, agreement, entropy, time warping."""
