"""Ogg files under a fixed serial number: libsndfile draws it at random, and bytes differ.

An Ogg file is a row of pages. A page begins with `OggS` and has, in a header of 27 bytes, the
stream's serial number at byte 14, a checksum at byte 22 and the number of its segments at byte 26;
the sizes of these follow, then their bytes (RFC 3533, section 6).
"""

import functools
import struct

SERIAL, CHECKSUM, SEGMENTS, HEADER = 14, 22, 26, 27
POLYNOMIAL = 0x04C11DB7  # of Ogg's CRC: most significant bit first, no inversion (RFC 3533)


def with_serial(data: bytes, serial: int = 1) -> bytes:
    """Return an Ogg file of one stream under another serial number, its checksums set right."""
    pages, place = [], 0
    while place < len(data):
        count = data[place + SEGMENTS]
        size = HEADER + count + sum(data[place + HEADER : place + HEADER + count])
        page = bytearray(data[place : place + size])
        struct.pack_into("<I", page, SERIAL, serial)
        struct.pack_into("<I", page, CHECKSUM, 0)
        struct.pack_into("<I", page, CHECKSUM, _checksum(bytes(page)))
        pages.append(bytes(page))
        place += size
    return b"".join(pages)


def _checksum(data: bytes) -> int:
    crc, table = 0, _table()
    for byte in data:
        crc = (crc << 8 & 0xFFFFFFFF) ^ table[crc >> 24 ^ byte]
    return crc


@functools.cache
def _table() -> tuple[int, ...]:
    """Return what each byte adds to the checksum."""
    entries = []
    for byte in range(256):
        crc = byte << 24
        for _ in range(8):
            crc = (crc << 1 ^ (POLYNOMIAL if crc & 0x80000000 else 0)) & 0xFFFFFFFF
        entries.append(crc)
    return tuple(entries)
