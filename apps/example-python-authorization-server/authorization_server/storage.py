"""Codes and access tokens in memory. A server with several processes, or one that is restarted, needs a database."""

from __future__ import annotations

import time
from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock
from typing import Callable, Generic, TypeVar

from authlib.oidc.core import AuthorizationCodeMixin

T = TypeVar("T")

#: More codes and tokens than the example needs; the oldest make room for new ones.
MAX_ENTRIES = 10_000


class ExpiringStore(Generic[T]):
    """Values by key, for a limited time. Safe to use from several threads."""

    def __init__(self, lifetime_s: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._lifetime_s = lifetime_s
        self._clock = clock
        self._entries: OrderedDict[str, tuple[float, T]] = OrderedDict()
        self._lock = Lock()

    def put(self, key: str, value: T) -> None:
        with self._lock:
            self._entries[key] = (self._clock() + self._lifetime_s, value)
            while len(self._entries) > MAX_ENTRIES:
                self._entries.popitem(last=False)

    def get(self, key: str) -> T | None:
        with self._lock:
            return self._valid(self._entries.get(key))

    def take(self, key: str, is_wanted: Callable[[T], bool]) -> T | None:
        """Removes what it returns, so that only one caller gets it."""
        with self._lock:
            value = self._valid(self._entries.get(key))
            if value is None or not is_wanted(value):
                return None
            del self._entries[key]
            return value

    def _valid(self, entry: tuple[float, T] | None) -> T | None:
        if entry is None or entry[0] <= self._clock():
            return None
        return entry[1]


@dataclass(frozen=True)
class AuthorizationCode(AuthorizationCodeMixin):
    client_id: str
    user: str
    redirect_uri: str | None
    """As sent in the authorization request."""
    scope: str
    nonce: str | None
    code_challenge: str | None
    code_challenge_method: str | None
    auth_time: int

    def get_redirect_uri(self) -> str | None:
        return self.redirect_uri

    def get_scope(self) -> str:
        return self.scope

    def get_nonce(self) -> str | None:
        return self.nonce

    def get_auth_time(self) -> int:
        return self.auth_time


@dataclass(frozen=True)
class AccessToken:
    client_id: str
    user: str
    scope: str

    def get_scope(self) -> str:
        return self.scope

    def is_expired(self) -> bool:
        return False  # The store returns no expired ones.

    def is_revoked(self) -> bool:
        return False
