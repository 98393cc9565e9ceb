"""Material: trials from recordings or from a challenge, and texts for people to read."""
