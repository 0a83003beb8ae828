"""Visits of origins that take too long."""

from types import SimpleNamespace
from typing import Any, cast

import trio
from trio.testing import MockClock

from charlotte.actors.state.context_record import ContextRecord
from charlotte.actors.tab.site_data import write_site_data
from charlotte.protocol.connection import CdpSession


async def never_opens(_: str | None) -> tuple[str, CdpSession]:
    await trio.sleep_forever()
    raise AssertionError


class FakePage:
    root = None

    async def context(self) -> None:
        await trio.lowlevel.checkpoint()


async def test_no_origin_is_reached_without_the_hidden_page(autojump_clock: MockClock) -> None:
    tab = SimpleNamespace(page=FakePage(), record=SimpleNamespace(context=ContextRecord()))
    with trio.fail_after(100):
        missing = await write_site_data(
            cast("Any", tab), never_opens, [], [("https://a.test", []), ("https://b.test", [])]
        )
    assert missing == ["https://a.test", "https://b.test"]
