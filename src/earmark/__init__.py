"""Earmark: from raw material to a score that can be trusted, for machine listening."""

__version__ = "0.1.0"
