"""Signed, expiring tokens: who somebody is, in a word that only this study's servers can write."""

import hashlib
import hmac
import time
from collections import OrderedDict

from itsdangerous import BadSignature, SignatureExpired, URLSafeTimedSerializer

from earmark.values.errors import InputError
from earmark.web.errors import Refusal

DAY = 24 * 3600
PERSON, ARRIVAL, TEAM = "person", "arrival", "team"
# A person may come back within this time; an arrival from a market's link is exchanged at once.
LIFETIMES = {PERSON: 30 * DAY, ARRIVAL: DAY}
DEFAULT_LIFETIME = 90 * DAY
MOST_READ = 20_000  # tokens that are remembered, a few hundred bytes each; the oldest go first
CODE_LETTERS = 16  # 64 bits of a withdrawal code: nobody guesses them


class Tokens:
    """Issues and reads tokens of several kinds; one kind is never taken for another."""

    def __init__(self, key: str) -> None:
        self._key = key
        self._read: OrderedDict[tuple[str, str], tuple[object, float]] = OrderedDict()

    def issue(self, kind: str, subject: object) -> str:
        """Return a token for a subject, a text or plain JSON."""
        return str(self._serializer(kind).dumps(subject))

    def subject(self, kind: str, token: str) -> object:
        """Return whom a token names; raise Refusal (401) if it is forged, of another kind, old.

        A token whose signature was right is remembered until it expires.
        """
        subject, until = self._read.get((kind, token), (None, 0.0))
        if time.time() < until:
            return subject
        subject, until = self._loads(kind, token)
        self._read[kind, token] = subject, until
        if len(self._read) > MOST_READ:
            self._read.popitem(last=False)
        return subject

    def _loads(self, kind: str, token: str) -> tuple[object, float]:
        """Return whom a token names and when it expires, from its signed text."""
        lifetime = LIFETIMES.get(kind, DEFAULT_LIFETIME)
        try:
            subject, signed = self._serializer(kind).loads(
                token, max_age=lifetime, return_timestamp=True
            )
        except SignatureExpired as error:
            expired = InputError("this token has expired", fix="join again")
            raise Refusal(401, expired, WWW_Authenticate="Bearer") from error
        except BadSignature as error:
            forged = InputError("this token is not one of this study's")
            raise Refusal(401, forged, WWW_Authenticate="Bearer") from error
        return subject, signed.timestamp() + lifetime

    def csrf(self, kind: str, subject: str) -> str:
        """Return the word that a page must send along with whatever a cookie authenticates."""
        message = f"csrf\0{kind}\0{subject}".encode()
        return hmac.new(self._key.encode(), message, hashlib.sha256).hexdigest()

    def is_csrf(self, kind: str, subject: str, word: str) -> bool:
        """Return whether a word is the one that `csrf` returned."""
        return hmac.compare_digest(self.csrf(kind, subject).encode(), word.encode())

    def withdrawal(self, person: str) -> str:
        """Return the code with which a person can withdraw; it never expires."""
        return f"{person}-{self.csrf('withdrawal', person)[:CODE_LETTERS]}"

    def withdrawn_person(self, code: str) -> str | None:
        """Return whose code this is, or None."""
        person = code.rpartition("-")[0]
        right = self.withdrawal(person).encode()
        return person if hmac.compare_digest(right, code.encode()) else None

    def _serializer(self, kind: str) -> URLSafeTimedSerializer:
        return URLSafeTimedSerializer(self._key, salt=f"earmark {kind}")
