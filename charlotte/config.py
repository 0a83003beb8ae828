"""The configuration: each setting is a field, from which flag, variable and file key follow.

Precedence: flags, environment, file, defaults. An unknown key or an invalid value is an error.
An unknown ``CHARLOTTE_*`` variable is a warning, because another program may use it.
"""

import difflib
import json
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, cast, get_args, get_origin

import attrs

from charlotte.certificates import ClientCertificate, read_certificate
from charlotte.errors import InvalidArgument
from charlotte.redaction import Credential, Secrets, read_credential, read_secrets
from charlotte.urls import is_endpoint, is_loopback, is_safe_url

PREFIX = "CHARLOTTE_"
DEPTHS = 5, 500
"""Minimum and maximum number of snapshots per tab (C-SNAP-02)."""

LENGTHS = 1_000, 400_000
"""Minimum and maximum of ``max_chars``, the characters of one answer."""

ProfileName = Literal["core", "browse", "develop", "audit", "full"]
Naming = Literal["underscore", "colon", "bare"]
SandboxChoice = Literal["auto", "on", "off"]
AutoSnapshot = Literal["every_action", "observe_only", "manual"]
AnswerFormat = Literal["text", "json"]

_PERMISSIONS = (
    "geolocation=geolocation notifications=notifications camera=videoCapture "
    "microphone=audioCapture clipboard-read=clipboardReadWrite midi=midi sensors=sensors "
    "clipboard-write=clipboardSanitizedWrite background-sync=backgroundSync "
    "idle-detection=idleDetection local-fonts=localFonts storage-access=storageAccess "
    "window-management=windowManagement"
)
PERMISSIONS = {web: cdp for web, _, cdp in (pair.partition("=") for pair in _PERMISSIONS.split())}
"""Permissions by their names in the Permissions API, with their CDP names."""

_SIDE = re.compile("[1-9][0-9]{0,4}")
_INTEGER = re.compile("0|[1-9][0-9]{0,8}")
_BOOLEANS = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}
_NO_SETTINGS = frozenset({"CHARLOTTE_CONFIG"})
_LAST_PORT = 65_535


def setting(default: Any, help_text: str, check: Callable[..., None] | None = None) -> Any:
    """Declare a setting with its default and its line in ``--help``."""
    return attrs.field(default=default, metadata={"help": help_text}, validator=check)


def secret(help_text: str, default: Any = None) -> Any:
    """Declare a secret setting: never logged, and no flag, because other users can see flags."""
    return attrs.field(default=default, metadata={"help": help_text, "secret": True}, repr=False)


def _check_endpoint(_config: object, _field: object, value: str | None) -> None:
    """Raise `InvalidArgument` for an invalid address of a browser."""
    if value is not None and not is_endpoint(value):
        raise InvalidArgument(f"cdp_endpoint must be a ws:// or http:// URL, got {value!r}.")


