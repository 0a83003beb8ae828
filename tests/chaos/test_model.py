"""Conclusions of the chaos model from incomplete answers."""

import random

import pytest
import trio
from trio.testing import MockClock

from tests.chaos.agent import Tab
from tests.chaos.calls import Caller, Refused
from tests.chaos.ledger import GRACE, Ledger
from tests.chaos.model import Place
from tests.site.server import Site
from tests.stdio_client import Client

PLACE = Place("http://t9.localhost/counter.html", "counter", 0)


@pytest.mark.parametrize(("kind", "expected"), [("renderers", 0), ("tab", 1)])
async def test_a_silent_loss_is_still_explained_by_its_fault(
    autojump_clock: MockClock, kind: str, expected: int
) -> None:
    ledger = Ledger()
    caller, site = Caller(Client.__new__(Client), ledger), Site.__new__(Site)
    tab = Tab(caller, site, random.Random(1), 9)  # noqa: S311 - no secret
    tab.id = "tab-30"
    tab.belief.sent(PLACE, surely=True)
    tab.belief.changes(_seven)
    ledger.begin("a fault", "renderers" if kind == "renderers" else "tab").end()

    await trio.sleep(2 * GRACE)
    tab._learn(PLACE.url, None, is_page=False)  # pyright: ignore[reportPrivateUsage]
    tab._learn(PLACE.url, 0, is_page=False)  # pyright: ignore[reportPrivateUsage]

    assert len(ledger.failures) == expected


async def test_a_dialog_explains_blocked_calls_until_it_is_answered(
    autojump_clock: MockClock,
) -> None:
    ledger = Ledger()
    caller = Caller(Client.__new__(Client), ledger)

    def is_explained(details: object) -> bool:
        refused = Refused({"code": "SESSION_ERROR", "message": "", "details": details})
        return caller._is_explained("tab-1", refused, trio.current_time())  # pyright: ignore[reportPrivateUsage]

    ledger.begin("dialog", "tab", "tab-1")
    await trio.sleep(2 * GRACE)
    assert is_explained({"pending_dialog": {}})
    assert not is_explained({})

    ledger.dialog_answered("tab-1")
    await trio.sleep(2 * GRACE)
    assert not is_explained({"pending_dialog": {}})


async def test_a_wrong_value_is_a_failure() -> None:
    class Described(Caller):
        async def call(self, *_: object, **__: object) -> dict[str, str]:
            return {"value": "Array(2)", "type": "array"}

    ledger = Ledger()
    caller = Described(Client.__new__(Client), ledger)
    tab = Tab(caller, Site.__new__(Site), random.Random(1), 1, id="tab-1")  # noqa: S311 - no secret
    await tab._read()  # pyright: ignore[reportPrivateUsage]

    assert "Array(2)" in ledger.failures[0]


def _seven(_: object) -> int:
    return 7
