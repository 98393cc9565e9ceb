"""The command line: one file a verb, and how it speaks."""
