"""Material: recipes, seeded draws, splits."""
