"""Records of browser contexts, which outlive every incarnation of the browser."""

import attrs

from charlotte.browser.world.site_storage import (
    CookieBackup,
    InitialState,
    PendingItems,
    StoredItems,
)
from charlotte.guard.host_patterns import HostList
from charlotte.guard.socks_proxy import Route
from charlotte.protocol.connection import CdpSession

DEFAULT = ""
"""The name of the context of tabs that are opened without naming a context."""


@attrs.define(eq=False)
class WorkerRecord:
    """A service or shared worker: its CDP session, and the tab whose emulation applies to it.

    The browser names the worker by its ``target_id`` in its requests.
    """

    session: CdpSession
    target_id: str
    origin: str | None
    tab_id: str | None = attrs.field(default=None, init=False)


@attrs.frozen
class Clip:
    """Contents of a clipboard."""

    text: str = ""
    html: str = ""


@attrs.define(eq=False)
class ContextRecord:
    """An isolated browser context; its tabs share cookies, storage and cache.

    ``cookies`` and ``items`` are restored in a new browser process; ``pending`` are the items of
    origins without a document in this process. ``origins`` are those of shown documents, which may
    have stored something. ``workers`` are those that run. ``login`` is the saved login that the
    context has; its values are secret. ``is_owner_profile`` is set for the profile of the browser's
    owner, in which nothing belongs to a session but its tabs. ``only`` lists the only hosts that
    the context may reach, if they are not those of the session. ``route`` is its proxy in the
    running browser.
    """

    name: str = DEFAULT
    login: str | None = None
    cookies: CookieBackup = attrs.field(factory=CookieBackup)
    items: StoredItems = attrs.field(factory=StoredItems)
    pending: PendingItems = attrs.field(factory=PendingItems)
    origins: set[str] = attrs.field(factory=set[str])
    workers: list[WorkerRecord] = attrs.field(factory=list[WorkerRecord])
    is_owner_profile: bool = False
    only: HostList | None = None
    route: Route | None = None

    def begin_with(self, state: InitialState) -> None:
        """Set the state of a context that the browser does not have yet."""
        self.login = state.login
        self.cookies.keep(state.cookies)
        for origin, items in state.items.items():
            self.items.note(origin, items)
            self.origins.add(origin)
