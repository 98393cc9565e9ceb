"""Material: documents in which some nouns were swapped, by three makers."""
