"""Pictures: a caption as a graph, what matches what, how metrics spread, grow and are gamed."""
