"""Settings from the environment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

DEFAULT_PORT = 8085


class ConfigError(Exception):
    """A setting is missing or invalid; the message never contains its value."""


@dataclass(frozen=True)
class Config:
    registry_url: str
    registry_token: str = field(repr=False)
    port: int
    """0 for any free port."""


def read_config(environment: Mapping[str, str]) -> Config:
    """:raises ConfigError: naming the variable"""
    return Config(
        registry_url=_read_url(environment, "REGISTRY_URL"),
        registry_token=_read_secret(environment, "REGISTRY_TOKEN"),
        port=_read_port(environment, "AUTHORIZATION_SERVER_PORT"),
    )


def _read_url(environment: Mapping[str, str], name: str) -> str:
    url = environment.get(name, "")
    if urlsplit(url).scheme not in ("http", "https"):
        raise ConfigError(f"{name} must be the registry's address, such as https://registry.example.com")
    return url.rstrip("/")


def _read_secret(environment: Mapping[str, str], name: str) -> str:
    path = environment.get(f"{name}_FILE")
    try:
        secret = environment.get(name, "") if path is None else Path(path).read_text(encoding="utf-8").strip()
    except OSError as error:
        raise ConfigError(f"{name}_FILE: {error.strerror}") from error
    if not secret:
        raise ConfigError(
            f"{name} or {name}_FILE must be set, to a token with clients:follow and clients:check"
        )
    return secret


def _read_port(environment: Mapping[str, str], name: str) -> int:
    text = environment.get(name, str(DEFAULT_PORT))
    if not (text.isascii() and text.isdigit() and int(text) <= 65_535):
        raise ConfigError(f"{name} must be a port, or 0 for any free one")
    return int(text)
