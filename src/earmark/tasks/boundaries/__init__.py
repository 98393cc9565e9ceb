"""Boundaries: where does a sentence end in a transcript?"""
