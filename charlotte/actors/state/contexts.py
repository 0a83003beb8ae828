"""Isolated browser contexts of a session, by what their sites have stored. Only data."""

import attrs

from charlotte.browser.cookies import Jar
from charlotte.browser.local_storage import StoredItems
from charlotte.protocol.session import Session

DEFAULT = ""
"""The name of the context that tabs belong to unless another is named."""


@attrs.define(eq=False)
class WorkerRecord:
    """A service or shared worker: a session on it, and the tab whose conditions it is under."""

    session: Session
    tab_id: str | None


@attrs.define(eq=False)
class ContextRecord:
    """One context; its tabs share cookies, storage and cache with each other alone.

    ``cookies`` and ``items`` are what a browser that has to be started again is given, ``origins``
    those whose documents were shown, which may have stored something. ``workers`` are those that
    live. ``opening`` counts the tabs that are being opened in it.
    """

    name: str = DEFAULT
    cookies: Jar = attrs.field(factory=Jar)
    items: StoredItems = attrs.field(factory=StoredItems)
    origins: set[str] = attrs.field(factory=set[str])
    workers: list[WorkerRecord] = attrs.field(factory=list[WorkerRecord])
    opening: int = 0
