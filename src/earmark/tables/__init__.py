"""Tables of many rows: read row by row or by column, checked with file and line, and written."""
