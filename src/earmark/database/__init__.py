"""A study's database: opened by its address, SQLite or PostgreSQL, its tables brought up to date.

What belongs in files that git and `verify` can read is in the study's numbered places. The database
holds what many processes write at the same moment: people's answers as they arrive, and the queue
of submissions.
"""
