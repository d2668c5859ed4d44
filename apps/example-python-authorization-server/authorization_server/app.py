"""The endpoints of the authorization server."""

from __future__ import annotations

from typing import Any

from authlib.common.urls import add_params_to_uri
from authlib.integrations.flask_oauth2 import AuthorizationServer, ResourceProtector, current_token
from authlib.oauth2.rfc7636 import CodeChallenge
from flask import Flask, Response, g, jsonify, make_response, redirect, render_template, request

from .client_secret import client_secret_basic
from .clients import SCOPES, RegisteredClient
from .grants import IdToken, TokenValidator, code_grant, generate_signing_key, user_info
from .query import encode_query
from .registry import Parameters, Registry, RegistryUnavailableError, Verdict
from .storage import AccessToken, AuthorizationCode, ExpiringStore

CODE_LIFETIME_S = 60
ACCESS_TOKEN_LIFETIME_S = 600

#: Well above what applications send.
MAX_BODY_BYTES = 64 * 1024
MAX_NAME_LENGTH = 64

#: In seconds.
RETRY_AFTER = "2"


def create_app(issuer: str, registry: Registry, registration_endpoint: str) -> Flask:
    app = Flask(__name__)
    app.config["MAX_CONTENT_LENGTH"] = MAX_BODY_BYTES
    app.wsgi_app = encode_query(app.wsgi_app)
    app.config["OAUTH2_TOKEN_EXPIRES_IN"] = {"authorization_code": ACCESS_TOKEN_LIFETIME_S}
    key = generate_signing_key()
    tokens: ExpiringStore[AccessToken] = ExpiringStore(ACCESS_TOKEN_LIFETIME_S)
    server = _create_server(app, registry, tokens, IdToken(issuer, key))
    _add_authorization_endpoint(app, server, registry)
    _add_token_endpoints(app, server, TokenValidator(tokens, lambda id: registry.find_client(id) is not None))
    _add_metadata(app, issuer, registration_endpoint, {"keys": [key.as_dict()]})
    _add_error_responses(app)
    return app


def _create_server(
    app: Flask, registry: Registry, tokens: ExpiringStore[AccessToken], id_token: IdToken
) -> AuthorizationServer:
    def query_client(client_id: str) -> RegisteredClient | None:
        metadata = registry.find_client(client_id)
        if metadata is None:
            return None
        return RegisteredClient(registry, metadata, g.get("redirect_uri"))

    def save_token(token: dict[str, Any], request: Any) -> None:
        stored = AccessToken(request.client.get_client_id(), request.user, token.get("scope", ""))
        tokens.put(token["access_token"], stored)

    server = AuthorizationServer(app, query_client, save_token)
    codes: ExpiringStore[AuthorizationCode] = ExpiringStore(CODE_LIFETIME_S)
    server.register_grant(code_grant(codes), [CodeChallenge(required=True), id_token])
    server.register_client_auth_method("client_secret_basic", client_secret_basic(registry))
    return server


def _add_authorization_endpoint(app: Flask, server: AuthorizationServer, registry: Registry) -> None:
    @app.route("/authorize", methods=["GET", "POST"])
    def authorize() -> Any:
        """The sign-in form is sent to its own address, so that the registry checks the parameters again."""
        if set(request.form) - {"name"}:
            return _error_page("invalid_request", "send the parameters in the query", 400)
        parameters = _sent_parameters()
        client_id = str(parameters.get("client_id", ""))
        verdict = registry.check_authorization_request(client_id, parameters)
        if verdict is None or not verdict.valid:
            return _refuse(verdict, parameters.get("state"))
        g.redirect_uri = verdict.redirect_uri
        if error := _silent_error(parameters.get("prompt")):
            return _redirect_error(verdict.redirect_uri, *error, parameters.get("state"))
        client = server.query_client(client_id)
        name = request.form.get("name", "").strip()
        if client and not 0 < len(name) <= MAX_NAME_LENGTH:
            return render_template("sign_in.html", application=client.name, max_length=MAX_NAME_LENGTH)
        return server.create_authorization_response(grant_user=name)


