"""An incarnation of the browser: from its start or the connection to it, to its end."""

import math
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import NoReturn, get_args

import structlog
import trio

from charlotte.actors.browser.actor import Attached, Browser, Discovered
from charlotte.actors.browser.adoption import Adoption
from charlotte.actors.browser.reasons import connection_lost
from charlotte.actors.browser.request_gate import RequestGate
from charlotte.actors.browser.service_workers import WORKERS
from charlotte.actors.browser.targets import DOWNLOAD_EVENTS, Downloads
from charlotte.actors.kernel.mailbox import Mailbox
from charlotte.actors.kernel.supervisor import RestartPolicy, open_supervisor
from charlotte.actors.state.registry import Incarnation, Registry
from charlotte.actors.state.restore_policy import plan_restore
from charlotte.actors.state.snapshots import SnapshotStore
from charlotte.base.errors import CharlotteError, ConnectionLost, SessionProblem
from charlotte.base.log import span
from charlotte.browser.process.running_browser import RunningBrowser
from charlotte.protocol import target
from charlotte.protocol.connection import Connection, open_connection
from charlotte.protocol.network import EnableFetch, GetCookies, RequestPattern, RequestPaused
from charlotte.protocol.transport import Connect

log = structlog.get_logger(__name__)

BROWSER_POLICY = RestartPolicy(limit=5, period=60.0, escalate=True)
"""Finding a page that crashes browsers takes up to three restarts (see `RestorePolicy`)."""

SERVICE_POLICY = RestartPolicy(limit=math.inf)
"""Of actors without which most calls work."""

TAB_POLICY = RestartPolicy(limit=3, period=30.0)

_AUTO_ATTACH = target.SetAutoAttach(
    auto_attach=True,
    wait_for_debugger_on_start=True,
    filter=[target.FilterEntry(type=kind) for kind in ("page", *sorted(WORKERS))],
)


HEARTBEAT = 5.0
PATIENCE = 15.0
"""Seconds; on a machine under load, a healthy browser may need some of them to answer."""

BUSY_PATIENCE = 60.0
"""Seconds for a browser that sends a flood of events, because its replies wait behind them."""

_FLOOD = 50
"""Messages per second."""


def browser_mailbox() -> Mailbox[Browser]:
    """Return the mailbox of the browser, which serves all messages at once.

    The end of a page does not end the browser.
    """
    return Mailbox("browser", capacity=1024, workers=None, fatal=ConnectionLost)


@asynccontextmanager
async def _open_connection(connect: Connect, registry: Registry) -> AsyncGenerator[Connection]:
    """Start or find the browser and connect; a failure is the answer to all waiting calls.

    A machine without free descriptors, processes or memory is no crash: later calls try again.
    """
    async with AsyncExitStack() as stack:
        try:
            with span("browser_initialize"):
                transport = await stack.enter_async_context(connect())
        except CharlotteError as error:
            registry.refuse(error)
            raise
        except OSError as error:
            problem = SessionProblem(
                f"The browser could not be started: {error.strerror or error}.",
                "Repeat the call when this machine has free processes, memory and file "
                "descriptors.",
            )
            registry.refuse(problem)
            raise problem from error
        yield await stack.enter_async_context(open_connection(transport))


@asynccontextmanager
async def open_browser(
    connect: Connect,
    registry: Registry,
    snapshots: Mailbox[SnapshotStore],
    running: RunningBrowser | None = None,
    *,
    is_foreign: bool = False,
) -> AsyncGenerator[Browser]:
    """Start the browser or connect to the ``running`` one, and restore the recorded tabs.

    Others use a browser that ``is_foreign``.
    """
    asks = running is not None and running.asks
    lost = running.lost if running is not None and asks else connection_lost
    async with (
        _open_connection(connect, registry) as connection,
        open_supervisor(TAB_POLICY, lost, registry.feed.publish) as tabs,
    ):
        root = connection.root
        followed = get_args(Discovered if is_foreign else Attached)
        with (
            root.events(*followed) as events,
            root.events(*DOWNLOAD_EVENTS) as downloads,
            root.events(RequestPaused) as held,
        ):
            async with trio.open_nursery() as nursery:
                adoption = None
                if registry.owner is not None:
                    adoption = Adoption(connection, registry, registry.owner)
                browser = Browser(
                    connection, registry, snapshots, tabs, nursery, is_foreign, adoption
                )
                gate = RequestGate(root, registry, nursery, is_foreign)
                nursery.start_soon(gate.follow, held)
                registry.close_port(running.port if running is not None else None)
                if registry.policy.decides_on_requests:
                    await root.call(EnableFetch(patterns=[RequestPattern("*")]))
                elif closed := registry.debugging_port:
                    pattern = RequestPattern(f"*:{closed.port}/*")
                    await root.begin(EnableFetch(patterns=[pattern]))
                await root.call(
                    target.SetDiscoverTargets(discover=True) if is_foreign else _AUTO_ATTACH
                )
                if adoption is not None:
                    await adoption.begin()
                    adoption.tabs.on_withdrawal = browser.check_withdrawn
                nursery.start_soon(browser.follow, events)
                if not asks:  # a lost connection to a user's browser is not made again by itself
                    nursery.start_soon(check_heartbeat, connection)
                files = Downloads(registry, lambda tab: nursery.start_soon(browser.close_tab, tab))
                nursery.start_soon(files.follow, downloads)
                browser.restore(registry.tabs())
                registry.incarnation = Incarnation(
                    connection,
                    tabs,
                    lambda closing: nursery.start_soon(browser.close_session, closing),
                )
                try:
                    yield browser
                finally:
                    registry.incarnation = None
                    with trio.move_on_after(1.0, shield=True), suppress(ConnectionLost):
                        await browser.leave()
                    for session in tuple(registry.sessions.values()):
                        if session.closing.is_set():  # it ends with the browser
                            registry.forget(session)
                    if asks:
                        registry.suspend_tabs(lost())
                    plan_restore([(record.restore, record.url) for record in registry.tabs()])
                nursery.cancel_scope.cancel("browser closed")


async def check_heartbeat(connection: Connection) -> NoReturn:
    """Raise `ConnectionLost` once the browser process has not answered for `PATIENCE` seconds.

    A browser that sends a flood of events may take `BUSY_PATIENCE` seconds.
    """
    while True:
        await trio.sleep(HEARTBEAT)
        began = trio.current_time()
        version = await connection.root.begin(target.GetVersion())
        cookies = await connection.root.begin(GetCookies())  # answered by the network service
        while True:
            received = connection.received
            with trio.move_on_after(PATIENCE):
                await version.result()
                await cookies.result()
                break
            waited = trio.current_time() - began
            is_flood = connection.received - received > _FLOOD * PATIENCE
            if not is_flood or waited >= BUSY_PATIENCE:
                log.warning("browser frozen", seconds=waited)
                raise ConnectionLost(
                    f"The browser has not answered for {waited:.0f} s and is being restarted.",
                    "Repeat the call in a few seconds; the tabs are restored at their URLs.",
                )
