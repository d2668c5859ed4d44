"""The registry's clients, as Authlib expects them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from authlib.oauth2.rfc6749 import ClientMixin, list_to_scope, scope_to_list

from .registry import Registry

SCOPES = ("openid", "profile")


class RegisteredClient(ClientMixin):
    """A client at the time of one request; it is never kept for another one."""

    def __init__(
        self, registry: Registry, metadata: Mapping[str, Any], redirect_uri: str | None = None
    ) -> None:
        """:param redirect_uri: the one that the registry found valid for this request"""
        self._registry = registry
        self._metadata = metadata
        self._redirect_uri = redirect_uri

    @property
    def name(self) -> str:
        return self._metadata.get("client_name", self.get_client_id())

    def get_client_id(self) -> str:
        return self._metadata["client_id"]

    def get_default_redirect_uri(self) -> str | None:
        return self._redirect_uri

    def check_redirect_uri(self, redirect_uri: str) -> bool:
        return redirect_uri == self._redirect_uri

    def check_response_type(self, response_type: str) -> bool:
        return response_type in self._metadata["response_types"]

    def check_grant_type(self, grant_type: str) -> bool:
        return grant_type in self._metadata["grant_types"]

    def check_endpoint_auth_method(self, method: str, endpoint: str) -> bool:
        return endpoint == "token" and method == self._metadata["token_endpoint_auth_method"]

    def check_client_secret(self, client_secret: str) -> bool:
        return self._registry.check_secret(self.get_client_id(), client_secret)

    def get_allowed_scope(self, scope: str) -> str:
        return list_to_scope([name for name in scope_to_list(scope or "") if name in SCOPES])