@attrs.frozen(kw_only=True)
class Config:
    """All settings of the server."""

    profile: ProfileName = setting("browse", "tools that are listed at the start")
    strict_profile: bool = setting(
        default=False, help_text="reject calls of tools that are not listed"
    )
    tool_naming: Naming = setting("underscore", "form of tool names: charlotte_x, charlotte:x or x")
    chromium: str | None = setting(None, "executable of the browser; default: search PATH")
    chromium_arg: tuple[str, ...] = setting((), "extra argument for the browser; repeatable")
    cdp_endpoint: str | None = setting(
        None, "ws:// or http:// URL of a running browser to attach to", _check_endpoint
    )
    sandbox: SandboxChoice = setting(
        "auto", "sandbox of the browser; auto: on unless it cannot start"
    )
    headed: bool = setting(default=False, help_text="show browser windows")
    proxy_server: str | None = setting(None, "proxy for the browser, as scheme://host:port")
    ignore_https_errors: bool = setting(default=False, help_text="accept any TLS certificate")
    client_certificate: tuple[str, ...] = setting(
        (), "TLS client certificate of an origin: https://host=certificate.pem:key.pem; repeatable"
    )
    client_certificate_password: str | None = secret("password of the client_certificate files")
    http_credential: tuple[str, ...] = secret(
        "HTTP login at a server or the proxy: https://user:password@host", ()
    )
    secrets: str | None = setting(
        None, "file of NAME=value lines; agents type the names and never see the values"
    )
    user_data_dir: str | None = setting(
        None, "browser profile to use and keep, instead of isolated contexts"
    )
    storage_state: str | None = setting(
        None, "file with initial cookies and localStorage, as saved by the tool storage"
    )
    grant_permission: tuple[str, ...] = setting(
        (), "permission granted to all pages, such as geolocation; repeatable"
    )
    init_script: tuple[str, ...] = setting(
        (), "JavaScript file that runs in every document before its own scripts; repeatable"
    )
    viewport: str = setting("1280x720", "viewport of new tabs, WIDTHxHEIGHT in CSS pixels")
    root: tuple[str, ...] = setting(
        (), "directory for uploads and saved files; repeatable; default: the working directory"
    )
    content_boundaries: bool = setting(
        default=False, help_text="enclose page text in boundary lines that pages cannot forge"
    )
    allow_file: bool = setting(default=False, help_text="allow file: URLs inside the roots")
    allow_host: tuple[str, ...] = setting(
        (), "private host that may be opened when serving HTTP beyond loopback; repeatable"
    )
    block_host: tuple[str, ...] = setting(
        (), "host that is blocked with all its subdomains; repeatable"
    )
    output_dir: str | None = setting(
        None, "directory for screenshots and downloads; default: a private temporary directory"
    )
    auto_snapshot: AutoSnapshot = setting(
        "every_action", "when snapshots of the page are stored automatically"
    )
    snapshot_depth: int = setting(50, "snapshots kept per tab, 5 to 500")
    answers: AnswerFormat = setting("text", "format of answers: text for agents, json for programs")
    max_chars: int = setting(40_000, "maximum characters of a response, 1000 to 400000")
    http: bool = setting(default=False, help_text="serve over HTTP instead of stdio")
    host: str = setting("127.0.0.1", "HTTP: address to listen on")
    port: int = setting(3737, "HTTP: port to listen on; 0 for any free port")
    server_name: tuple[str, ...] = setting(
        (), "HTTP: host name that clients may use for the server; repeatable"
    )
    auth_token: str | None = secret("HTTP: bearer token that clients must send")
    oauth_issuer: str | None = setting(
        None, "HTTP: URL of an OAuth server whose tokens (JWT) are accepted"
    )
    oauth_audience: str | None = setting(
        None, "HTTP: URL of this server, the required audience of OAuth tokens"
    )
    dashboard: bool = setting(default=False, help_text="HTTP: serve a dashboard at /dashboard")
    no_auth: bool = setting(default=False, help_text="HTTP on a loopback address: require no token")
    max_sessions: int = setting(32, "HTTP: maximum number of sessions")
    session_queue: int = setting(32, "HTTP: maximum number of sessions that wait for a free place")
    session_idle: int = setting(1800, "HTTP: seconds without a call after which a session ends")
    session_calls: int = setting(32, "HTTP: maximum number of concurrent calls of a session")
    drain: int = setting(10, "HTTP: seconds that running calls get to finish after SIGTERM")
    log_level: Literal["debug", "info", "warning", "error"] = setting(
        "warning", "minimum level of messages logged to stderr"
    )

    def check(self) -> None:
        """Raise `InvalidArgument` for a value out of range."""
        self.viewport_size()
        for root in self.root:
            if not Path(root).is_dir():
                raise InvalidArgument(f"root is a directory, not {root!r}.")
        for name, (low, high) in {"snapshot_depth": DEPTHS, "max_chars": LENGTHS}.items():
            if not low <= (value := getattr(self, name)) <= high:
                raise InvalidArgument(f"{name} must be between {low} and {high}, got {value}.")
        for name in ("storage_state", "init_script", "secrets"):
            value = getattr(self, name)
            for path in (value,) if isinstance(value, str) else value or ():
                if not Path(path).is_file():
                    raise InvalidArgument(f"{name} must be a file, got {path!r}.")
        _ = self.hidden, self.permissions()
        _ = [certificate.context() for certificate in self.certificates()]
        if self.user_data_dir is not None and (self.http or self.cdp_endpoint):
            raise InvalidArgument(
                "user_data_dir cannot be combined with http or cdp_endpoint: it is for one session "
                "in a browser that Charlotte starts."
            )
        if self.http:
            self._check_http()

    @property
    def has_windows(self) -> bool:
        """Whether the browser has windows now or had them with this profile."""
        return self.headed or self.user_data_dir is not None

    def certificates(self) -> tuple[ClientCertificate, ...]:
        """Parse the client certificates; raises `InvalidArgument`."""
        is_elsewhere = self.http and not is_loopback(self.host)
        if self.client_certificate and (self.proxy_server or self.cdp_endpoint or is_elsewhere):
            raise InvalidArgument(
                "client_certificate cannot be combined with proxy_server, cdp_endpoint, or http "
                "on an address that is not loopback."
            )
        password = self.client_certificate_password
        return tuple(read_certificate(text, password) for text in self.client_certificate)

    def credentials(self) -> tuple[Credential, ...]:
        """Parse the HTTP logins; raises `InvalidArgument`."""
        return tuple(read_credential(text, self.proxy_server) for text in self.http_credential)

    @cached_property
    def hidden(self) -> Secrets:
        """The secrets, read once; raises `InvalidArgument`."""
        values = read_secrets(Path(self.secrets)) if self.secrets else {}
        return Secrets.of(values, self.credentials())

    def permissions(self) -> tuple[str, ...]:
        """Return the granted permissions by their CDP names; raises `InvalidArgument`."""
        for name in self.grant_permission:
            if name not in PERMISSIONS:
                raise InvalidArgument(
                    f"grant_permission must be one of {', '.join(PERMISSIONS)}, got {name!r}"
                    f"{_nearest(name, PERMISSIONS)}."
                )
        return tuple(PERMISSIONS[name] for name in self.grant_permission)

    def _check_http(self) -> None:
        if self.port > _LAST_PORT:
            raise InvalidArgument(f"port must be at most {_LAST_PORT}, got {self.port}.")
        if self.no_auth and not is_loopback(self.host):
            raise InvalidArgument(
                f"no_auth is allowed on loopback addresses only, got host {self.host!r}. "
                "Set CHARLOTTE_AUTH_TOKEN."
            )
        if bool(self.oauth_issuer) != bool(self.oauth_audience):
            raise InvalidArgument("oauth_issuer and oauth_audience must be set together.")
        for name in ("oauth_issuer", "oauth_audience"):
            if (url := getattr(self, name)) and not is_safe_url(url):
                raise InvalidArgument(f"{name} must be an https URL, got {url!r}.")
        if self.dashboard and not (self.no_auth or self.auth_token):
            raise InvalidArgument(
                "dashboard shows the sessions of all clients and requires a token. "
                "Set CHARLOTTE_AUTH_TOKEN."
            )
        if not (self.no_auth or self.auth_token or self.oauth_issuer):
            raise InvalidArgument(
                "http requires a token for clients. Set CHARLOTTE_AUTH_TOKEN, "
                "or pass --no-auth on a loopback address."
            )

    def viewport_size(self) -> tuple[int, int]:
        """Return ``(width, height)`` in CSS pixels; raises `InvalidArgument`."""
        width, _, height = self.viewport.lower().partition("x")
        if not (_SIDE.fullmatch(width) and _SIDE.fullmatch(height)):
            raise InvalidArgument(f"viewport must be WIDTHxHEIGHT, got {self.viewport!r}.")
        return int(width), int(height)


