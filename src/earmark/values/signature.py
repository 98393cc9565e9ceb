"""The line that lets a stranger get the same number."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import unquote

from earmark.values.errors import InputError

LAST_KEYS = ("average", "empty", "items", "groups", "ref", "out", "ci", "seed", "earmark")
ESCAPED = re.compile(r"[%|:\x00-\x1f\x7f-\x9f\u2028\u2029]")


@dataclass(frozen=True, slots=True)
class Signature:
    """`<task>.<metric>|key:value|...|earmark:<version>`, in fixed order.

    The metric's own options come first, in the order of its parameters, then `average`, `empty`,
    `items`, `groups`, `ref`, `out`, `ci`, `seed` and the version. Everything that can change the
    number or its interval is there, default or not.

    Examples
    --------
    >>> str(Signature("events.segment_f1", (("seconds", "1.0"), ("ref", "a|b"))))
    'events.segment_f1|seconds:1.0|ref:a%7Cb'
    """

    metric: str
    options: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, metric: str, options: Mapping[str, object]) -> "Signature":
        """Return the signature in the fixed order, whatever the order of the options."""
        own = [(key, plain(value)) for key, value in options.items() if key not in LAST_KEYS]
        last = [(key, plain(options[key])) for key in LAST_KEYS if key in options]
        return cls(metric, (*own, *last))

    @classmethod
    def parse(cls, line: str) -> "Signature":
        """Return the signature that a line spells; the inverse of `str`."""
        metric, *pairs = line.split("|")
        split = [pair.partition(":") for pair in pairs]
        if not metric or any(not colon for _, colon, _ in split):
            raise InputError(
                "a signature must be <task>.<metric>|key:value|...",
                got=line,
                fix="paste the whole line that `earmark score` printed",
            )
        pairs_read = tuple((unquote(key), unquote(value)) for key, _, value in split)
        return cls(unquote(metric), pairs_read)

    @property
    def version(self) -> str:
        """The version of Earmark that made the number; empty where the signature has none."""
        return dict(self.options).get("earmark", "")

    def without_version(self) -> "Signature":
        """Return the signature less the version: what two versions must agree on.

        Two signatures that differ, and agree without their versions, say that the same data were
        measured with the same options by another version.

        Examples
        --------
        >>> str(Signature.parse("events.segment_f1|seed:0|earmark:0.1.0").without_version())
        'events.segment_f1|seed:0'
        """
        rest = tuple(pair for pair in self.options if pair[0] != "earmark")
        return Signature(self.metric, rest)

    def __str__(self) -> str:
        pairs = [f"{escape(key)}:{escape(value)}" for key, value in self.options]
        return "|".join([escape(self.metric), *pairs])


def escape(text: str) -> str:
    """Return the text with `%`, `|`, `:` and control characters percent-encoded."""
    return ESCAPED.sub(lambda m: "".join(f"%{b:02X}" for b in m[0].encode()), text)


def plain(value: object) -> str:
    """Return an option as written: yes and no, none, numbers by repr, lists joined by commas."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "none"
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, tuple | list):
        return ",".join(plain(part) for part in value)
    return str(value)
