"""A detector of disfluent captions, and the penalty that FENSE takes for them."""
