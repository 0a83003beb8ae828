"""What the model of chaos concludes from answers that do not tell everything."""

import random

import pytest
import trio
from trio.testing import MockClock

from charlotte.demo.client import Client
from charlotte.demo.web import Site
from tests.chaos.agent import Tab
from tests.chaos.calls import Caller
from tests.chaos.ledger import GRACE, Ledger
from tests.chaos.model import Place

PLACE = Place("http://t9.localhost/counter.html", "counter", 0)


@pytest.mark.parametrize(("kind", "expected"), [("renderers", 0), ("tab", 1)])
async def test_a_loss_that_no_answer_showed_is_still_explained_by_its_fault(
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


def _seven(_: object) -> int:
    return 7
