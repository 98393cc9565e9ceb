"""How well metrics agree with people, and whether they can be gamed."""
