"""Dry runs: a page acts, and what would change state is reported and never leaves the browser."""

import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import parse_qsl

import pytest
import trio

from charlotte import Charlotte, CharlotteError, Config, Page, Session, Tab, open_charlotte
from tests.sampling import one_in
from tests.whole.shop_site import FIELDS, KINDS, Shop, open_shop

pytestmark = pytest.mark.chromium


async def open_checkout(tab: Tab, shop: Shop) -> Page:
    """Load the checkout, and wait until its workers and its socket run."""
    await tab.navigate(shop.url())
    return await tab.wait_for(text="ready", detail="full")


async def press(tab: Tab, page: Page, name: str, **arguments: Any) -> Page:
    return await tab.click(page.element(name).id, **arguments)


def sent(page: Page) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = page.extras.get("would_send", [])
    return rows


def without_token(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if name != "csrf"}


def fields_of(row: dict[str, Any]) -> dict[str, Any]:
    body = row["body"]
    fields: dict[str, Any] = json.loads(body) if isinstance(body, str) else body
    return fields


@pytest.mark.timeout(240)
@pytest.mark.parametrize("runs", [5, pytest.param(100, marks=pytest.mark.extended)])
async def test_many_dry_checkouts_leave_the_database_empty(runs: int) -> None:
    async with open_shop() as shop, open_charlotte() as charlotte:
        async with charlotte.open_session() as session:
            tab = await session.open_tab()
            for number in range(runs):
                kind = ("fetch", "beacon", "fetch", "beacon", "Pay")[number % 5]
                page = await tab.navigate(shop.url("/checkout?plain=1"), detail="full")
                [row] = sent(await press(tab, page, kind, dry_run=True))
                assert without_token(fields_of(row)) == FIELDS
            assert shop.orders() == []
            await tab.reload()
        await trio.sleep(0.5)
        assert shop.orders() == []


@pytest.mark.parametrize("kinds", one_in(2, [KINDS[::3], KINDS]), ids=["one in three", "all"])
async def test_no_route_of_a_page_leads_out_of_a_dry_run(
    subtests: pytest.Subtests, kinds: Sequence[str]
) -> None:
    reported: dict[str, list[dict[str, Any]]] = {}

    async def run_dry(charlotte: Charlotte, shop: Shop, kind: str) -> None:
        async with charlotte.open_session() as session:
            tab = await session.open_tab()
            page = await open_checkout(tab, shop)
            rows = sent(await press(tab, page, kind, dry_run=True))
            # a worker may take longer than the page
            reported[kind] = rows or sent(await tab.wait_for(time=1000))
            await tab.reload()
            await tab.wait_for(text="ready")

    async with open_shop() as shop, open_charlotte() as charlotte:
        async with trio.open_nursery() as nursery:
            for kind in kinds:
                nursery.start_soon(run_dry, charlotte, shop, kind)
        await trio.sleep(0.5)
        assert shop.orders() == []
        assert shop.messages == []
    for kind in kinds:
        with subtests.test(kind):
            [row] = reported[kind]
            assert without_token(fields_of(row)) == FIELDS


@pytest.mark.extended
async def test_the_reported_request_is_the_one_that_is_sent_later() -> None:
    async with (
        open_shop() as shop,
        open_charlotte() as charlotte,
        charlotte.open_session() as session,
    ):
        tab = await session.open_tab()
        for kind in ("Pay", "fetch"):
            page = await open_checkout(tab, shop)
            [row] = sent(await press(tab, page, kind, dry_run=True))
            assert shop.orders() == []
            page = await open_checkout(tab, shop)
            await press(tab, page, kind)
            [order] = shop.orders()
            request = await shop.site.requested("/orders")
            body = request.body.decode()
            is_json = body.startswith("{")
            real = json.loads(body) if is_json else dict(parse_qsl(body))
            assert (row["method"], row["url"]) == ("POST", shop.url("/orders"))
            assert without_token(row["body"]) == without_token(real) == without_token(order)
            assert row["body"]["csrf"] == "[redacted]"
            shop.database.execute("DELETE FROM orders")


