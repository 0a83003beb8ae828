"""Checks that the values of the settings are valid, go together, and enforce ``--only-host``."""

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from charlotte.base.errors import CharlotteError, InvalidArgument
from charlotte.base.urls import (
    is_endpoint,
    is_host,
    is_loopback,
    is_proxy,
    is_safe_url,
    read_pattern,
)
from charlotte.base.users_browsers import BROWSERS, is_users_browser
from charlotte.config.config import RANGES, Config
from charlotte.config.setting import InvalidSetting, naming, nearest
from charlotte.guard.host_patterns import read_host_pattern
from charlotte.telemetry.audit import AuditFile

_OPENING_SWITCHES: Final = (
    "--proxy-server",
    "--proxy-pac-url",
    "--proxy-auto-detect",
    "--no-proxy-server",
    "--proxy-bypass-list",
    "--host-rules",
    "--host-resolver-rules",
    "--force-webrtc-ip-handling-policy",
    "--webrtc-ip-handling-policy",
    "--origin-to-force-quic-on",
)
"""Switches of Chromium that lead connections around the egress proxy."""

_OTHER_BROWSER: Final = (
    "WebRTC over UDP, to any host",
    "lookups of names for WebRTC and rel=dns-prefetch, which the DNS server sees",
    "requests that this browser sends outside of pages",
)


def check(config: Config) -> None:
    """Raise `InvalidArgument` for a value out of range."""
    config.viewport_size()
    for root in config.root:
        if not Path(root).is_dir():
            raise InvalidSetting("{root} must be a directory, got {got!r}.", got=root)
    for name, (low, high) in RANGES.items():
        if not low <= (value := getattr(config, name)) <= high:
            raise InvalidSetting(f"{{{name}}} must be between {low} and {high}, got {value}.")
    _check_each(config, "a host or an IP address", is_host, "allow_host", "block_host")
    files = ("storage_state", "init_script", "secrets", "login_key_file")
    _check_each(config, "a pattern such as https://*.example.com/*", read_pattern, "adopt")
    wanted = "a host, *.NAME or *, each with or without :PORT"
    _check_each(config, wanted, read_host_pattern, "only_host")
    _check_attach(config)
    _check_engine(config)
    _check_each(config, "a file", lambda path: Path(path).is_file(), *files)
    _ = config.permissions()
    with naming("cdp_header"):
        _ = config.headers()
    if config.cdp_header and not is_endpoint(config.cdp_endpoint or config.attach or ""):
        raise InvalidSetting(
            "{cdp_header} is for a browser at a URL: set {cdp_endpoint}, or {attach} to a URL."
        )
    with naming("http_credential"):
        _ = config.hidden
    _check_logins(config)
    with naming("client_certificate"):
        _ = [certificate.context() for certificate in config.certificates()]
    if config.user_data_dir is not None and config.cdp_endpoint:
        raise InvalidSetting(
            "{user_data_dir} cannot be combined with {cdp_endpoint}: "
            "it is for a browser that Charlotte starts."
        )
    if config.otel and find_spec("opentelemetry.sdk") is None:
        raise InvalidSetting("{otel} needs its SDK: install charlotte-mcp[otel].")
    _check_policy(config)
    if config.http:
        _check_http(config)


def _check_engine(config: Config) -> None:
    if config.address is not None and config.engine == "local":
        raise InvalidSetting("{address} is that of a Ray cluster: add {engine} ray.")
    if config.engine == "ray" and not config.http:
        raise InvalidSetting("{engine} ray is for servers over HTTP: add {http}.")
    if config.engine == "ray" and config.dashboard:
        raise InvalidSetting(
            "{dashboard} cannot be combined with {engine} ray: use charlotte://status, /metrics "
            "and Ray's own dashboard."
        )
    if config.engine == "ray" and (config.audit is not None or config.otel):
        raise InvalidSetting(
            "{engine} ray has neither {audit} nor {otel}: they are for browsers of one machine."
        )
    if config.engine == "ray" and (config.is_foreign or config.user_data_dir is not None):
        raise InvalidSetting(
            "{engine} ray starts a browser on each node: it cannot be combined with "
            "{cdp_endpoint}, {attach} or {user_data_dir}."
        )


def check_audit_file(config: Config) -> None:
    """Raise `InvalidArgument` for an audit log that cannot be opened, before it is in use."""
    if config.audit is not None:
        try:
            with AuditFile.open(Path(config.audit)):
                pass
        except InvalidArgument as error:
            raise InvalidSetting("{audit}: {problem}", problem=error.message) from error


def _check_policy(config: Config) -> None:
    """Raise `InvalidArgument` for rules that are invalid, or cannot be applied."""
    with naming("policy"):
        rules = config.rules
    if config.attach is not None and (rules.decides_on_requests or rules.presets):
        raise InvalidSetting(
            "{policy} can only have rules on calls with {attach}: rules on requests would hold "
            "the requests of the user's own tabs."
        )
    if config.engine == "ray" and rules.may_ask:
        raise InvalidSetting(
            "{policy} can only have rules that allow or refuse with {engine} ray: questions to "
            "people are for browsers of one machine."
        )


