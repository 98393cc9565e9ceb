"""The field's metrics: segments, events with collars, intersections, PSDS, tags."""
