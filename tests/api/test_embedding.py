"""Charlotte inside a trio program."""

import asyncio
import json
import os
import signal
from typing import NoReturn, TypeVar

import pytest
import trio

import charlotte
import charlotte.aio
from charlotte import (
    CharlotteError,
    Config,
    Element,
    Field,
    NewCookie,
    Session,
    Tab,
    Text,
    open_charlotte,
)
from charlotte.actors.kernel.mailbox import Event, EventStream, Restarted
from charlotte.actors.state.events import (
    ConsoleLogged,
    Crashed,
    DialogOpened,
    Loaded,
    Navigated,
    Restored,
    TabClosed,
    TabOpened,
)
from charlotte.api import public
from charlotte.base.errors import TabNotFound
from tests.programs import run_python
from tests.site.server import Site, open_site
from tests.whole.processes import renderers

pytestmark = pytest.mark.usefixtures("short_logs")


def test_each_event_loop_names_the_function_of_the_other() -> None:
    async def on_asyncio() -> None:
        async with charlotte.open_charlotte():
            pass

    async def on_trio() -> None:
        async with charlotte.aio.open_charlotte():
            pass

    with pytest.raises(RuntimeError, match=r"in asyncio, call charlotte\.aio\.open_charlotte"):
        asyncio.run(on_asyncio())
    with pytest.raises(RuntimeError, match=r"in trio, call charlotte\.open_charlotte"):
        trio.run(on_trio)


INTERRUPTED = (
    "charlotte.protocol.connection.Connection._deliver",
    "charlotte.protocol.connection.Subscription.deliver",
    "charlotte.actors.kernel.mailbox.Message.answer",
    "charlotte.actors.tab.actor.TabActor.look",
    "charlotte.actors.tab.page.page_connection.LivePage.note",
)
"""The reader, the delivery of events and of an answer, a verb of a tab, and what a tab follows."""


@pytest.mark.chromium
@pytest.mark.parametrize("place", INTERRUPTED)
async def test_an_interrupt_in_any_task_leaves_the_program_alone(place: str) -> None:
    patching = pytest.MonkeyPatch()

    def interrupt(*_arguments: object) -> NoReturn:
        patching.undo()  # once, as the key
        raise KeyboardInterrupt

    async def work() -> None:
        async with open_charlotte() as running, running.open_session() as session:
            tab = await session.open_tab(PAGE.format("T"))
            patching.setattr(place, interrupt)
            while True:
                await tab.evaluate("location.hash = Math.random()")
                await tab.observe()

    with pytest.raises(BaseExceptionGroup) as raised, trio.fail_after(60):
        await work()
    assert raised.value.split(KeyboardInterrupt)[1] is None


E = TypeVar("E", bound=Event)

PAGE = "data:text/html,<title>{0}</title><button onclick='document.title=1'>Press</button>"


def test_all_public_names_can_be_imported() -> None:
    for name in vars(public):
        assert name.startswith("_") or getattr(charlotte, name) is not None
    with pytest.raises(AttributeError, match="nonsense"):
        charlotte.nonsense  # noqa: B018


def test_importing_the_package_loads_no_submodule() -> None:
    asked = "import sys, charlotte; print('trio' in sys.modules)"
    assert run_python("-c", asked).out == "False\n"


@pytest.mark.chromium
async def test_two_sessions_are_isolated() -> None:
    titles: list[str] = []
    async with (
        open_charlotte(Config(viewport="800x600", answers="json")) as running,
        running.open_session() as one,
        running.open_session() as other,
    ):
        for number, session in enumerate((one, other)):
            await session.call("navigate", {"url": PAGE.format(number)})
        for session in (one, other):
            [block] = (await session.call("tabs")).blocks
            assert isinstance(block, Text)
            titles += [row["title"] for row in json.loads(block.text)]
        with pytest.raises(CharlotteError) as raised:
            await other.call("click", {"element_id": "btn-0000"})

    assert titles == ["0", "1"]
    assert raised.value.code == "ELEMENT_NOT_FOUND"


