"""A program's policy for the URLs of documents, and other ways of programs into a session."""

import asyncio
import threading

import pytest
import trio

from charlotte import (
    CharlotteError,
    Config,
    DialogAnswered,
    DownloadChanged,
    NavigationRefused,
    Session,
    aio,
    open_charlotte,
)
from charlotte.aio import open_bridge
from charlotte.base.errors import NavigationBlocked, SessionProblem
from tests.site.server import open_site

pytestmark = [pytest.mark.chromium, pytest.mark.usefixtures("short_logs")]

LINKS = (
    "data:text/html,<title>Links</title><a href='{0}'>There</a>"
    "<a href='{0}' target=_blank>Beside</a><iframe src='{0}'></iframe>"
)


async def only_here(url: str) -> str | None:
    is_here = url.startswith(("http://127.0.0.1:", "data:"))
    return None if is_here else "Only this machine is allowed."


@pytest.mark.parametrize("way", ["navigate", "redirect", "There", "Beside"])
async def test_a_policy_is_asked_about_each_way_to_a_document(way: str) -> None:
    async with open_site() as site, open_charlotte() as running, running.open_session() as session:
        await session.use_url_policy(only_here)
        refused = session.events(NavigationRefused)
        other = site.url("/counter.html", host="other.localhost")

        match way:
            case "navigate":
                with pytest.raises(NavigationBlocked, match="Only this machine"):
                    await session.navigate(other)
            case "redirect":
                with pytest.raises(NavigationBlocked, match="Only this machine"):
                    await session.navigate(site.url(f"/redirect?to={other}"))
                assert await _next_refused(refused, session) == other
            case _:
                page = await session.navigate(LINKS.format(other))
                await session.click(page.element(way).id)
                assert await _next_refused(refused, session) == other
        assert "/counter.html" not in [request.path for request in site.requests]


async def _next_refused(stream: object, session: Session) -> str:
    with trio.fail_after(60):
        event = await anext(stream)  # type: ignore[call-overload]
    assert isinstance(event, NavigationRefused)
    return event.url


async def test_a_policy_that_fails_refuses() -> None:
    async def broken(_: str) -> str | None:
        raise ZeroDivisionError

    async with open_site() as site, open_charlotte() as running, running.open_session() as session:
        await session.use_url_policy(broken)
        with pytest.raises(NavigationBlocked, match="no verdict"):
            await session.navigate(site.url("/"))


async def test_a_policy_comes_before_the_first_tab() -> None:
    async with open_charlotte() as running, running.open_session() as session:
        await session.open_tab()
        with pytest.raises(SessionProblem, match="before the session has a tab"):
            await session.use_url_policy(only_here)


def test_a_policy_of_an_asyncio_program_runs_in_its_loop() -> None:
    asked: list[tuple[str, str]] = []

    async def policy(url: str) -> str | None:
        await asyncio.sleep(0)
        asked.append((url, threading.current_thread().name))
        return "Not today."

    async def main() -> None:
        async with (
            open_bridge() as bridge,
            bridge.entered(open_site) as site,
            aio.open_charlotte(Config()) as charlotte,
            charlotte.open_session() as session,
        ):
            await session.use_url_policy(policy)
            with pytest.raises(CharlotteError, match="Not today"):
                await session.navigate(site.url("/"))
            assert asked == [(site.url("/"), "MainThread")]

    asyncio.run(main())


async def test_dialogs_are_dismissed_with_an_event_and_pages_can_be_left() -> None:
    async with open_site() as site, open_charlotte() as running, running.open_session() as session:
        await session.configure(dialog_auto_dismiss="dismiss_and_leave")
        events = session.events(DialogAnswered)
        page = await session.navigate(
            "data:text/html,<button onclick='document.title = confirm(1)'>Ask</button>"
            "<script>onbeforeunload = (e) => { e.preventDefault(); return 1 }</script>"
        )
        answered = await session.click(page.element("Ask").id)
        left = await session.navigate(site.url("/counter.html"))

        kinds = [(event.dialog.type, event.accepted) for event in events.drain()]
        assert answered.title == "false"
        assert left.title != "false"
        assert kinds == [("confirm", False), ("beforeunload", True)]
        assert events.drain() == []


async def test_the_events_of_a_download_share_an_id() -> None:
    async with open_site() as site, open_charlotte() as running, running.open_session() as session:
        events = session.events(DownloadChanged)
        for name in ("a", "b"):
            await session.navigate(site.url(f"/download?name={name}.csv"))

        changes = [(event.id, event.state) for event in events.drain()]
        assert [state for _, state in changes] == ["in_progress", "completed"] * 2
        assert changes[0][0] == changes[1][0] != changes[2][0] == changes[3][0]


def test_an_asyncio_program_works_with_the_session_in_trio() -> None:
    async def rows(session: Session) -> list[str]:
        await session.open_tab()
        await session.open_tab()
        return [f"{row.id} {row.active}" for row in session.rows()]

    async def main() -> None:
        async with aio.open_charlotte() as charlotte, charlotte.open_session() as session:
            assert await session.run_in_trio(rows) == ["tab-1 False", "tab-2 True"]

    asyncio.run(main())
