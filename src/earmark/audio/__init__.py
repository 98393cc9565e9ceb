"""Sound arithmetic on arrays."""
