"""The configuration: each setting is a field, from which flag, variable and file key follow.

Precedence: flags, environment, file, defaults. An unknown key or an invalid value is an error.
An unknown ``CHARLOTTE_*`` variable is a warning, because another program may use it.
"""

import re
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import attrs

from charlotte.base.log import now_ms
from charlotte.base.urls import is_endpoint, is_loopback
from charlotte.config.setting import InvalidSetting, nearest, secret, setting, switch
from charlotte.guard.rule_files import read_policy
from charlotte.guard.rules import Policy
from charlotte.secrets.certificates import ClientCertificate, read_certificate
from charlotte.secrets.login_store import LoginStore, open_store
from charlotte.secrets.redaction import (
    Credential,
    Secrets,
    read_credential,
    read_header,
    read_secrets,
)

DEPTHS = 5, 500
"""Minimum and maximum number of snapshots per tab (C-SNAP-02)."""

LENGTHS = 1_000, 400_000
"""Minimum and maximum of ``max_chars``, the characters of one answer."""

ProfileName = Literal["core", "browse", "develop", "audit", "full"]
EngineName = Literal["local", "ray"]
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
RANGES = {
    "snapshot_depth": DEPTHS,
    "max_chars": LENGTHS,
    "port": (0, 65_535),
    "host_cpus": (0, 1024),
    "subject_sessions": (0, 100_000),
    "subject_tabs": (0, 100_000),
    "ask_timeout": (5, 3600),
}


