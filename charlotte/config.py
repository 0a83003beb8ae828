"""The configuration: each setting is a field; flags, environment and file follow from it.

Precedence: flags over environment over file over defaults. An unknown key or a bad value is an
error that names it; an unknown ``CHARLOTTE_*`` variable only a warning, because it may be
somebody else's.
"""

import json
import re
import tomllib
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, cast

import attrs

from charlotte.certificates import ClientCertificate, read_certificate
from charlotte.errors import InvalidArgument
from charlotte.redaction import Credential, Secrets, read_credential, read_secrets
from charlotte.settings_files import nearest, read
from charlotte.urls import is_endpoint, is_loopback, is_safe_url

PREFIX = "CHARLOTTE_"
DEPTHS = 5, 500
"""Snapshots per tab, at least and at most (C-SNAP-02)."""

LENGTHS = 1_000, 400_000
"""Characters of one answer, at least and at most that can be asked for."""

ProfileName = Literal["core", "browse", "develop", "audit", "full"]
Naming = Literal["underscore", "colon", "bare"]
SandboxChoice = Literal["auto", "on", "off"]
AutoSnapshot = Literal["every_action", "observe_only", "manual"]

_PERMISSIONS = (
    "geolocation=geolocation notifications=notifications camera=videoCapture "
    "microphone=audioCapture clipboard-read=clipboardReadWrite midi=midi sensors=sensors "
    "clipboard-write=clipboardSanitizedWrite background-sync=backgroundSync "
    "idle-detection=idleDetection local-fonts=localFonts storage-access=storageAccess "
    "window-management=windowManagement"
)
PERMISSIONS = {ours: cdp for ours, _, cdp in (one.partition("=") for one in _PERMISSIONS.split())}
"""What can be granted, by the names that web pages use, and what CDP calls it."""

_SIDE = re.compile("[1-9][0-9]{0,4}")
_NO_SETTINGS = frozenset({"CHARLOTTE_CONFIG"})
_LAST_PORT = 65_535


def setting(default: Any, help_text: str, check: Callable[..., None] | None = None) -> Any:
    """One setting with its default and the line ``--help`` shows."""
    return attrs.field(default=default, metadata={"help": help_text}, validator=check)


def secret(help_text: str, default: Any = None) -> Any:
    """A setting that is shown nowhere, so that it is no flag either: all processes see those."""
    return attrs.field(default=default, metadata={"help": help_text, "secret": True}, repr=False)


def _check_endpoint(_config: object, _field: object, value: str | None) -> None:
    """Raise `InvalidArgument` for what is no address of a browser."""
    if value is not None and not is_endpoint(value):
        raise InvalidArgument(f"cdp_endpoint is a ws:// or http:// address, not {value!r}.")


