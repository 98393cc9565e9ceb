"""Systems: items in, outputs out."""
