"""Starts the authorization server on this machine: python3 -m authorization_server"""

from __future__ import annotations

import os
import signal
import socket
import sys
from typing import NoReturn

from werkzeug.serving import make_server

from .app import create_app
from .config import ConfigError, read_config
from .registry import HttpRegistry

HOST = "127.0.0.1"


def main() -> int:
    try:
        config = read_config(os.environ)
    except ConfigError as error:
        print(f"authorization server: {error}", file=sys.stderr)
        return 3
    # Authlib accepts plain HTTP only if asked; applications on the same machine use it.
    os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"
    with socket.create_server((HOST, config.port)) as listening:
        port = listening.getsockname()[1]
        issuer = f"http://{HOST}:{port}"
        registry = HttpRegistry(config.registry_url, config.registry_token)
        app = create_app(issuer, registry, f"{config.registry_url}/register")
        server = make_server(HOST, port, app, threaded=True, fd=listening.fileno())
        signal.signal(signal.SIGTERM, _stop)
        print(f"authorization server   {issuer}", flush=True)
        try:
            server.serve_forever()
        except (KeyboardInterrupt, SystemExit):
            print("Stopping", flush=True)
        registry.close()
    return 0


def _stop(*_: object) -> NoReturn:
    raise SystemExit


if __name__ == "__main__":
    sys.exit(main())