@attrs.frozen(kw_only=True)
class Config:
    """Everything that can be set before the server starts (surface, section 7)."""

    profile: ProfileName = setting("browse", "which tools are listed at first")
    strict_profile: bool = setting(default=False, help_text="refuse tools that are not listed")
    tool_naming: Naming = setting(
        "underscore", "how tools are listed: charlotte_x, charlotte:x or x"
    )
    chromium: str | None = setting(None, "the browser's executable; else found in PATH")
    chromium_arg: tuple[str, ...] = setting((), "one more argument for the browser; repeatable")
    cdp_endpoint: str | None = setting(
        None, "ws:// or http:// address of a running browser to attach to", _check_endpoint
    )
    sandbox: SandboxChoice = setting(
        "auto", "the browser's sandbox; auto: on unless it cannot start"
    )
    headed: bool = setting(default=False, help_text="show the browser's windows")
    proxy_server: str | None = setting(None, "proxy for the browser, as scheme://host:port")
    ignore_https_errors: bool = setting(default=False, help_text="accept any TLS certificate")
    client_certificate: tuple[str, ...] = setting(
        (), "who the browser is at an origin, as https://host=certificate.pem:key.pem; repeatable"
    )
    client_certificate_password: str | None = secret("what the files of client_certificate have")
    http_credential: tuple[str, ...] = secret(
        "who logs in where a server or the proxy asks, as https://user:password@host", ()
    )
    secrets: str | None = setting(
        None, "a file of NAME=value lines: agents type the names, and never see the values"
    )
    user_data_dir: str | None = setting(
        None, "a profile of the browser to use and keep, instead of isolated contexts"
    )
    storage_state: str | None = setting(
        None, "cookies and localStorage to start with: a file as storage saves it"
    )
    grant_permission: tuple[str, ...] = setting(
        (), "what pages need not ask for, such as geolocation; repeatable"
    )
    init_script: tuple[str, ...] = setting(
        (), "a JavaScript file that runs in every document before its own scripts; repeatable"
    )
    viewport: str = setting("1280x720", "size of new tabs in CSS pixels")
    root: tuple[str, ...] = setting(
        (), "a directory to upload from and save to; repeatable; else the working directory"
    )
    content_boundaries: bool = setting(
        default=False, help_text="fence what observe tells as text with lines that no page knows"
    )
    allow_file: bool = setting(default=False, help_text="open file: addresses inside the roots")
    allow_host: tuple[str, ...] = setting(
        (), "over HTTP beyond this machine: a private host that may be opened; repeatable"
    )
    block_host: tuple[str, ...] = setting(
        (), "a host that is never opened, nor those below it; repeatable"
    )
    output_dir: str | None = setting(
        None, "where screenshots and downloads go; else a private temporary directory"
    )
    auto_snapshot: AutoSnapshot = setting(
        "every_action", "when a snapshot of the page is stored by itself"
    )
    snapshot_depth: int = setting(50, "how many snapshots each tab keeps, 5 to 500")
    max_chars: int = setting(40_000, "how many characters one response has at most, from 1000")
    http: bool = setting(default=False, help_text="serve over HTTP, not over stdin and stdout")
    host: str = setting("127.0.0.1", "over HTTP: the address to listen on")
    port: int = setting(3737, "over HTTP: the port to listen on; 0 for any that is free")
    server_name: tuple[str, ...] = setting(
        (), "over HTTP: a host name by which clients reach the server; repeatable"
    )
    auth_token: str | None = secret("over HTTP: what clients show as bearer token")
    oauth_issuer: str | None = setting(
        None, "over HTTP: URL of an OAuth server whose tokens (JWT) are accepted"
    )
    oauth_audience: str | None = setting(
        None, "over HTTP: the URL of this server, which such tokens must be for"
    )
    dashboard: bool = setting(
        default=False, help_text="over HTTP: show people what goes on, at /dashboard"
    )
    no_auth: bool = setting(
        default=False, help_text="over HTTP on a loopback address: clients need no token"
    )
    max_sessions: int = setting(32, "over HTTP: how many sessions there are at the same time")
    session_queue: int = setting(32, "over HTTP: how many more may wait for a place")
    session_idle: int = setting(1800, "over HTTP: seconds without a call that end a session")
    session_calls: int = setting(32, "over HTTP: how many calls of a session run at once")
    drain: int = setting(10, "over HTTP: seconds that running calls have left after SIGTERM")
    log_level: Literal["debug", "info", "warning", "error"] = setting(
        "warning", "how much is logged to stderr"
    )

    def check(self) -> None:
        """Raise `InvalidArgument` for a value out of range."""
        self.viewport_size()
        for root in self.root:
            if not Path(root).is_dir():
                raise InvalidArgument(f"root is a directory, not {root!r}.")
        for name, (low, high) in {"snapshot_depth": DEPTHS, "max_chars": LENGTHS}.items():
            if not low <= (value := getattr(self, name)) <= high:
                raise InvalidArgument(f"{name} is {low} to {high}, not {value}.")
        self._check_start()
        if self.http:
            self._check_http()

    def _check_start(self) -> None:
        for name, paths in {
            "storage_state": (self.storage_state,),
            "init_script": self.init_script,
            "secrets": (self.secrets,),
        }.items():
            for path in paths:
                if path is not None and not Path(path).is_file():
                    raise InvalidArgument(f"{name} is a file, not {path!r}.")
        _ = self.hidden
        _ = [one.context() for one in self.certificates()]
        for name in self.grant_permission:
            if name not in PERMISSIONS:
                raise InvalidArgument(
                    f"grant_permission {name!r} is none{nearest(name, PERMISSIONS)}; "
                    f"there are {', '.join(PERMISSIONS)}."
                )
        if self.user_data_dir is not None and (self.http or self.cdp_endpoint):
            raise InvalidArgument(
                "user_data_dir is for one session in a browser of our own: it goes neither with "
                "http nor with cdp_endpoint."
            )

    def certificates(self) -> tuple[ClientCertificate, ...]:
        """Who the browser is at which origins; raises `InvalidArgument`."""
        is_elsewhere = self.http and not is_loopback(self.host)
        if self.client_certificate and (self.proxy_server or self.cdp_endpoint or is_elsewhere):
            raise InvalidArgument(
                "client_certificate goes neither with proxy_server nor with cdp_endpoint, nor with "
                "http beyond this machine."
            )
        password = self.client_certificate_password
        return tuple(read_certificate(one, password) for one in self.client_certificate)

    def credentials(self) -> tuple[Credential, ...]:
        """Who logs in where; raises `InvalidArgument`."""
        return tuple(read_credential(one, self.proxy_server) for one in self.http_credential)

    @cached_property
    def hidden(self) -> Secrets:
        """What is typed by name and never shown, read once; raises `InvalidArgument`."""
        values = read_secrets(Path(self.secrets)) if self.secrets else {}
        return Secrets.of(values, self.credentials())

    def permissions(self) -> tuple[str, ...]:
        """What is granted, as CDP calls it."""
        return tuple(PERMISSIONS[name] for name in self.grant_permission)

    def _check_http(self) -> None:
        if self.port > _LAST_PORT:
            raise InvalidArgument(f"port is at most {_LAST_PORT}, not {self.port}.")
        if self.no_auth and not is_loopback(self.host):
            raise InvalidArgument(
                f"no_auth is for loopback addresses; {self.host} can be reached by others. "
                "Set CHARLOTTE_AUTH_TOKEN."
            )
        if bool(self.oauth_issuer) != bool(self.oauth_audience):
            raise InvalidArgument("oauth_issuer and oauth_audience belong together.")
        for name in ("oauth_issuer", "oauth_audience"):
            if (url := getattr(self, name)) and not is_safe_url(url):
                raise InvalidArgument(f"{name} is an https address, not {url!r}.")
        if self.dashboard and not (self.no_auth or self.auth_token):
            raise InvalidArgument(
                "dashboard shows the sessions of all clients: set CHARLOTTE_AUTH_TOKEN for those "
                "who may see it."
            )
        if not (self.no_auth or self.auth_token or self.oauth_issuer):
            raise InvalidArgument(
                "Over HTTP clients need a token: set CHARLOTTE_AUTH_TOKEN, "
                "or on a loopback address say --no-auth."
            )

    def viewport_size(self) -> tuple[int, int]:
        """``(width, height)``; raises `InvalidArgument`."""
        width, _, height = self.viewport.lower().partition("x")
        if not (_SIDE.fullmatch(width) and _SIDE.fullmatch(height)):
            raise InvalidArgument(f"viewport is WIDTHxHEIGHT, not {self.viewport!r}.")
        return int(width), int(height)


