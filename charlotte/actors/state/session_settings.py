"""Settings of a session, from the configuration, and dialogs that they answer automatically."""

import os
import secrets
import shutil
import tempfile
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

import attrs

from charlotte.actors.state.snapshots import DEPTH
from charlotte.base.errors import BudgetExceeded, InvalidArgument, StorageFailed, ellipsize
from charlotte.base.files import Roots, make_private
from charlotte.browser.pdf import is_pdf_readable
from charlotte.browser.process.browser_source import guard_of
from charlotte.browser.process.launch import OUTPUT_PREFIX, SESSION_PREFIX, hold_output
from charlotte.config.checks import has_egress
from charlotte.config.config import AnswerFormat, AutoSnapshot, Config
from charlotte.guard.host_patterns import HostList
from charlotte.guard.url_guard import Guard
from charlotte.page.model import Detail
from charlotte.secrets.redaction import NO_SECRETS, Secrets

AutoDismiss = Literal["none", "accept_alerts", "accept_all", "dismiss_all", "dismiss_and_leave"]
"""``dismiss_and_leave`` dismisses dialogs, but lets the tab leave a page that asks to stay."""

UrlPolicy = Callable[[str], Coroutine[Any, Any, str | None]]
"""Returns the reason for which no document may be loaded from a URL, if any."""

_KINDS = ("alert", "confirm", "prompt", "beforeunload")
_ANSWERS: Mapping[AutoDismiss, Mapping[str, bool]] = {
    "none": {},
    "accept_alerts": {"alert": True},
    "accept_all": dict.fromkeys(_KINDS, True),
    "dismiss_all": dict.fromkeys(_KINDS, False),
    "dismiss_and_leave": {**dict.fromkeys(_KINDS, False), "beforeunload": True},
}
_LONGEST_QUOTE = 200
WANTS_FILES = (
    "The page asks for files. Pass them to upload, with the element_id of the clicked element. "
    "If upload is not listed, call tools{action: enable, group: interaction}."
)


def automatic_answer(mode: AutoDismiss, kind: str) -> bool | None:
    """Return whether to accept a dialog at once, None to leave it to the agent (C-CFG-04)."""
    return _ANSWERS[mode].get(kind)


def dialog_notice(kind: str, message: str, *, accepted: bool) -> str:
    """Return the notice of a dialog that was answered automatically."""
    quoted = repr(ellipsize(message, _LONGEST_QUOTE))
    done = "accepted" if accepted else "dismissed"
    return f"The {kind} dialog {quoted} was {done} automatically (dialog_auto_dismiss)."


