"""People: questions, batches, prices, the answer book."""
