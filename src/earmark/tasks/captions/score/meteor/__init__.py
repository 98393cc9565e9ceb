"""METEOR 1.5 without Java: its tables as data, its alignment in a compiled loop."""
