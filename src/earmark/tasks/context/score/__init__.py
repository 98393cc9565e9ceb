"""How well words out of context are found."""