def _sent_parameters() -> Parameters:
    """As they were received: a list for one that was sent more than once, which the registry refuses."""
    return {name: values[0] if len(values) == 1 else values for name, values in request.args.lists()}


def _refuse(verdict: Verdict | None, state: object) -> Any:
    if verdict is None:
        return _error_page("invalid_client", "this application is not registered", 400)
    first = verdict.errors[0]
    error, description = first["error"], first["error_description"]
    if verdict.redirect_uri is None or any(each.get("must_not_redirect") for each in verdict.errors):
        return _error_page(error, description, 400)
    return _redirect_error(verdict.redirect_uri, error, description, state)


def _silent_error(prompt: object) -> tuple[str, str] | None:
    """The answer to ``prompt=none`` (OpenID Connect Core section 3.1.2.1): there are no sessions here."""
    prompts = str(prompt or "").split()
    if "none" not in prompts:
        return None
    if len(prompts) > 1:
        return "invalid_request", "prompt none must be the only value"
    return "login_required", "the user must sign in"


def _redirect_error(redirect_uri: str | None, error: str, description: str, state: object) -> Any:
    answer = {"error": error, "error_description": description}
    if isinstance(state, str):
        answer["state"] = state
    return redirect(add_params_to_uri(redirect_uri, list(answer.items())))


def _add_token_endpoints(app: Flask, server: AuthorizationServer, validator: TokenValidator) -> None:
    protect = ResourceProtector()
    protect.register_token_validator(validator)

    @app.post("/token")
    def token() -> Any:
        # RFC 8707 section 2 lets a request repeat this one.
        if any(len(values) > 1 for name, values in request.form.lists() if name != "resource"):
            description = "a parameter was sent more than once"
            return {"error": "invalid_request", "error_description": description}, 400
        return server.create_token_response()

    @app.route("/userinfo", methods=["GET", "POST"])
    @protect("openid")
    def userinfo() -> Any:
        return jsonify(user_info(current_token.user, current_token.scope))


def _add_metadata(app: Flask, issuer: str, registration_endpoint: str, jwks: dict[str, Any]) -> None:
    @app.get("/.well-known/openid-configuration")
    def metadata() -> Any:
        return {
            "issuer": issuer,
            "authorization_endpoint": f"{issuer}/authorize",
            "token_endpoint": f"{issuer}/token",
            "userinfo_endpoint": f"{issuer}/userinfo",
            "jwks_uri": f"{issuer}/jwks",
            "registration_endpoint": registration_endpoint,
            "scopes_supported": list(SCOPES),
            "response_types_supported": ["code"],
            "grant_types_supported": ["authorization_code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post", "none"],
            "code_challenge_methods_supported": ["S256", "plain"],
        }

    @app.get("/jwks")
    def keys() -> Any:
        return jwks


def _add_error_responses(app: Flask) -> None:
    @app.errorhandler(RegistryUnavailableError)
    def unavailable(error: RegistryUnavailableError) -> Any:
        """Without the registry nothing is permitted: an old decision may be wrong by now."""
        app.logger.warning("client registry: %s", error)
        code, description = (
            "temporarily_unavailable",
            "the client registry is not responding; try again in a moment",
        )
        if request.endpoint == "authorize":
            response = _error_page(code, description, 503)
        else:
            response = make_response({"error": code, "error_description": description}, 503)
        response.headers["Retry-After"] = RETRY_AFTER
        return response

    @app.after_request
    def secure(response: Response) -> Response:
        response.headers.setdefault("Cache-Control", "no-store")
        response.headers["Content-Security-Policy"] = "default-src 'none'; frame-ancestors 'none'"
        return response


def _error_page(error: str, description: str, status: int) -> Response:
    return make_response(render_template("error.html", error=error, description=description), status)
