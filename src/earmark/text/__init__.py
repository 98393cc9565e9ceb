"""Text: tokens, tags, trees, pronunciation, vectors, alignment; and the models they need."""
