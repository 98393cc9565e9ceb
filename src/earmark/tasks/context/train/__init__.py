"""Trainers of the systems, one per file, and what they learn from."""
