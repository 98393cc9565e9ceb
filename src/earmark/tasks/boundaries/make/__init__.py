"""Transcripts from texts, and what is known of where their sentences end."""
