"""Events of tabs, and the dialogs that block them."""

from pathlib import Path
from typing import Any

import attrs

from charlotte.actors.kernel.mailbox import Event
from charlotte.actors.state.logs import ConsoleMessage


@attrs.frozen
class PendingDialog:
    """A dialog that blocks a page (C-PR-32); ``default_value`` only for prompts."""

    type: str
    message: str
    timestamp: str
    default_value: str | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the keys of C-PR-32."""
        record = {"type": self.type, "message": self.message, "timestamp": self.timestamp}
        return record | (
            {} if self.default_value is None else {"default_value": self.default_value}
        )


@attrs.frozen(kw_only=True)
class TabEvent(Event):
    """An event of the tab with the id ``tab_id``."""

    tab_id: str


@attrs.frozen(kw_only=True)
class TabOpened(TabEvent):
    """A tab was opened, by the page of the tab ``opener`` if set."""

    opener: str | None = None


@attrs.frozen(kw_only=True)
class TabClosed(TabEvent):
    """A tab was closed."""


@attrs.frozen(kw_only=True)
class Navigated(TabEvent):
    """The URL of a tab changed; with ``same_document``, by a script of the present page."""

    url: str
    same_document: bool


@attrs.frozen(kw_only=True)
class Loaded(TabEvent):
    """A document finished loading."""

    url: str


@attrs.frozen(kw_only=True)
class Crashed(TabEvent):
    """The renderer of a tab died."""

    url: str


@attrs.frozen(kw_only=True)
class Restored(TabEvent):
    """A tab is back at its URL after a crash."""

    url: str


@attrs.frozen(kw_only=True)
class DialogOpened(TabEvent):
    """A dialog waits for an answer."""

    dialog: PendingDialog


@attrs.frozen(kw_only=True)
class DialogAnswered(TabEvent):
    """A dialog was answered automatically, as ``configure`` and ``dialog_auto_dismiss`` say."""

    dialog: PendingDialog
    accepted: bool


@attrs.frozen(kw_only=True)
class NavigationRefused(TabEvent):
    """A document that a page or a redirect requested was refused by the rules for URLs."""

    url: str


@attrs.frozen(kw_only=True)
class ConsoleLogged(TabEvent):
    """A message was written to the console."""

    message: ConsoleMessage


@attrs.frozen(kw_only=True)
class GrantChanged(TabEvent):
    """The owner of the browser granted a site in one of their tabs, or withdrew it (None)."""

    site: str | None


@attrs.frozen(kw_only=True)
class AdoptionChanged(TabEvent):
    """A tab of a session began or ended to work in the tab ``owner_tab`` of the owner."""

    owner_tab: str
    is_adopted: bool


@attrs.frozen(kw_only=True)
class TakeoverChanged(TabEvent):
    """A person was asked to work in a tab, or that turn has ended; see `takeovers.Ending`."""

    what: str
    ending: str | None


@attrs.frozen(kw_only=True)
class DownloadChanged(TabEvent):
    """A download is ``in_progress``, ``completed`` (at ``path``) or ``canceled``.

    ``bytes`` is its size so far, ``id`` a number that no other download has.
    """

    id: int
    name: str
    url: str
    state: str
    path: Path | None
    bytes: int = 0


@attrs.frozen(kw_only=True)
class QuestionAsked(TabEvent):
    """A person is asked whether a held request or call is allowed."""

    held: str


@attrs.frozen(kw_only=True)
class QuestionSettled(TabEvent):
    """A person answered a question, or it was refused without an answer."""

    held: str
    is_allowed: bool
    reason: str
