"""Texts as short hashes, for tables that need a key of fixed size instead of the text itself."""

import hashlib

BYTES = 16  # 128 bits: a collision among a billion texts has a probability below 1e-20


def text_hash(text: str) -> bytes:
    """Return 16 bytes that identify a text: its BLAKE2b hash; lone surrogates are allowed."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=BYTES).digest()


def text_number(text: str, *, size: int = 8) -> int:
    """Return the first `size` bytes of a text's hash as an unsigned integer.

    Examples
    --------
    >>> text_number("dog", size=2) == text_number("dog") % 2**16
    True
    """
    return int.from_bytes(text_hash(text)[:size], "little")
