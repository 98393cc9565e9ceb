"""Small networks; besides the systems of tasks, the only room that imports torch."""
