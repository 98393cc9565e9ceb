"""Errors that a user can mend, all in one shape: what, at, got, want, fix."""

SHOWN = 200  # characters of a value in a message; a longer one is cut in the middle
# The same for the first line. It is our own rule and short, but may name what was given.
LONGEST_RULE = 400


class InputError(ValueError):
    """Input that cannot be used; the message says why and what to do.

    Examples
    --------
    >>> print(InputError("times must increase", at="a.tsv:3", got="4.2 after 5.0"))
    times must increase
      at:   a.tsv:3
      got:  4.2 after 5.0
    """

    def __init__(
        self,
        what: str,
        *,
        at: object = None,
        got: object = None,
        want: object = None,
        fix: object = None,
    ) -> None:
        parts = {"at": at, "got": got, "want": want, "fix": fix}
        lines = [
            f"  {name + ':':<5} {shorten(str(text))}"
            for name, text in parts.items()
            if text is not None and str(text)
        ]
        super().__init__("\n".join([shorten(what, LONGEST_RULE), *lines]))


class StudyError(InputError):
    """A verb called before the one it builds on, or on a folder that is no study."""


def shorten(text: str, limit: int = SHOWN) -> str:
    """Return the text, cut in the middle if it is long, with control characters made visible."""
    visible = "".join(c if c.isprintable() or c == "\n" else f"\\x{ord(c):02x}" for c in text)
    if len(visible) <= limit:
        return visible
    half = (limit - 3) // 2
    return f"{visible[:half]}...{visible[-half:]}"
