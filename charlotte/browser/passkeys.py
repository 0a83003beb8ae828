"""The passkeys of a browser context, which the virtual authenticators of all its pages share."""

from collections.abc import Iterable
from contextlib import suppress
from typing import NoReturn, get_args

import attrs
import structlog
import trio

from charlotte.protocol import webauthn
from charlotte.protocol.connection import Session, Subscription
from charlotte.protocol.errors import Refused, SessionGone
from charlotte.protocol.webauthn import Passkey

log = structlog.get_logger(__name__)

_ADD_WAIT = 5.0

_Event = webauthn.CredentialAdded | webauthn.CredentialAsserted


@attrs.define(eq=False)
class Passkeys:
    """Passkeys by id; a page that gets one passes it on to the authenticators of other pages."""

    _by_id: dict[str, Passkey] = attrs.field(factory=dict[str, Passkey], repr=False)
    _authenticators: dict[str, Session] = attrs.field(factory=dict[str, Session])

    def __bool__(self) -> bool:
        return bool(self._by_id)

    @property
    def has_pages(self) -> bool:
        """Whether any open page has an authenticator."""
        return bool(self._authenticators)

    def all(self) -> list[Passkey]:
        """Return all passkeys."""
        return [*self._by_id.values()]

    async def add(self, passkeys: Iterable[Passkey]) -> None:
        """Add passkeys, also to the authenticators of open pages."""
        for passkey in passkeys:
            await self._note(passkey, None)

    def keep(self, passkeys: Iterable[Passkey]) -> None:
        """Add passkeys to a context without pages."""
        self._by_id |= {passkey.credential_id: passkey for passkey in passkeys}

    async def serve(self, session: Session, *, task_status: trio.TaskStatus[None]) -> None:
        """Give a page an authenticator, and follow its passkeys until the page ends."""
        kinds: tuple[type[_Event], ...] = get_args(_Event)
        with session.events(*kinds) as events:
            authenticator = None
            with trio.move_on_after(_ADD_WAIT):
                authenticator = await self._attach(session)
            task_status.started()
            if authenticator is None:
                log.warning("a page has no virtual authenticator")
                return
            try:
                await self._follow(authenticator, events)
            finally:
                del self._authenticators[authenticator]

    async def _attach(self, session: Session) -> str | None:
        try:
            await session.begin(webauthn.EnableWebAuthn())
            options = webauthn.AuthenticatorOptions()
            authenticator = await session.call(webauthn.AddVirtualAuthenticator(options=options))
        except Refused as error:
            log.warning("passkeys are not supported", error=str(error))
            return None
        for passkey in self._by_id.values():
            await session.begin(
                webauthn.AddCredential(authenticator_id=authenticator, credential=passkey)
            )
        self._authenticators[authenticator] = session
        return authenticator

    async def _follow(self, authenticator: str, events: Subscription[_Event]) -> NoReturn:
        while True:
            event = await events.next()
            if event.authenticator_id == authenticator:
                await self._note(event.credential, authenticator)

    async def _note(self, passkey: Passkey, origin: str | None) -> None:
        """Keep a passkey, and replace it in all authenticators but ``origin``."""
        name = passkey.credential_id
        if self._by_id.get(name) == passkey:
            return
        self._by_id[name] = passkey
        for authenticator, session in tuple(self._authenticators.items()):
            if authenticator == origin:
                continue
            with suppress(SessionGone):
                await session.begin(
                    webauthn.RemoveCredential(authenticator_id=authenticator, credential_id=name)
                )
                await session.begin(
                    webauthn.AddCredential(authenticator_id=authenticator, credential=passkey)
                )