@pytest.mark.chromium
async def test_typed_calls_fill_and_submit_a_form() -> None:
    async with (
        open_site() as site,
        open_charlotte(Config(answers="json")) as running,
        running.open_session() as session,
    ):
        tab = await session.open_tab(site.url("/form.html"))
        page = await tab.observe()
        name = page.element("Full name", "text_input")
        filled = await tab.fill_form(
            [
                Field(name.id, "Ada Lovelace"),
                Field(page.element("Email").id, "ada@example.org"),
                Field(page.element("Password").id, "correct horse"),
            ]
        )
        sent = await tab.click(page.element("Join the club", "button").id)

        assert filled.delta is not None
        assert name.id in [change.element for change in filled.delta.changes]
        assert "Welcome, Ada Lovelace!" in sent.text
        assert str(sent).startswith('{"url"')
        await _look_around(session, tab, site)


async def _look_around(session: Session, tab: Tab, site: Site) -> None:
    """Use what returns something else than a page."""
    [club] = await tab.find(text="Join the club")
    nodes = await tab.find(selector="h1")
    image = await tab.screenshot()
    await tab.set_cookies([NewCookie(name="a", value="b", domain="127.0.0.1")])
    logged = session.events(ConsoleLogged)
    await tab.evaluate("console.log('seen')")
    with trio.fail_after(60):
        assert "seen" == (await anext(logged)).message.text

    assert isinstance(club, Element)
    assert (1, "h1") == (nodes.total, nodes[0].type)
    assert image.data.startswith(b"\x89PNG")
    assert (1280, 720) == (image.width, image.height)
    assert ["a"] == [cookie.name for cookie in await tab.get_cookies()]
    assert 3 == (await tab.evaluate("1 + 2")).value
    assert "seen" in [message.text for message in await tab.console()]
    assert 200 == (await tab.requests(url_pattern="form.html"))[0].status
    assert [tab.id] == [row.id for row in await session.tabs()]
    await tab.close()
    with pytest.raises(TabNotFound):
        await tab.observe()


@pytest.mark.chromium
async def test_a_large_page_is_returned_completely_with_usable_elements() -> None:
    async with open_site() as site, open_charlotte() as running, running.open_session() as session:
        page = await session.navigate(site.url("/table.html?rows=500"))
        order = page.element("Order Book 77")
        after = await session.click(order.id)

        assert len(page.elements) > 1000
        assert len(str(page)) < 10_000
        assert "Book 77" in after.text


@pytest.mark.chromium
async def test_a_program_receives_events_of_its_tabs_and_actors() -> None:
    restarts: list[Restarted] = []
    async with (
        open_site() as site,
        open_charlotte(on_restart=restarts.append) as running,
        running.open_session() as session,
    ):
        stream = session.events()
        tab = await session.open_tab(site.url("/counter.html"))
        await tab.evaluate("console.log('seen')")
        await _until(stream, ConsoleLogged)
        await tab.evaluate("setTimeout(() => confirm('Sure?'), 0)")
        await _until(stream, DialogOpened)
        await tab.dialog(accept=True)
        for pid in renderers(os.getpid()):
            os.kill(pid, signal.SIGKILL)
        back = await _until(stream, Restored)

        assert (tab.id, site.url("/counter.html")) == (back.tab_id, back.url)
        assert [True] == [one.actor == tab.id for one in restarts]
    assert [TabClosed] == [type(event) async for event in stream]


async def _until(stream: EventStream[Event], kind: type[E]) -> E:
    """The first event of a kind; on the way there was what comes before it."""
    before: list[type[Event]] = []
    with trio.fail_after(60):
        async for event in stream:
            if isinstance(event, kind):
                assert _BEFORE[kind] <= set(before)
                return event
            before.append(type(event))
    raise AssertionError(before)


_BEFORE: dict[type[Event], set[type[Event]]] = {
    ConsoleLogged: {TabOpened, Navigated, Loaded},
    DialogOpened: set(),
    Restored: {Crashed},
}
