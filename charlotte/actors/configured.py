"""What the configuration means: where the browser is, and what a session begins with."""

import secrets
import tempfile
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import attrs

from charlotte.actors.reach import OpenEndpoint
from charlotte.actors.settings import Settings
from charlotte.addresses import is_loopback
from charlotte.browser.egress import SWITCHES, open_egress
from charlotte.browser.endpoint import endpoint_of
from charlotte.browser.hosts import Guard
from charlotte.browser.launch import LaunchOptions, open_chromium
from charlotte.config import Config
from charlotte.files import Roots


def session_settings(config: Config) -> Settings:
    """Those of a session that works where the program does."""
    return Settings(
        max_chars=config.max_chars,
        viewport=config.viewport_size(),
        output=Path(config.output_dir).resolve() if config.output_dir else None,
        roots=_roots(config) or (Path.cwd(),),
        given_roots=_roots(config),
        auto_snapshot=config.auto_snapshot,
        snapshot_depth=config.snapshot_depth,
        permissions=config.permissions(),
        in_profile=config.user_data_dir is not None,
        watched=config.headed or config.cdp_endpoint is not None,
        content_boundaries=config.content_boundaries,
        guard=_guard(config, _roots(config) or (Path.cwd(),)),
        credentials=config.credentials(),
        secrets=config.hidden,
        init_scripts=tuple(Path(path).read_text(encoding="utf-8") for path in config.init_script),
    )


def private_settings(config: Config) -> Settings:
    """Those of a session with a directory of its own, which is none of the others' roots."""
    settings = session_settings(config)
    parent = Path(config.output_dir or tempfile.gettempdir()).resolve()
    settings.output = parent / f"charlotte-session-{secrets.token_hex(8)}"
    settings.roots = _roots(config)
    settings.guard = _guard(config, _roots(config))
    return settings


def _guard(config: Config, roots: tuple[Path, ...]) -> Guard:
    """What tabs may be sent to: to private hosts only by agents of this machine."""
    return Guard(
        blocked=tuple(host.lower() for host in config.block_host),
        allowed=tuple(host.lower() for host in config.allow_host),
        public_only=config.http and not is_loopback(config.host),
        files=Roots(roots) if config.allow_file else None,
    )


def _roots(config: Config) -> tuple[Path, ...]:
    return tuple(Path(root).resolve() for root in config.root)


def browser_endpoint(config: Config) -> OpenEndpoint:
    """How to get a browser: launch one, or take the one that is named."""
    guard = _guard(config, ())
    options = LaunchOptions(
        executable=config.chromium,
        headed=config.headed,
        sandbox=config.sandbox,
        extra_args=config.chromium_arg,
        user_data_dir=config.user_data_dir,
        resolver_rules=guard.resolver_rules(),
        proxy_server=config.proxy_server,
        ignore_https_errors=config.ignore_https_errors,
    )

    @asynccontextmanager
    async def launched() -> AsyncGenerator[str]:
        async with AsyncExitStack() as stack:
            asked = options
            if guard.public_only and config.proxy_server is None:
                proxy = await stack.enter_async_context(open_egress(guard))
                arguments = (*SWITCHES, *options.extra_args)
                asked = attrs.evolve(options, proxy_server=proxy, extra_args=arguments)
            yield (await stack.enter_async_context(open_chromium(asked))).endpoint

    @asynccontextmanager
    async def attached() -> AsyncGenerator[str]:
        yield await endpoint_of(config.cdp_endpoint or "")

    return attached if config.cdp_endpoint else launched
