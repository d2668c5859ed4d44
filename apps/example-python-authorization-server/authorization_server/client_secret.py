"""HTTP Basic authentication of clients (RFC 6749 section 2.3.1)."""

from __future__ import annotations

from typing import Any, Callable
from urllib.parse import unquote_plus

from authlib.oauth2.rfc6749.util import extract_basic_authorization

from .clients import RegisteredClient


def authenticate_client_secret_basic(
    query_client: Callable[[str], RegisteredClient | None], request: Any
) -> RegisteredClient | None:
    """Unlike Authlib's own method, decodes both parts, which clients send form-urlencoded."""
    try:
        client_id, secret = extract_basic_authorization(request.headers)
    except UnicodeDecodeError:
        return None
    if not client_id or not secret:
        return None
    client = query_client(unquote_plus(client_id))
    return client if client and client.check_client_secret(unquote_plus(secret)) else None
