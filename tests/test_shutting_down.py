"""Shutdown: the browser ends at once, and pending calls do not delay it."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress

import attrs
import trio
from structlog.testing import capture_logs
from trio.testing import MockClock, wait_all_tasks_blocked

from charlotte import CharlotteError, Session
from charlotte.api.app import open_local
from tests.fakes import FakeBrowser

URL = "http://192.0.2.1/"
NEVER = "http://192.0.2.1/never"


@attrs.define
class Life:
    """A fake browser, and when it was made to end."""

    browser: FakeBrowser = attrs.field(factory=FakeBrowser)
    ended_at: float | None = None

    @asynccontextmanager
    async def connect(self) -> AsyncGenerator[FakeBrowser]:
        try:
            yield self.browser
        finally:
            self.ended_at = trio.current_time()


async def begin(nursery: trio.Nursery, session: Session, tool: str, **arguments: str) -> None:
    """Make a call that will not be answered."""

    async def call() -> None:
        with suppress(CharlotteError):
            await session.call(tool, arguments)

    nursery.start_soon(call)
    await wait_all_tasks_blocked()


async def be_busy(nursery: trio.Nursery, session: Session, browser: FakeBrowser) -> None:
    """One tab asks its server, another was opened for that, of a third there is only the target."""
    browser.hold("Page.navigate", having=NEVER)
    await session.call("tab_open", {})
    await begin(nursery, session, "navigate", url=NEVER)
    await begin(nursery, session, "tab_open", url=NEVER)
    browser.hold("Page.getFrameTree")
    await begin(nursery, session, "tab_open", url=URL)
    for target in browser.targets.values():
        target.silent = True
    assert len(browser.targets) == 3


async def test_calls_that_clean_up_keep_neither_the_browser_nor_the_program(
    autojump_clock: MockClock,
) -> None:
    life = Life()
    with capture_logs() as logs:
        async with (
            trio.open_nursery() as callers,
            open_local(connect=life.connect) as charlotte,
            charlotte.open_session() as session,
        ):
            await be_busy(callers, session, life.browser)
            callers.cancel_scope.cancel()
            begun = trio.current_time()

    assert begun == life.ended_at == trio.current_time()
    assert [one for one in logs if one["log_level"] != "debug"] == []
