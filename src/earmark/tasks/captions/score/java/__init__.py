"""Metrics of the authors' Java programs: METEOR, SPICE and SPIDEr."""
