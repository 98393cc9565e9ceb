"""Numbers about numbers: rates, intervals, agreement, ranks."""
