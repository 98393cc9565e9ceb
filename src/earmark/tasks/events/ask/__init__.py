"""The question put to people about each window, and a simulated crowd that answers it."""