@pytest.mark.extended
async def test_the_tab_is_dirty_until_it_is_loaded_again() -> None:
    async with (
        open_shop() as shop,
        open_charlotte() as charlotte,
        charlotte.open_session() as session,
    ):
        tab = await session.open_tab()
        page = await open_checkout(tab, shop)
        dirty = await press(tab, page, "fetch", dry_run=True)
        assert "until reload" in str(dirty)
        assert "dirty" in (await session.call("tabs")).text
        again = await press(tab, page, "fetch")  # without dry_run: still nothing is sent
        assert len(sent(again)) == 1
        assert shop.orders() == []
        evaluated = await session.call("evaluate", {"expression": "1"})
        assert "until reload" in evaluated.text

        clean = await tab.reload()
        assert "dry run" not in str(clean)
        page = await tab.wait_for(text="ready", detail="full")
        await press(tab, page, "fetch")
        await press(tab, page, "socket")
        assert [without_token(order) for order in shop.orders()] == [FIELDS]
        with trio.fail_after(10):
            await shop.heard.wait()
        assert len(shop.messages) == 1


@pytest.mark.extended
async def test_a_timer_that_sends_later_is_dropped_as_well() -> None:
    later = "on.fetch = () => setTimeout(() => post('/orders').then(say), 1500)"
    async with (
        open_shop(delay=later) as shop,
        open_charlotte() as charlotte,
        charlotte.open_session() as session,
    ):
        tab = await session.open_tab()
        page = await open_checkout(tab, shop)
        await press(tab, page, "fetch", dry_run=True)
        seen = await tab.wait_for(text="failed")
        assert shop.orders() == []
        assert "POST" in str(seen) or "would_send" in seen.extras


@pytest.mark.extended
async def test_messages_on_sockets_are_dropped_however_the_page_ends() -> None:
    async def send_dry(session: Session, shop: Shop) -> Tab:
        tab = await session.open_tab()
        page = await open_checkout(tab, shop)
        for _ in range(3):
            await press(tab, page, "socket", dry_run=True)
        return tab

    async with open_shop() as shop:
        async with open_charlotte() as charlotte, charlotte.open_session() as session:
            async with charlotte.open_session() as ending:
                await send_dry(ending, shop)
            await (await send_dry(session, shop)).close()
            left = await send_dry(session, shop)
            await left.navigate(shop.site.url("/counter.html", host="other.localhost"))
            await trio.sleep(0.7)
            assert shop.messages == []
            await send_dry(session, shop)  # the last page ends with the server
        await trio.sleep(0.7)
        assert shop.messages == []


async def test_all_tools_that_act_run_dry() -> None:
    async with (
        open_shop() as shop,
        open_charlotte() as charlotte,
        charlotte.open_session() as session,
    ):
        tab = await session.open_tab()
        page = await open_checkout(tab, shop)
        form = page.element("Pay").id
        [name] = [one for one in page.elements if one.value == "Ada"]
        sends = "navigator.sendBeacon('/orders', '{\"a\": 1}')"
        calls: list[tuple[str, dict[str, Any]]] = [
            ("submit", {"form_id": form}),
            (
                "fill_form",
                {"fields": [{"element_id": name.id, "value": "Bob"}], "submit": True},
            ),
            ("key", {"key": "Enter", "element_id": name.id}),
            ("evaluate", {"expression": sends}),
        ]
        for tool, arguments in calls:
            answer = await session.call(tool, {**arguments, "dry_run": True})
            assert "would" in answer.text, tool
            assert "/orders" in answer.text, tool
        assert shop.orders() == []


async def test_a_failed_dry_run_reports_what_it_dropped() -> None:
    async with (
        open_shop() as shop,
        open_charlotte() as charlotte,
        charlotte.open_session() as session,
    ):
        tab = await session.open_tab()
        await open_checkout(tab, shop)
        with pytest.raises(CharlotteError) as raised:
            await tab.evaluate("post('/orders').then(() => { throw 'x' })", dry_run=True)
        [row] = (raised.value.details or {})["would_send"]
        assert row["url"] == shop.url("/orders")


@pytest.mark.extended
async def test_other_tabs_send_during_a_dry_run() -> None:
    async with (
        open_shop() as shop,
        open_charlotte() as charlotte,
        charlotte.open_session() as session,
        charlotte.open_session() as other,
    ):
        dry, wet = await session.open_tab(), await other.open_tab()
        page = await open_checkout(dry, shop)
        await press(dry, page, "fetch", dry_run=True)
        await press(wet, await open_checkout(wet, shop), "fetch")
        assert len(shop.orders()) == 1


async def test_without_a_dry_run_nothing_is_held() -> None:
    async with (
        open_shop() as shop,
        open_charlotte(Config()) as charlotte,
        charlotte.open_session() as session,
    ):
        tab = await session.open_tab()
        page = await open_checkout(tab, shop)
        answer = await press(tab, page, "fetch")
        assert "would_send" not in answer.extras
        assert len(shop.orders()) == 1