@attrs.frozen(kw_only=True)
class Config:
    """All settings of the server."""

    profile: ProfileName = setting("browse", "tools that are listed at the start", "Tools")
    strict_profile: bool = switch("reject calls of tools that are not listed", "Tools")
    tool_naming: Naming = setting(
        "underscore", "form of tool names: charlotte_x, charlotte:x or x", "Tools"
    )
    answers: AnswerFormat = setting(
        "text", "format of answers: text for agents, json for programs", "Answers"
    )
    max_chars: int = setting(
        40_000, "maximum characters of an answer, 1000 to 400000", "Answers", unit="CHARACTERS"
    )
    content_boundaries: bool = switch(
        "enclose page text in random boundary lines, which pages cannot forge", "Answers"
    )
    auto_snapshot: AutoSnapshot = setting(
        "every_action", "when snapshots for the tool diff are stored", "Answers"
    )
    snapshot_depth: int = setting(50, "snapshots kept per tab, 5 to 500", "Answers", unit="NUMBER")
    chromium: str | None = setting(
        None, "executable of the browser; default: search the usual places", "Browser", unit="FILE"
    )
    chromium_arg: tuple[str, ...] = setting(
        (), "extra argument for the browser; repeatable", "Browser", unit="ARGUMENT"
    )
    cdp_endpoint: str | None = setting(
        None,
        "URL of a running browser to attach to, ws:// or http://",
        "Browser",
        unit="URL",
    )
    attach: str | None = setting(
        None,
        "the user's running browser to work in: chrome (the value of the flag alone), chromium, "
        "edge, brave, a channel such as chrome-beta, the directory of its profiles, or a ws:// or "
        "http:// URL",
        "Browser",
        unit="BROWSER",
        alone="chrome",
    )
    adopt: tuple[str, ...] = setting(
        (),
        "addresses in which agents may work in the tabs and with the logins of the attached "
        "browser, such as https://*.example.com/*; repeatable",
        "Browser",
        unit="PATTERN",
    )
    cdp_header: tuple[str, ...] = secret(
        "HTTP header sent to the URL of a running browser, Name: value; repeatable",
        "Browser",
        unit="HEADER",
        default=(),
    )
    sandbox: SandboxChoice = setting(
        "auto", "sandbox of the browser; auto: on unless it cannot start", "Browser"
    )
    headed: bool = switch("show browser windows", "Browser")
    user_data_dir: str | None = setting(
        None,
        "browser profile to use and keep, for all sessions, instead of isolated contexts",
        "Browser",
        unit="DIRECTORY",
    )
    viewport: str = setting(
        "1280x720", "viewport of new tabs in CSS pixels", "Browser", unit="WIDTHxHEIGHT"
    )
    grant_permission: tuple[str, ...] = setting(
        (),
        "permission granted to all pages without a prompt, such as geolocation; repeatable",
        "Browser",
        unit="NAME",
    )
    init_script: tuple[str, ...] = setting(
        (),
        "JavaScript file that runs in every document before its own scripts; repeatable",
        "Browser",
        unit="FILE",
    )
    no_webmcp: bool = switch(
        "do not give pages the API to offer tools (WebMCP), and list no such tools", "Browser"
    )
    proxy_server: str | None = setting(
        None, "proxy of the browser, scheme://host:port", "Network", unit="URL"
    )
    ignore_https_errors: bool = switch("accept any TLS certificate", "Network")
    allow_host: tuple[str, ...] = setting(
        (),
        "private host that may be opened when serving remote clients; repeatable",
        "Network",
        unit="HOST",
    )
    block_host: tuple[str, ...] = setting(
        (), "host that is blocked with all its subdomains; repeatable", "Network", unit="HOST"
    )
    only_host: tuple[str, ...] = setting(
        (),
        "host that pages may reach, and no others: NAME, *.NAME or *, each with or without :PORT; "
        "repeatable",
        "Network",
        unit="PATTERN",
    )
    allow_open_routes: bool = switch(
        "start with --only-host although some routes of the browser stay open", "Network"
    )
    policy: tuple[str, ...] = setting(
        (),
        "rules on calls and requests: a TOML file, or the preset read-only, no-downloads or "
        "no-uploads; repeatable, the first rule that matches decides",
        "Network",
        unit="FILE",
    )
    ask_timeout: int = setting(
        120,
        "time that a person has to answer a question of a policy, 5 to 3600",
        "Network",
        unit="SECONDS",
    )
    client_certificate: tuple[str, ...] = setting(
        (),
        "TLS client certificate for an origin, https://host=certificate.pem:key.pem; repeatable",
        "Logins",
        unit="ORIGIN=FILE",
    )
    client_certificate_password: str | None = secret(
        "password of the client certificate files", "Logins", unit="PASSWORD"
    )
    http_credential: tuple[str, ...] = secret(
        "HTTP login at a server or the proxy, https://user:password@host; repeatable",
        "Logins",
        unit="URL",
        default=(),
    )
    secrets: str | None = setting(
        None,
        "file of NAME=value lines; agents type the names and never see the values; "
        "a value otpauth://totp/... is typed as its present one-time code",
        "Logins",
        unit="FILE",
    )
    storage_state: str | None = setting(
        None,
        "file with initial cookies and localStorage, as saved by the tool storage",
        "Logins",
        unit="FILE",
    )
    login: str | None = setting(
        None, "saved login with which every session begins", "Logins", unit="NAME"
    )
    login_store: str | None = setting(
        None,
        "directory of saved logins; default: in the data directory of the user",
        "Logins",
        unit="DIRECTORY",
    )
    login_key_file: str | None = setting(
        None,
        "file with the key of saved logins, outside their directory; default: the system's keyring",
        "Logins",
        unit="FILE",
    )
    root: tuple[str, ...] = setting(
        (),
        "directory for uploads and saved files; repeatable; default: the working directory",
        "Files",
        unit="DIRECTORY",
    )
    output_dir: str | None = setting(
        None,
        "directory for screenshots and downloads; default: a private temporary directory",
        "Files",
        unit="DIRECTORY",
    )
    allow_file: bool = switch("allow file: URLs inside the roots", "Files")
    http: bool = switch("serve over HTTP instead of stdio", "HTTP")
    host: str = setting("127.0.0.1", "address to listen on", "HTTP", unit="ADDRESS")
    port: int = setting(3737, "port to listen on; 0 for any free port", "HTTP", unit="PORT")
    server_name: tuple[str, ...] = setting(
        (), "host name that clients may use for the server; repeatable", "HTTP", unit="HOST"
    )
    auth_token: str | None = secret("bearer token that clients must send", "HTTP", unit="TOKEN")
    no_auth: bool = switch("require no token; on a loopback address only", "HTTP")
    oauth_issuer: str | None = setting(
        None, "URL of an OAuth server whose tokens (JWT) are accepted", "HTTP", unit="URL"
    )
    oauth_audience: str | None = setting(
        None, "URL of this server, the required audience of OAuth tokens", "HTTP", unit="URL"
    )
    dashboard: bool = switch(
        "serve a dashboard for people at /dashboard/; over stdio, on a local port of its "
        "own, at the address that is logged",
        "HTTP",
    )
    engine: EngineName = setting(
        "local", "where the browsers run: on this machine, or on the nodes of a Ray cluster", "HTTP"
    )
    address: str | None = setting(
        None,
        "address of the Ray cluster, such as 10.0.0.1:6379; default: that of RAY_ADDRESS, or of "
        "the cluster to which this machine belongs",
        "HTTP",
        unit="HOST:PORT",
    )
    host_cpus: int = setting(
        1, "CPUs that Ray reserves for each browser host of the cluster", "HTTP", unit="NUMBER"
    )
    max_sessions: int = setting(
        32,
        "maximum number of sessions; with engine ray, of each browser host",
        "HTTP",
        unit="NUMBER",
    )
    session_queue: int = setting(
        32, "maximum number of sessions that wait for a free place", "HTTP", unit="NUMBER"
    )
    session_idle: int = setting(
        1800, "time without a call after which a session ends", "HTTP", unit="SECONDS"
    )
    session_per_token: bool = switch(
        "calls that name no session share one per token, for clients that keep none", "HTTP"
    )
    session_calls: int = setting(
        32, "maximum number of concurrent calls of a session", "HTTP", unit="NUMBER"
    )
    subject_sessions: int = setting(
        0,
        "maximum number of sessions of a subject, the user of an OAuth token; 0: no limit",
        "HTTP",
        unit="NUMBER",
    )
    subject_tabs: int = setting(
        0,
        "maximum number of open tabs in all sessions of a subject; 0: no limit",
        "HTTP",
        unit="NUMBER",
    )
    drain: int = setting(
        10, "time that running calls get to finish after SIGTERM", "HTTP", unit="SECONDS"
    )
    join: str | None = setting(
        None, "session of `charlotte do` to serve over stdio", "Shell", unit="NAME"
    )
    idle: int = setting(
        1800,
        "time without a call after which a session of `charlotte do`, and its server, ends",
        "Shell",
        unit="SECONDS",
    )
    log_level: Literal["debug", "info", "warning", "error"] = setting(
        "warning", "minimum level of messages logged to stderr", "Logging"
    )
    audit: str | None = setting(
        None, "file to which a line is written for each call", "Logging", unit="FILE"
    )
    otel: bool = switch(
        "send spans of calls to OpenTelemetry, as the OTEL_* variables configure it", "Logging"
    )

    def __attrs_post_init__(self) -> None:
        """Raise `InvalidArgument` for an invalid address of a browser."""
        if (got := self.cdp_endpoint) is not None and not is_endpoint(got):
            expected = "{cdp_endpoint} must be a ws:// or http:// URL, got {got!r}."
            raise InvalidSetting(expected, got=got)

    @property
    def is_foreign(self) -> bool:
        """Whether the browser is not started by Charlotte."""
        return self.attach is not None or self.cdp_endpoint is not None

    @property
    def serves_other_machines(self) -> bool:
        """Whether other machines may be clients.

        A server name or an OAuth issuer indicates a proxy through which they reach the server.
        """
        is_local = is_loopback(self.host) and not (self.server_name or self.oauth_issuer)
        return self.http and not is_local

    @property
    def has_windows(self) -> bool:
        """Whether the browser has windows now or had them with this profile."""
        return self.headed or self.user_data_dir is not None

    def certificates(self) -> tuple[ClientCertificate, ...]:
        """Parse the client certificates; raises `InvalidArgument`."""
        is_elsewhere = self.http and not is_loopback(self.host)
        has_other_route = self.proxy_server or self.only_host
        if self.client_certificate and (has_other_route or self.is_foreign or is_elsewhere):
            raise InvalidSetting(
                "{client_certificate} cannot be combined with {proxy_server}, {cdp_endpoint}, "
                "{attach}, {only_host}, or {http} on an address that is not loopback."
            )
        password = self.client_certificate_password
        return tuple(read_certificate(text, password) for text in self.client_certificate)

    def credentials(self) -> tuple[Credential, ...]:
        """Parse the HTTP logins; raises `InvalidArgument`."""
        return tuple(read_credential(text, self.proxy_server) for text in self.http_credential)

    def headers(self) -> tuple[tuple[str, str], ...]:
        """Parse the HTTP headers for the browser's endpoint; raises `InvalidArgument`."""
        return tuple(map(read_header, self.cdp_header))

    @cached_property
    def hidden(self) -> Secrets:
        """The secrets, read once; raises `InvalidArgument`."""
        values = read_secrets(Path(self.secrets)) if self.secrets else {}
        headers = [value for _, value in self.headers()]
        return Secrets.of(values, self.credentials(), headers, lambda: now_ms() / 1000)

    @cached_property
    def rules(self) -> Policy:
        """The policy, read once; raises `InvalidArgument`."""
        return read_policy(self.policy)

    @cached_property
    def logins(self) -> LoginStore:
        """The store of saved logins."""
        return open_store(self.login_store, self.login_key_file)

    def permissions(self) -> tuple[str, ...]:
        """Return the granted permissions by their CDP names; raises `InvalidArgument`."""
        for name in self.grant_permission:
            if name not in PERMISSIONS:
                raise InvalidSetting(
                    f"{{grant_permission}} must be one of {', '.join(PERMISSIONS)}, got {{got!r}}"
                    f"{nearest(name, PERMISSIONS)}.",
                    got=name,
                )
        return tuple(PERMISSIONS[name] for name in self.grant_permission)

    def viewport_size(self) -> tuple[int, int]:
        """Return ``(width, height)`` in CSS pixels; raises `InvalidArgument`."""
        width, _, height = self.viewport.lower().partition("x")
        if not (_SIDE.fullmatch(width) and _SIDE.fullmatch(height)):
            raise InvalidSetting(
                "{viewport} must be WIDTHxHEIGHT, such as 1280x720; got {got!r}.", got=self.viewport
            )
        return int(width), int(height)


def fields() -> "dict[str, attrs.Attribute[Any]]":
    """Return the settings by name."""
    return {field.name: field for field in attrs.fields(Config)}


Config.__doc__ = "\n".join(
    [
        f"{Config.__doc__}\n\nParameters:",
        *(f"    {name}: {field.metadata['help']}" for name, field in fields().items()),
    ]
)
