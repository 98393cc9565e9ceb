"""Word arithmetic on strings."""
