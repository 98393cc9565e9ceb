"""Files of passages, tokens and scores, in and out."""
