"""HTTP Basic authentication of clients (RFC 6749 section 2.3.1)."""

from __future__ import annotations

from typing import Any, Callable
from urllib.parse import unquote_plus

from authlib.oauth2.rfc6749.util import extract_basic_authorization

from .clients import RegisteredClient
from .registry import Registry


def client_secret_basic(registry: Registry) -> Callable[..., RegisteredClient | None]:
    """Unlike Authlib's own method, decodes both parts, which clients send form-urlencoded."""

    def authenticate(
        query_client: Callable[[str], RegisteredClient | None], request: Any
    ) -> RegisteredClient | None:
        """Asks about disabled clients, too, so that the registry knows that an application still needs them."""
        try:
            client_id, secret = extract_basic_authorization(request.headers)
        except UnicodeDecodeError:
            return None
        if not client_id or not secret:
            return None
        client_id = unquote_plus(client_id)
        return query_client(client_id) if registry.check_secret(client_id, unquote_plus(secret)) else None

    return authenticate
