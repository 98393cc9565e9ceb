"""Asking people live: who gets which unit, and answers that are on disk before they are confirmed.

Everything is a function of a database connection, which is one transaction: the caller decides when
it is committed (`writer.py`). Times are seconds since 1970.
"""
