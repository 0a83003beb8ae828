"""Cookies of a browser context: what is set by an agent, and what a browser is given back."""

from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager

import attrs
import structlog
import trio

from charlotte.errors import BrowserSilent, Fatal, InvalidArgument
from charlotte.protocol.errors import ProtocolError
from charlotte.protocol.network import DeleteCookies
from charlotte.protocol.session import Session
from charlotte.protocol.storage import Cookie, CookieParam, GetCookies, SetCookies

log = structlog.get_logger(__name__)

Key = tuple[str, str, str]

SESSION = -1
"""When a cookie expires that goes with the session."""

_ANSWERED_WITHIN = 5.0
"""Seconds for the network service, which can be frozen or missing while the browser answers."""


@attrs.define(eq=False)
class Jar:
    """The cookies of a context as last seen, by name, domain and path."""

    _kept: dict[Key, CookieParam] = attrs.field(factory=dict[Key, CookieParam])

    def note(self, cookies: Iterable[Cookie]) -> None:
        """Have just these survive the browser: all that a context has."""
        self._kept.clear()
        self.keep(map(_again, cookies))

    def keep(self, cookies: Iterable[CookieParam]) -> None:
        """Have these survive the browser too."""
        self._kept |= {(one.name, one.domain, one.path): one for one in cookies}

    def forget(self, cookies: Iterable[Cookie]) -> None:
        """Have these survive no longer, whichever way their domain is written."""
        gone = {(one.name, one.domain.removeprefix("."), one.path) for one in cookies}
        self._kept = {
            (name, domain, path): cookie
            for (name, domain, path), cookie in self._kept.items()
            if (name, domain.removeprefix("."), path) not in gone
        }

    async def restore(self, root: Session, context: str | None) -> None:
        """Give them to a new context."""
        if not self._kept:
            return
        cookies = list(self._kept.values())
        try:
            await root.call(SetCookies(cookies=cookies, browser_context_id=context))
        except Fatal:
            raise
        except ProtocolError as error:
            log.warning("cookies could not be restored", error=str(error))


def _again(cookie: Cookie) -> CookieParam:
    """A cookie that was found, as it is set."""
    fields = attrs.asdict(cookie, recurse=False)
    if cookie.expires == SESSION:
        del fields["expires"]
    return CookieParam(**fields)


async def put(root: Session, context: str | None, cookies: Sequence[CookieParam]) -> None:
    """Set cookies in a context; raises `InvalidArgument` naming those refused."""
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


async def found(
    root: Session, context: str | None, domain: str | None = None, name: str | None = None
) -> list[Cookie]:
    """The cookies of a context, of a domain and those below it, of a name."""
    with _network_service():
        cookies = (await root.call(GetCookies(browser_context_id=context))).cookies
    return [one for one in cookies if _belongs(one, domain) and name in {None, one.name}]


async def delete(session: Session, cookies: Sequence[Cookie]) -> None:
    """Forget these cookies of the context that a page's session is in."""
    commands = [
        DeleteCookies(
            name=one.name, domain=one.domain, path=one.path, partition_key=one.partition_key
        )
        for one in cookies
    ]
    with _network_service():
        await session.call_all(*commands)


@contextmanager
def _network_service() -> Generator[None]:
    """Expect the browser's network service, which keeps cookies, to answer in time.

    Raises `BrowserSilent`.
    """
    try:
        with trio.fail_after(_ANSWERED_WITHIN):
            yield
    except trio.TooSlowError as error:
        raise BrowserSilent(
            f"The browser's cookie store has not answered for {_ANSWERED_WITHIN:.0f} s.",
            "Repeat the call in a few seconds: a browser that stays silent is started again.",
        ) from error


def _belongs(cookie: Cookie, domain: str | None) -> bool:
    if domain is None:
        return True
    wanted, has = domain.lower().lstrip("."), cookie.domain.lstrip(".")
    return has == wanted or has.endswith(f".{wanted}")