def _check_attach(config: Config) -> None:
    """Raise `InvalidArgument` for settings that do not go with the user's own browser."""
    if config.adopt and config.attach is None:
        raise InvalidSetting("{adopt} is for the tabs of the user's browser: add {attach}.")
    if config.attach is None:
        return
    if not is_users_browser(config.attach):
        raise InvalidSetting(
            "{attach} must be one of {known}, the directory of a browser's profiles, or a "
            "ws:// or http:// URL, got {got!r}{near}.",
            known=", ".join(BROWSERS),
            got=config.attach,
            near=nearest(config.attach, BROWSERS),
        )
    if config.user_data_dir is not None or config.cdp_endpoint is not None:
        raise InvalidSetting(
            "{attach} cannot be combined with {user_data_dir} or {cdp_endpoint}: each of them "
            "names the browser."
        )
    if config.serves_other_machines:
        raise InvalidSetting(
            "{attach} is for agents on this machine: it cannot be combined with {http} on an "
            "address that is not loopback, {server_name} or {oauth_issuer}."
        )


def _check_each(config: Config, wanted: str, check: Callable[[str], object], *names: str) -> None:
    """Check each value of some settings."""
    for name in names:
        value = getattr(config, name)
        for each in (value,) if isinstance(value, str) else value or ():
            if not check(each):
                raise InvalidSetting(f"{{{name}}} must be {wanted}, got {{got!r}}.", got=each)


def _check_logins(config: Config) -> None:
    if config.login is not None and (config.storage_state or config.user_data_dir):
        raise InvalidSetting(
            "{login} cannot be combined with {storage_state} or {user_data_dir}: "
            "it begins isolated contexts."
        )
    key = config.login_key_file
    if key is not None and Path(key).resolve().is_relative_to(config.logins.directory.resolve()):
        raise InvalidSetting(
            "{login_key_file} must not be in the directory of the logins that it encrypts, "
            "got {got!r}.",
            got=key,
        )
    if config.login is not None:
        try:
            config.logins.read(config.login, dict)
        except CharlotteError as error:
            raise InvalidSetting(
                "{login}: {message} {advice}", message=error.message, advice=error.suggestion
            ) from error


def _check_http(config: Config) -> None:
    if config.join is not None:
        raise InvalidSetting("{join} is for servers over stdio: omit {http}.")
    if config.no_auth and not is_loopback(config.host):
        raise InvalidSetting(
            "{no_auth} is allowed on loopback addresses only, got {host} {got!r}. "
            "Set CHARLOTTE_AUTH_TOKEN.",
            got=config.host,
        )
    if bool(config.oauth_issuer) != bool(config.oauth_audience):
        raise InvalidSetting("{oauth_issuer} and {oauth_audience} must be set together.")
    for name in ("oauth_issuer", "oauth_audience"):
        if (url := getattr(config, name)) and not is_safe_url(url):
            raise InvalidSetting(f"{{{name}}} must be an https URL, got {{got!r}}.", got=url)
    if config.dashboard and not (config.no_auth or config.auth_token):
        raise InvalidSetting(
            "{dashboard} shows the sessions of all clients and requires a token. "
            "Set CHARLOTTE_AUTH_TOKEN."
        )
    if not (config.no_auth or config.auth_token or config.oauth_issuer):
        raise InvalidSetting(
            "{http} requires a token for clients. Set CHARLOTTE_AUTH_TOKEN, "
            "or set {no_auth} on a loopback address."
        )


def has_egress(config: Config) -> bool:
    """Return whether the browser can use a proxy on this machine."""
    address = config.cdp_endpoint or config.attach or ""
    host = urlsplit(address).hostname if "://" in address else None
    return host is None or is_loopback(host)


def open_routes(config: Config) -> list[str]:
    """Return the routes to hosts that ``--only-host`` does not list, which stay open."""
    routes: list[str] = []
    if not has_egress(config):
        routes.append("everything but documents: the browser runs on another machine")
    elif config.is_foreign:
        routes += _OTHER_BROWSER
    if config.attach is not None:
        routes.append("in tabs of the browser's owner, everything but documents")
    for argument in config.chromium_arg:
        if argument.partition("=")[0] in _OPENING_SWITCHES:
            routes.append(f"all that {argument.partition('=')[0]} of {{chromium_arg}} leads to")
    return routes


def check_containment(config: Config) -> None:
    """Raise `InvalidSetting` with the open routes, unless they are accepted."""
    if not config.only_host:
        if config.allow_open_routes:
            raise InvalidSetting("{allow_open_routes} is for contained browsers: add {only_host}.")
        return
    if config.proxy_server is not None and not is_proxy(config.proxy_server):
        raise InvalidSetting(
            "{proxy_server} must be http://, https:// or socks5://HOST:PORT with {only_host}, got "
            "{got!r}.",
            got=config.proxy_server,
        )
    if (routes := open_routes(config)) and not config.allow_open_routes:
        raise InvalidSetting(
            "{only_host} cannot close these routes of the browser: "
            f"{'; '.join(routes)}. "
            "Omit {cdp_endpoint}, {attach} and such arguments, so that Charlotte starts the "
            "browser, or add {allow_open_routes}."
        )
