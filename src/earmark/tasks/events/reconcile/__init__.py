"""From the answers about overlapping windows to one timeline per recording."""
