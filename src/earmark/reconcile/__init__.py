"""A reference: many answers made one, with doubt."""
