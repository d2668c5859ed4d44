"""Authorization code, PKCE and ID tokens (RFC 6749, RFC 7636, OpenID Connect Core)."""

from __future__ import annotations

import time
from typing import Any, Callable

from authlib.jose import JsonWebKey, RSAKey
from authlib.oauth2.rfc6749 import grants
from authlib.oauth2.rfc6750 import BearerTokenValidator
from authlib.oidc.core import UserInfo
from authlib.oidc.core.grants import OpenIDCode

from .clients import RegisteredClient
from .storage import AccessToken, AuthorizationCode, ExpiringStore

ID_TOKEN_LIFETIME_S = 600


def generate_signing_key() -> RSAKey:
    """At each start, since all other state is lost with the process, too."""
    return JsonWebKey.generate_key("RSA", 2048, {"use": "sig", "alg": "RS256"}, is_private=True)


def user_info(user: str, scope: str) -> UserInfo:
    claims = {"name": user} if "profile" in scope.split() else {}
    return UserInfo(sub=user, **claims)


def code_grant(codes: ExpiringStore[AuthorizationCode]) -> type[grants.AuthorizationCodeGrant]:
    """:returns: Authlib's grant, with codes from this store"""

    class AuthorizationCodeGrant(grants.AuthorizationCodeGrant):
        TOKEN_ENDPOINT_AUTH_METHODS = ["client_secret_basic", "client_secret_post", "none"]

        def save_authorization_code(self, code: str, request: Any) -> None:
            parameters = request.data
            authorization_code = AuthorizationCode(
                client_id=request.client.get_client_id(),
                user=request.user,
                redirect_uri=parameters.get("redirect_uri"),
                scope=request.client.get_allowed_scope(parameters.get("scope")),
                nonce=parameters.get("nonce"),
                code_challenge=parameters.get("code_challenge"),
                code_challenge_method=parameters.get("code_challenge_method"),
                auth_time=int(time.time()),
            )
            codes.put(code, authorization_code)

        def query_authorization_code(self, code: str, client: RegisteredClient) -> AuthorizationCode | None:
            # Taken at the first attempt, so that two requests cannot use it.
            return codes.take(code, lambda stored: stored.client_id == client.get_client_id())

        def delete_authorization_code(self, authorization_code: AuthorizationCode) -> None:
            pass

        def authenticate_user(self, authorization_code: AuthorizationCode) -> str:
            return authorization_code.user

    return AuthorizationCodeGrant


class IdToken(OpenIDCode):
    """Adds an ID token where the scope is openid."""

    def __init__(self, issuer: str, key: RSAKey) -> None:
        super().__init__(require_nonce=False)
        self._issuer = issuer
        self._key = key

    def exists_nonce(self, nonce: str, request: Any) -> bool:
        return False  # Applications compare nonces; codes are valid only once anyway.

    def get_jwt_config(self, grant: Any) -> dict[str, Any]:
        return {"key": self._key, "alg": "RS256", "iss": self._issuer, "exp": ID_TOKEN_LIFETIME_S}

    def generate_user_info(self, user: str, scope: str) -> UserInfo:
        return user_info(user, scope)


class TokenValidator(BearerTokenValidator):
    """Access tokens of enabled clients."""

    def __init__(self, tokens: ExpiringStore[AccessToken], is_enabled: Callable[[str], bool]) -> None:
        super().__init__()
        self._tokens = tokens
        self._is_enabled = is_enabled

    def authenticate_token(self, token_string: str) -> AccessToken | None:
        token = self._tokens.get(token_string)
        return token if token and self._is_enabled(token.client_id) else None
