"""The check at the start whether ``--only-host`` can be enforced with a configuration."""

from typing import Final
from urllib.parse import urlsplit

from charlotte.base.urls import is_loopback, is_proxy
from charlotte.config.config import Config
from charlotte.config.setting import InvalidSetting

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
