"""What the configuration means for a session: what it begins with."""

import secrets
import tempfile
from pathlib import Path

from charlotte.actors.state.session_settings import Settings
from charlotte.browser.browser_source import guard_of
from charlotte.config import Config


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
        our_switches=config.cdp_endpoint is None,
        content_boundaries=config.content_boundaries,
        guard=guard_of(config, _roots(config) or (Path.cwd(),)),
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
    settings.guard = guard_of(config, _roots(config))
    return settings


def _roots(config: Config) -> tuple[Path, ...]:
    return tuple(Path(root).resolve() for root in config.root)
