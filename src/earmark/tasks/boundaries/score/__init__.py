"""How well boundaries agree with one reference or with a panel of them.

Everything here is linear in the number of words or of boundaries. `arrays` turns values into
sorted positions once; `panels`, `windows`, `pairs`, `edits` and `slides` do the sums on them;
`metrics` wraps the sums as count and rate.
"""
