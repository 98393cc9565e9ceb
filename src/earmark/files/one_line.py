"""Texts that a format holds on one line, without a way to escape what it cannot hold."""

import unicodedata

from earmark.values.errors import InputError

# Control characters, halves of surrogate pairs, separators of lines and of paragraphs.
UNFIT = {"Cc", "Cs", "Zl", "Zp"}
NO_CHARACTERS = "\ufffe\uffff"  # which XML forbids


def one_line(text: str, *, what: str, kind: str, blanks: bool = True) -> str:
    """Return a text that fits on a line of a `kind` file; raise InputError if it does not.

    Readers strip blanks at the ends, so there must be none; `blanks` says whether there may be some
    inside.
    """
    unfit = any(unicodedata.category(sign) in UNFIT or sign in NO_CHARACTERS for sign in text)
    inside = not blanks and any(sign.isspace() for sign in text)
    if not text or unfit or inside or text != text.strip():
        raise InputError(
            f"{kind} cannot hold this {what}",
            got=repr(text),
            want="one line without blanks" if not blanks else "one line, no blanks at its ends",
            fix="rename it, or choose another format: --to csv, jsonl or parquet",
        )
    return text
