"""The client registry's HTTP API, as far as an authorization server needs it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, Union
from urllib.parse import quote

import urllib3

#: A request of the registry, including the connection, takes at most this long, in seconds.
TIMEOUT_S = 3.0

#: Requests at a time; others wait.
MAX_CONNECTIONS = 32

Parameters = Mapping[str, Union[str, "list[str]"]]


class RegistryUnavailableError(Exception):
    """The registry did not decide. The message is for the log; it contains neither tokens nor secrets."""


@dataclass(frozen=True)
class Verdict:
    """Whether a client may make an authorization request."""

    valid: bool
    errors: tuple[Mapping[str, Any], ...] = ()
    redirect_uri: str | None = None
    """Where the response goes, errors included; None if it must not redirect."""


class Registry(Protocol):
    """Each method raises :class:`RegistryUnavailableError` if the registry does not respond."""

    def check_authorization_request(self, client_id: str, parameters: Parameters) -> Verdict | None:
        """:returns: None if there is no such client"""

    def find_client(self, client_id: str) -> Mapping[str, Any] | None:
        """:returns: its metadata (RFC 7591), or None if there is no such client or it is disabled"""

    def check_secret(self, client_id: str, secret: str) -> bool:
        ...


class HttpRegistry:
    """Caches nothing, so that a change in the registry takes effect with the next request."""

    def __init__(self, url: str, token: str) -> None:
        self._url = url
        self._http = urllib3.PoolManager(
            maxsize=MAX_CONNECTIONS,
            block=True,
            retries=False,
            timeout=urllib3.Timeout(total=TIMEOUT_S),
            headers={"Authorization": f"Bearer {token}", "Content-Type": "application/json"},
        )

    def check_authorization_request(self, client_id: str, parameters: Parameters) -> Verdict | None:
        answer = self._ask("POST", client_id, "/check/authorization_request", dict(parameters))
        if answer is None:
            return None
        return Verdict(answer["valid"], tuple(answer["errors"]), answer.get("redirect_uri"))

    def find_client(self, client_id: str) -> Mapping[str, Any] | None:
        client = self._ask("GET", client_id)
        return client if client is not None and client["enabled"] else None

    def check_secret(self, client_id: str, secret: str) -> bool:
        answer = self._ask("POST", client_id, "/check/secret", {"client_secret": secret})
        return answer is not None and answer["valid"]

    def close(self) -> None:
        self._http.clear()

    def _ask(self, method: str, client_id: str, path: str = "", body: object = None) -> Any:
        """:returns: the decoded response, or None if the registry does not accept the request's values"""
        if client_id in ("", ".", ".."):
            return None  # Would change the path, which quoting does not prevent.
        what = f"{method} /client/{{client_id}}{path}"
        try:
            response = self._http.request(
                method,
                f"{self._url}/client/{quote(client_id, safe='')}{path}",
                body=None if body is None else json.dumps(body),
            )
        except urllib3.exceptions.HTTPError as error:
            raise RegistryUnavailableError(f"{what}: {type(error).__name__}") from error
        if response.status in (400, 404):
            return None
        if response.status != 200:
            raise RegistryUnavailableError(f"{what}: status {response.status}")
        try:
            return json.loads(response.data)
        except ValueError as error:
            raise RegistryUnavailableError(f"{what}: the response is not JSON") from error
