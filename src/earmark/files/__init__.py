"""How it is kept: reading and writing, no judgement."""