def fields() -> "dict[str, attrs.Attribute[Any]]":
    """The settings by name."""
    return {field.name: field for field in attrs.fields(Config)}


def load(
    flags: Mapping[str, Any], environ: Mapping[str, str], file: Path | None = None
) -> tuple[Config, list[str]]:
    """The configuration, and warnings to be logged once logging works; raises `InvalidArgument`."""
    from_environment, warnings = _environment(environ)
    layers = (_file(file) if file else {}), from_environment, flags
    merged: dict[str, Any] = {}
    types = {name: field.type for name, field in fields().items()}
    for layer in layers:
        given = {name: value for name, value in layer.items() if value is not None}
        merged |= {name: read(name, value, types[name]) for name, value in given.items()}
    config = Config(**merged)
    config.check()
    return config, warnings


def _environment(environ: Mapping[str, str]) -> tuple[dict[str, str], list[str]]:
    names = {PREFIX + name.upper(): name for name in fields()}
    ours = {key: value for key, value in environ.items() if key.startswith(PREFIX)}
    known = {names[key]: value for key, value in ours.items() if key in names}
    unknown = sorted(key for key in ours if key not in names and key not in _NO_SETTINGS)
    return known, [f"{key} is set, but is no setting{nearest(key, names)}" for key in unknown]


def _file(path: Path) -> dict[str, Any]:
    try:
        text = path.read_text(encoding="utf-8")
        content: object = json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
    except (OSError, ValueError) as error:
        raise InvalidArgument(f"The configuration file {path} cannot be read: {error}.") from error
    if not isinstance(content, dict):
        raise InvalidArgument(f"The configuration file {path} must hold an object of settings.")
    given = cast("dict[str, Any]", content)
    settings = {key.replace("-", "_"): value for key, value in given.items()}
    unknown = [key for key in settings if key not in fields()]
    if unknown:
        told = "; ".join(f"{key!r} is no setting{nearest(key, fields())}" for key in unknown)
        raise InvalidArgument(f"{path}: {told}.")
    return settings
