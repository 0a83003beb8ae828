"""What a session may change while it runs."""

from __future__ import annotations

import secrets
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from charlotte.actors.snapshots import DEPTH
from charlotte.browser.profile_cleanup import OUTPUT_PREFIX, mark_output
from charlotte.browser.url_guard import Guard
from charlotte.errors import StorageFailed
from charlotte.files import Roots, make_private
from charlotte.redaction import NO_SECRETS, Credential, Secrets

if TYPE_CHECKING:
    from charlotte.actors.state.dialogs import AutoDismiss
    from charlotte.config import AutoSnapshot
    from charlotte.page.render.page import Detail


@attrs.define
class Settings:
    """What a session may change while it runs; ``snapshot_depth`` is per tab.

    Of the ``roots``, the ``given_roots`` are those that were configured.

    ``permissions`` are CDP's names. With ``in_profile`` its tabs are those of the browser's own
    profile, not of an isolated context. ``init_scripts`` run in every document. ``credentials``
    are shown to the servers that ask, ``secrets`` are typed by their names. Where the browser may
    be ``watched``, a new tab comes in front; one with ``our_switches`` was started with them.
    """

    max_chars: int = 40_000
    viewport: tuple[int, int] = (1280, 720)
    output: Path | None = None
    is_temporary: bool = attrs.field(default=False, init=False)
    roots: tuple[Path, ...] = ()
    given_roots: tuple[Path, ...] = ()
    auto_snapshot: AutoSnapshot = "every_action"
    snapshot_depth: int = DEPTH
    dialog_auto_dismiss: AutoDismiss = "none"
    action_detail: Detail = "delta"
    require_tab_id: bool = False
    clickable: bool = True
    screenshot_dir: Path | None = None
    permissions: tuple[str, ...] = ()
    in_profile: bool = False
    watched: bool = False
    our_switches: bool = False
    init_scripts: tuple[str, ...] = ()
    guard: Guard = attrs.field(factory=Guard)
    content_boundaries: bool = False
    credentials: tuple[Credential, ...] = ()
    secrets: Secrets = NO_SECRETS

    @property
    def writable(self) -> Roots:
        """Where files may be written: in the output directory first."""
        return Roots((self.output_dir().resolve(), *self.roots))

    @property
    def files(self) -> Roots:
        """What may be read."""
        return Roots((*self.roots, self.output_path))

    @property
    def output_path(self) -> Path:
        """Where files are kept, whether it is there yet or not: by default a temporary place."""
        if self.output is None:
            name = f"{OUTPUT_PREFIX}{secrets.token_hex(8)}"
            self.is_temporary = True
            self.output = Path(tempfile.gettempdir()).resolve() / name
        return self.output

    def output_dir(self) -> Path:
        """Return where files are kept, and create it with mode 0700 if it does not exist.

        Raises `StorageFailed` if it cannot be created.
        """
        try:
            is_new = not self.output_path.is_dir()
            make_private(self.output_path)
            if is_new and self.is_temporary:
                mark_output(self.output_path)
        except OSError as error:
            raise StorageFailed(
                f"The output directory {self.output_path} cannot be created: {error.strerror}.",
                "Start Charlotte with an --output-dir that can be written to.",
            ) from error
        return self.output_path
