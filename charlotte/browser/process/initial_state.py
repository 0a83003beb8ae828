"""The cookies and localStorage with which a browser context begins."""

from collections.abc import Mapping, Sequence

import attrs

from charlotte.browser.world.pending_items import Items
from charlotte.protocol.network import CookieParam


@attrs.frozen(kw_only=True)
class InitialState:
    """A state, perhaps that of the saved ``login`` with this name, whose ``secrets`` are hidden."""

    cookies: Sequence[CookieParam] = attrs.field(default=(), repr=False)
    items: Mapping[str, Items] = attrs.field(factory=dict[str, Items], repr=False)
    login: str | None = None
    secrets: Sequence[str] = attrs.field(default=(), repr=False)