def fields() -> "dict[str, attrs.Attribute[Any]]":
    """Return the settings by name."""
    return {field.name: field for field in attrs.fields(Config)}


def load(
    flags: Mapping[str, Any], environ: Mapping[str, str], file: Path | None = None
) -> tuple[Config, list[str]]:
    """Load the configuration; return it with warnings to log. Raises `InvalidArgument`."""
    names = {PREFIX + name.upper(): name for name in fields()}
    ours = {key: value for key, value in environ.items() if key.startswith(PREFIX)}
    unknown = sorted(ours.keys() - names.keys() - _NO_SETTINGS)
    from_environment = {names[key]: value for key, value in ours.items() if key in names}
    merged: dict[str, Any] = {}
    for layer in ((_file(file) if file else {}), from_environment, flags):
        merged |= {
            name: _parse(name, value, fields()[name].type)
            for name, value in layer.items()
            if value is not None
        }
    config = Config(**merged)
    config.check()
    return config, [f"{key} is not a setting{_nearest(key, names)}" for key in unknown]


def _file(path: Path) -> dict[str, Any]:
    try:
        text = path.read_text(encoding="utf-8")
        content: object = json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
    except (OSError, ValueError) as error:
        raise InvalidArgument(f"The configuration file {path} cannot be read: {error}.") from error
    if not isinstance(content, dict):
        raise InvalidArgument(f"The configuration file {path} must contain an object of settings.")
    given = cast("dict[str, Any]", content)
    settings = {key.replace("-", "_"): value for key, value in given.items()}
    if unknown := [key for key in settings if key not in fields()]:
        problems = [f"{key!r} is not a setting{_nearest(key, fields())}" for key in unknown]
        raise InvalidArgument(f"{path}: {'; '.join(problems)}.")
    return settings


def _parse(name: str, value: Any, hint: Any) -> Any:
    """Parse the value of a setting by its type; raises `InvalidArgument`.

    Flags and variables are text; values of a file have JSON or TOML types.
    """
    expected = "text"
    if get_origin(hint) is Literal:
        if value in get_args(hint):
            return value
        expected = f"one of {', '.join(get_args(hint))}"
    elif hint is bool:
        truth = _BOOLEANS.get(value.lower()) if isinstance(value, str) else value
        if isinstance(truth, bool):
            return truth
        expected = "true or false"
    elif hint is int:
        least = 0 if name == "port" else 1
        is_number = not isinstance(value, bool) and _INTEGER.fullmatch(str(value))
        if is_number and int(value) >= least:
            return int(value)
        expected = f"an integer of at least {least}"
    elif hint == tuple[str, ...]:
        texts: list[object] = [*value] if isinstance(value, list) else [value]
        if all(isinstance(text, str) for text in texts):
            return tuple(texts)
        expected = "a list of texts"
    elif isinstance(value, str):
        return value
    raise InvalidArgument(f"{name} must be {expected}, got {value!r}.")


def _nearest(name: str, known: Mapping[str, object] | Sequence[str]) -> str:
    """Return ``" (did you mean x?)"`` for the most similar known name, or ``""``."""
    close = difflib.get_close_matches(name, list(known), n=1)
    return f" (did you mean {close[0]}?)" if close else ""
