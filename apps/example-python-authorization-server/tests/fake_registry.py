"""A registry in memory with one client, which records the parameters of the last check."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from authorization_server.registry import Parameters, RegistryUnavailableError, Verdict

REDIRECT_URI = "https://shop.example/cb"
SECRET = "a secret of the shop"

METADATA = {
    "client_id": "shop",
    "client_name": "A <b>bold</b> shop",
    "grant_types": ["authorization_code"],
    "response_types": ["code"],
    "token_endpoint_auth_method": "client_secret_basic",
}


class FakeRegistry:
    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        self.is_available = True
        self.is_enabled = True
        self.verdict: Verdict | None = Verdict(True, redirect_uri=REDIRECT_URI)
        self.checked: Parameters = {}
        self.secrets_checked: list[str] = []

    def check_authorization_request(self, client_id: str, parameters: Parameters) -> Verdict | None:
        self._respond()
        self.checked = parameters
        return self.verdict

    def find_client(self, client_id: str) -> Mapping[str, Any] | None:
        self._respond()
        return METADATA if self.is_enabled and client_id == "shop" else None

    def check_secret(self, client_id: str, secret: str) -> bool:
        self._respond()
        self.secrets_checked.append(client_id)
        return self.is_enabled and (client_id, secret) == ("shop", SECRET)

    def _respond(self) -> None:
        if not self.is_available:
            raise RegistryUnavailableError("it is away")
