"""A tab looks at one page and acts on it, and survives whatever becomes of the page."""

from collections.abc import AsyncGenerator
from typing import Any

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from charlotte.actors.snapshots import SnapshotStore
from charlotte.actors.tab import HANG_AFTER, Tab
from charlotte.errors import ConnectionLost, ElementNotFound, SnapshotExpired, TabCrashed, TabHung
from charlotte.protocol.errors import ProtocolError
from charlotte.protocol.runtime import Evaluate
from tests.actors.stage import Caller, Stage, open_stage
from tests.fakes import Sent

URL = "http://shop.test/cart"


@pytest.fixture
async def stage(monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock) -> AsyncGenerator[Stage]:
    async with open_stage(monkeypatch) as stage:
        yield stage


async def endless(tab: Tab) -> None:
    """Page work that only an interruption ends."""
    await tab.session.call(Evaluate(expression="endless"))


def hold_endless(stage: Stage) -> None:
    """Let the page work on `endless` for ever, and answer everything else."""
    browser = stage.browser

    def answer(sent: Sent) -> dict[str, Any] | None:
        if sent.params["expression"] == "endless":
            return None
        del browser.on["Runtime.evaluate"]
        browser._take(sent)
        browser.on["Runtime.evaluate"] = answer
        return None

    browser.on["Runtime.evaluate"] = answer
