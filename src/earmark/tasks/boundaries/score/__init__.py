"""How well boundaries agree with one reference or with a panel of them.

Everything here is linear in the number of words or of boundaries: values give their boundaries as
sorted positions, and `agreement`, `windows`, `pairs`, `edits` and `probes` do the sums on them. The
modules named `..._metrics` wrap these sums as metrics: count an item, then rate the sum.
"""
