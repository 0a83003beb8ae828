"""The cookies, localStorage and passkeys with which a browser context begins."""

from collections.abc import Mapping, Sequence

import attrs

from charlotte.browser.pending_items import Items
from charlotte.protocol.network import CookieParam
from charlotte.protocol.webauthn import Passkey


@attrs.frozen(kw_only=True)
class InitialState:
    """A state, perhaps that of the saved ``login`` with this name, whose ``secrets`` are hidden."""

    cookies: Sequence[CookieParam] = attrs.field(default=(), repr=False)
    items: Mapping[str, Items] = attrs.field(factory=dict[str, Items], repr=False)
    passkeys: Sequence[Passkey] = ()
    login: str | None = None
    secrets: Sequence[str] = attrs.field(default=(), repr=False)
