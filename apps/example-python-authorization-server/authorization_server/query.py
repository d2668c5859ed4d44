"""Makes Flask and Authlib read the same query."""

from __future__ import annotations

from typing import Any, Callable, Iterable
from urllib.parse import parse_qsl, urlencode


def encode_query(app: Callable[..., Iterable[bytes]]) -> Callable[..., Iterable[bytes]]:
    """
    Percent-encodes the query again before the application reads it. For some characters that Flask accepts,
    such as $, Authlib raises a ValueError, whose message contains the whole query.

    :param app: a WSGI application
    """

    def with_encoded_query(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        # WSGI decodes bytes as Latin-1.
        query = environ.get("QUERY_STRING", "").encode("latin-1").decode("utf-8", "replace")
        environ["QUERY_STRING"] = urlencode(parse_qsl(query, keep_blank_values=True))
        return app(environ, start_response)

    return with_encoded_query
