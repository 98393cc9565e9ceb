"""Our detector: local n-grams, the document's own memory, and likeness to the discourse."""
