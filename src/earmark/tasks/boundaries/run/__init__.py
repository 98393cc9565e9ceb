"""Systems that say where sentences end: one per file."""