@attrs.define
class Settings:
    """Settings that a session may change while it runs, and the ``config`` of the server.

    Attributes:
        ends_with_session: The output directory is removed at the end of the session.
        snapshot_depth: Number of snapshots kept per tab.
        given_roots: Those of the ``roots`` that were configured.
        our_switches: Charlotte launched the browser, with its own command line switches.
        reads_pdf: PDF documents are shown as text.
        init_scripts: Scripts that run in every document.
        secrets: Texts that agents type by name, and that are redacted from all output.
        url_policy: Asked about the URL of each document, after the guard.
        page_tools: Tools that pages offer are listed and can be called.
    """

    config: Config = attrs.field(factory=Config)
    answers: AnswerFormat = "text"
    max_chars: int = 40_000
    output: Path | None = None
    _is_temporary: bool = attrs.field(default=False, init=False)
    ends_with_session: bool = False
    _holding: int | None = attrs.field(default=None, init=False)
    roots: tuple[Path, ...] = ()
    given_roots: tuple[Path, ...] = ()
    auto_snapshot: AutoSnapshot = "every_action"
    snapshot_depth: int = DEPTH
    dialog_auto_dismiss: AutoDismiss = "none"
    action_detail: Detail = "delta"
    require_tab_id: bool = False
    clickable: bool = True
    screenshot_dir: Path | None = None
    our_switches: bool = False
    reads_pdf: bool = False
    init_scripts: tuple[str, ...] = ()
    guard: Guard = attrs.field(factory=Guard)
    secrets: Secrets = NO_SECRETS
    page_tools: bool = False
    url_policy: UrlPolicy | None = None

    @property
    def has_egress(self) -> bool:
        """Whether contexts reach the network only through a proxy of their own."""
        return bool(self.config.only_host) and has_egress(self.config)

    @property
    def holds_documents(self) -> bool:
        """Whether each document is held until its URL is allowed."""
        return self.guard.holds_documents or self.url_policy is not None

    def narrowed(self, only_hosts: Sequence[str]) -> HostList:
        """Return the part of the hosts of ``--only-host`` that some patterns name.

        Raises `InvalidArgument` for other hosts, and if the server limits no hosts.
        """
        if self.guard.only is None or not self.has_egress:
            raise InvalidArgument(
                "only_hosts cannot be enforced in a browser that was started without --only-host.",
                "Start Charlotte with --only-host '*', or with the hosts that it may reach.",
            )
        return self.guard.only.narrowed(only_hosts)

    @property
    def writable(self) -> Roots:
        """The directories that may be written to, the output directory first."""
        return Roots((self.output_dir().resolve(), *self.roots))

    @property
    def files(self) -> Roots:
        """The directories that may be read."""
        return Roots((*self.roots, self.output_path))

    @property
    def output_path(self) -> Path:
        """The output directory, which may not exist yet; by default a temporary directory."""
        if self.output is None:
            name = f"{OUTPUT_PREFIX}{secrets.token_hex(8)}"
            self._is_temporary = True
            self.output = Path(tempfile.gettempdir()).resolve() / name
        return self.output

    def output_dir(self) -> Path:
        """Return the output directory, and create it with mode 0700 if it does not exist.

        Raises `StorageFailed` if it cannot be created.
        """
        try:
            is_new = not self.output_path.is_dir()
            make_private(self.output_path)
            if is_new and self.ends_with_session:
                self._holding = hold_output(self.output_path)
        except OSError as error:
            raise StorageFailed(
                f"The output directory {self.output_path} cannot be created: {error.strerror}.",
                "Start Charlotte with an --output-dir that can be written to.",
            ) from error
        return self.output_path

    def remove_output(self) -> None:
        """Remove a temporary output directory without files, or one that ends with the session."""
        if self._is_temporary:
            with suppress(OSError):
                self.output_path.rmdir()
        if self.ends_with_session:
            shutil.rmtree(self.output_path, ignore_errors=True)
            if self._holding is not None:
                os.close(self._holding)
                self._holding = None


def profile_downloads(config: Config) -> Path:
    """Return a new path for unfinished downloads, beside the output directories of sessions."""
    parent = Path(config.output_dir or tempfile.gettempdir()).resolve()
    return parent / f"{OUTPUT_PREFIX}{secrets.token_hex(8)}"


def session_settings(config: Config, *, is_private: bool = False) -> Settings:
    """Return the settings of a session.

    By default, a session may use the current directory. A private session has its own output
    directory, outside other roots.
    """
    given_roots = tuple(Path(root).resolve() for root in config.root)
    roots = given_roots or (() if is_private else (Path.cwd(),))
    output = Path(config.output_dir).resolve() if config.output_dir else None
    if is_private:
        parent = output or Path(tempfile.gettempdir()).resolve()
        output = parent / f"{SESSION_PREFIX}{secrets.token_hex(8)}"
    return Settings(
        config,
        answers=config.answers,
        max_chars=config.max_chars,
        output=output,
        ends_with_session=is_private and config.output_dir is None,
        roots=roots,
        given_roots=given_roots,
        auto_snapshot=config.auto_snapshot,
        snapshot_depth=config.snapshot_depth,
        our_switches=not config.is_foreign,
        reads_pdf=is_pdf_readable(),
        guard=guard_of(config, roots),
        secrets=config.hidden,
        page_tools=not config.no_webmcp,
        init_scripts=tuple(Path(path).read_text(encoding="utf-8") for path in config.init_script),
    )


@attrs.frozen
class TabBudget:
    """A limit of open tabs, and the tabs that the other sessions with the same limit have open."""

    limit: int
    others: int

    def find_refusal(self, own: int) -> BudgetExceeded | None:
        """Return the refusal of one more tab for a session with ``own`` tabs; None if it may open.

        Tabs that are being opened count.
        """
        used = own + self.others
        if used < self.limit:
            return None
        return BudgetExceeded(
            f"The budget of {self.limit} open tabs is used up: this session has {own}, "
            f"your other sessions have {self.others}.",
            "Close tabs that are no longer needed with tab_close, or load the page in an open tab "
            "with navigate.",
            {"budget": "tabs", "limit": self.limit, "used": used},
        )
