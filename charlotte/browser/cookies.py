"""Cookies of a browser context: reading, setting, deleting and restoring them."""

from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager

import attrs
import structlog
import trio

from charlotte.errors import BrowserSilent, Fatal, InvalidArgument
from charlotte.protocol.connection import Session
from charlotte.protocol.errors import ProtocolError
from charlotte.protocol.network import Cookie, CookieParam, DeleteCookies, GetCookies, SetCookies

log = structlog.get_logger(__name__)

_SESSION_EXPIRY = -1
"""Expiry of a session cookie."""

_ANSWERED_WITHIN = 5.0
"""Seconds for the network service, which can hang while the browser process answers."""


@attrs.define(eq=False)
class CookieBackup:
    """The cookies of a context as last seen, by name, domain and path."""

    _kept: dict[tuple[str, str, str], CookieParam] = attrs.field(
        factory=dict[tuple[str, str, str], CookieParam]
    )

    def note(self, cookies: Iterable[Cookie]) -> None:
        """Replace the kept cookies by all cookies of the context."""
        self._kept.clear()
        for cookie in cookies:
            parameters = attrs.asdict(cookie, recurse=False)
            if cookie.expires == _SESSION_EXPIRY:
                del parameters["expires"]
            self.keep([CookieParam(**parameters)])

    def keep(self, cookies: Iterable[CookieParam]) -> None:
        """Add cookies to those that are restored in a new browser."""
        self._kept |= {(cookie.name, cookie.domain, cookie.path): cookie for cookie in cookies}

    def forget(self, cookies: Iterable[Cookie]) -> None:
        """Remove cookies, in either notation of their domain."""
        gone = {(cookie.name, cookie.domain.removeprefix("."), cookie.path) for cookie in cookies}
        self._kept = {
            (name, domain, path): cookie
            for (name, domain, path), cookie in self._kept.items()
            if (name, domain.removeprefix("."), path) not in gone
        }

    async def restore(self, root: Session, context: str | None) -> None:
        """Set the kept cookies in a new context."""
        if not self._kept:
            return
        cookies = list(self._kept.values())
        try:
            await root.call(SetCookies(cookies=cookies, browser_context_id=context))
        except Fatal:
            raise
        except ProtocolError as error:
            log.warning("cookies could not be restored", error=str(error))


async def set_cookies(root: Session, context: str | None, cookies: Sequence[CookieParam]) -> None:
    """Set cookies in a context; raises `InvalidArgument` with the refused cookies."""
    begun = [
        await root.begin(SetCookies(cookies=[cookie], browser_context_id=context))
        for cookie in cookies
    ]
    refused: list[str] = []
    for cookie, pending in zip(cookies, begun, strict=True):
        try:
            with _network_service():
                await pending.result()
        except Fatal:
            raise
        except ProtocolError as error:
            refused.append(f"{cookie.name!r} of {cookie.domain!r}: {error.refusal}")
    if refused:
        raise InvalidArgument(
            f"The browser refused {'; '.join(refused)}.",
            "The other cookies were set. same_site None needs secure; names and values have no "
            "semicolons or line breaks.",
        )


async def get_cookies(
    root: Session, context: str | None, domain: str | None = None, name: str | None = None
) -> list[Cookie]:
    """Return the cookies of a context, filtered by domain (with subdomains) and name."""
    with _network_service():
        cookies = await root.call(GetCookies(browser_context_id=context))
    return [
        cookie for cookie in cookies if _belongs(cookie, domain) and name in {None, cookie.name}
    ]


async def delete_cookies(session: Session, cookies: Sequence[Cookie]) -> None:
    """Delete cookies of the context to which a page's session belongs."""
    commands = [
        DeleteCookies(
            name=cookie.name,
            domain=cookie.domain,
            path=cookie.path,
            partition_key=cookie.partition_key,
        )
        for cookie in cookies
    ]
    with _network_service():
        await session.call_all(*commands)


@contextmanager
def _network_service() -> Generator[None]:
    """Limit the time in which the browser's network service must answer.

    Raises `BrowserSilent`.
    """
    try:
        with trio.fail_after(_ANSWERED_WITHIN):
            yield
    except trio.TooSlowError as error:
        raise BrowserSilent(
            f"The browser's cookie store has not answered for {_ANSWERED_WITHIN:.0f} s.",
            "Repeat the call in a few seconds; a browser that does not answer is restarted.",
        ) from error


def _belongs(cookie: Cookie, domain: str | None) -> bool:
    if domain is None:
        return True
    wanted, has = domain.lower().lstrip("."), cookie.domain.lstrip(".")
    return has == wanted or has.endswith(f".{wanted}")
