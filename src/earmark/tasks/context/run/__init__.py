"""Systems that look for words out of context, one a file."""
