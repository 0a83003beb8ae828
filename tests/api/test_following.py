"""A page that is followed from look to look is seen as by one who looks for the first time."""

import copy
import json
from collections.abc import Generator
from pathlib import Path
from typing import Any

import attrs
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from charlotte import Config, Session, Tab, open_charlotte
from charlotte.actors.dispatcher import TabHandle
from charlotte.actors.tab.actor import TabActor
from charlotte.actors.tab.page.frames import PageFrames, SeenFrame
from charlotte.answers.answer import Answer
from charlotte.base.errors import InvalidArgument
from charlotte.page.capture import Capture, compose_number, split_number
from charlotte.page.model import Node, PageView
from charlotte.page.view import build_view
from charlotte.tools.schema.tool import tool
from tests.browser.probe.test_replay import Edit, edits
from tests.browser.raw_cdp import FEATURE, chromium

pytestmark = [pytest.mark.chromium, pytest.mark.fault]

_EDITS = (Path(__file__).parents[1] / "browser/probe/edits.js").read_text(encoding="utf-8")
_IN_FRAMES = """
const load = (parent, title) => new Promise((done) => {
  const frame = parent.createElement('iframe');
  const onload = () => done(frame.contentWindow);
  Object.assign(frame, { title, srcdoc: '<body>', height: 600, onload });
  parent.body.prepend(frame);
});
globalThis.windows = [window];
(async () => {
  for (const [index, title] of [[0, 'One'], [1, 'Inner'], [0, 'Two']]) {
    windows.push(await load(windows[index].document, title));
  }
  windows.slice(1).forEach((each) => each.eval(edits));
  return windows.length;
})();
"""
_FRAMES = 4
_STILL = 5

_rounds = st.lists(
    st.lists(st.tuples(st.integers(0, _FRAMES - 1), edits), min_size=1, max_size=4),
    min_size=1,
    max_size=6,
)


class CompleteCapture(PageFrames):
    """Takes complete captures without changing the memory of the probe."""

    def _capture_options(self, frame: SeenFrame) -> dict[str, Any]:
        del frame
        return {"fresh": True}


def facts(capture: Capture) -> dict[str, Any]:
    """All of it, frames numbered in the order in which they appear."""
    order: dict[int, int] = {0: 0}

    def numbered(number: int) -> int:
        frame, nid = split_number(number)
        return compose_number(order.setdefault(frame, len(order)), nid)

    def renumbered(node: Node) -> Node:
        changed: dict[str, Any] = {}
        if "form" in node.extra:
            changed["form"] = numbered(node.extra["form"])
        if record := node.extra.get("record"):  # `made` is what the view remembers, not a fact
            changed["record"] = {
                **{key: value for key, value in record.items() if key != "made"},
                "list": numbered(record["list"]),
            }
        return attrs.evolve(
            node,
            nid=numbered(node.nid),
            landmark=numbered(node.landmark),
            parent=numbered(node.parent),
            extra={**node.extra, **changed},
        )

    nodes = tuple(map(renumbered, capture.nodes))
    scrolls = {numbered(nid): place for nid, place in capture.scrolls.items()}
    frames = {order.setdefault(frame, len(order)): url for frame, url in capture.frames.items()}
    alike = attrs.evolve(capture, nodes=nodes, scrolls=scrolls, frames=frames, answer="")
    return attrs.asdict(alike, recurse=False)


def shown(view: PageView) -> PageView:
    """The elements of a view without those of an earlier view."""
    return attrs.evolve(view, unreachable=None, hidden=frozenset())


@attrs.frozen
class Sights:
    """A page as it looks to one who follows it and to one who has never seen it."""

    capture: dict[str, Any]
    fresh_capture: dict[str, Any]
    view: PageView
    fresh_view: PageView


@tool(group="observation")
async def sights(tab: TabHandle) -> Answer[Sights]:
    """Return the page as both captures have it."""
    return Answer((), value=await tab.do(compare_captures))


async def compare_captures(tab: TabActor) -> Sights:
    """Capture in both ways while the page does not change."""
    for _ in range(_STILL):
        before = facts(await CompleteCapture(tab.page).capture())
        view = await tab.view()
        capture = await tab.frames.capture()
        fresh = facts(await CompleteCapture(tab.page).capture())
        if before == fresh:
            fresh_view = build_view(capture, copy.copy(tab.record.ids))
            return Sights(facts(capture), fresh, shown(view), fresh_view)
    raise InvalidArgument("The page does not stand still.")


async def check(handle: Tab) -> None:
    seen = await handle.run_tool(sights, {})
    assert seen.capture == seen.fresh_capture
    assert seen.view == seen.fresh_view


async def follow(session: Session, rounds: list[list[tuple[int, Edit]]]) -> None:
    handle = await session.open_tab("data:text/html,<!doctype html><body>")
    await handle.evaluate(f"globalThis.edits = {json.dumps(_EDITS)}; eval(edits)")
    assert (await handle.evaluate(_IN_FRAMES)).value == _FRAMES
    await check(handle)
    for edited in rounds:
        for frame, edit in edited:
            await handle.evaluate(f"windows[{frame}].edit?.([{json.dumps(edit)}]); 0")
        await check(handle)


@pytest.fixture(scope="module")
def endpoint() -> Generator[str]:
    with chromium(FEATURE) as address:
        yield address


@settings(
    max_examples=8,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(rounds=_rounds)
async def test_after_any_edits_an_incremental_capture_equals_a_new_one(
    endpoint: str, rounds: list[list[tuple[int, Edit]]]
) -> None:
    async with (
        open_charlotte(Config(cdp_endpoint=endpoint)) as running,
        running.open_session() as session,
    ):
        await follow(session, rounds)
