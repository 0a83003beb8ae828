"""Mouse and keyboard events, and the release of pressed buttons and keys."""

from typing import Any

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from charlotte.browser.input.input import (
    ClickType,
    Modifier,
    click_point,
    key_named,
    modifier_mask,
    press,
    type_text,
    wait_until_handled,
)
from charlotte.protocol.errors import ProtocolError
from tests.browser.stage import Stage, open_stage
from tests.fake_page import Refused, Sent


def mouse(stage: Stage) -> list[tuple[Any, ...]]:
    """Type, button, buttons, click count and modifiers of the mouse events that were sent."""
    names = ("type", "button", "buttons", "clickCount", "modifiers")
    sent = stage.browser.received("Input.dispatchMouseEvent")
    assert {(one.params["x"], one.params["y"]) for one in sent} == {(10.5, 20)}
    return [tuple(one.params[name] for name in names) for one in sent]


def keys(stage: Stage) -> list[str]:
    """The key events that were sent: ``down a``, ``raw Shift``, ``up a``, ``text ß``."""
    kinds = {"keyDown": "down", "rawKeyDown": "raw", "keyUp": "up"}
    return [
        f"text {one.params['text']}"
        if one.method == "Input.insertText"
        else f"{kinds[one.params['type']]} {one.params['key']}"
        for one in stage.browser.sent
        if one.method.startswith("Input.")
    ]


@pytest.mark.req("C-KEY-02", "S-MOD-01")
def test_the_modifier_mask_is_that_of_cdp() -> None:
    assert modifier_mask([]) == 0
    assert (modifier_mask(["alt"]), modifier_mask(["alt", "shift"])) == (1, 9)
    assert (modifier_mask(["ctrl"]), modifier_mask(["ctrl", "meta", "ctrl"])) == (2, 6)


@pytest.mark.req("C-CLK-01")
@pytest.mark.parametrize(("kind", "buttons"), [("left", 1), ("right", 2), ("middle", 4)])
async def test_a_click_moves_presses_and_releases(kind: ClickType, buttons: int) -> None:
    async with open_stage() as stage:
        await click_point(stage.session, 10.5, 20, kind=kind, modifiers=["ctrl"])
        assert mouse(stage) == [
            ("mouseMoved", "none", 0, 0, 2),
            ("mousePressed", kind, buttons, 1, 2),
            ("mouseReleased", kind, 0, 1, 2),
        ]


@pytest.mark.req("S-PERF-02")
async def test_a_click_is_sent_completely_in_one_round_trip_even_if_cancelled() -> None:
    async with open_stage() as stage:
        stage.browser.hold("Input.dispatchMouseEvent")
        async with trio.open_nursery() as nursery:

            async def run() -> None:
                await click_point(stage.session, 10.5, 20, kind="left")

            nursery.start_soon(run)
            await stage.browser.until_sent("Input.dispatchMouseEvent")
            nursery.cancel_scope.cancel()
        assert [one[0] for one in mouse(stage)] == ["mouseMoved", "mousePressed", "mouseReleased"]


async def test_modifiers_are_held_around_the_key_and_released_in_reverse() -> None:
    async with open_stage() as stage:
        await press(stage.session, (key_named("x"), ["shift", "ctrl"]))
        assert keys(stage) == [
            "raw Control",
            "raw Shift",
            "raw x",
            "up x",
            "up Shift",
            "up Control",
        ]
        masks = [
            one.params["modifiers"] for one in stage.browser.received("Input.dispatchKeyEvent")
        ]
        assert masks == [2, 10, 10, 10, 0, 0]


async def test_select_all_carries_its_editing_command() -> None:
    async with open_stage() as stage:
        await press(stage.session, (key_named("a"), ["ctrl"]))
        commands = [
            one.params["commands"] for one in stage.browser.sent if one.params.get("commands")
        ]
    assert commands == [["selectAll"]]


@pytest.mark.parametrize("way", ["the caller leaves", "the browser refuses"])
async def test_held_keys_are_released_on_every_exit(way: str) -> None:
    def refuse(sent: Sent) -> dict[str, Any] | None:
        if sent.params["key"] != "x":
            return {}
        if way == "the browser refuses":
            raise Refused("no")
        return None

    async def run() -> None:
        modifiers: list[Modifier] = ["ctrl", "alt"]
        if way == "the browser refuses":
            with pytest.raises(ProtocolError):
                await press(stage.session, (key_named("x"), modifiers))
        else:
            await press(stage.session, (key_named("x"), modifiers))

    async with open_stage() as stage:
        stage.browser.on["Input.dispatchKeyEvent"] = refuse
        async with trio.open_nursery() as nursery:
            nursery.start_soon(run)
            await wait_all_tasks_blocked()
            nursery.cancel_scope.cancel()
        assert keys(stage)[-2:] == ["up Control", "up Alt"]


async def test_releasing_does_not_wait_for_replies(autojump_clock: MockClock) -> None:
    """As while a dialog is open."""
    async with open_stage() as stage:
        stage.browser.hold("Input.dispatchKeyEvent")
        before = trio.current_time()
        with trio.move_on_after(0.5):
            await press(stage.session, (key_named("x"), ["ctrl"]))
        assert trio.current_time() - before == pytest.approx(0.5)
        assert keys(stage)[-1] == "up Control"


async def test_an_action_waits_for_events_of_a_cancelled_one(autojump_clock: MockClock) -> None:
    async with open_stage() as stage:
        stage.browser.hold("Input.dispatchKeyEvent")
        with trio.move_on_after(0.5):
            await press(stage.session, (key_named("x"), ["ctrl"]))
        waited = trio.Event()

        async def wait() -> None:
            await wait_until_handled(stage.session)
            waited.set()

        async with trio.open_nursery() as nursery:
            nursery.start_soon(wait)
            await wait_all_tasks_blocked()
            assert not waited.is_set()
            for sent in stage.browser.received("Input.dispatchKeyEvent"):
                stage.browser.answer(sent)
        assert waited.is_set()


async def test_text_is_typed_key_by_key_and_the_rest_is_inserted() -> None:
    async with open_stage() as stage:
        await type_text(stage.session, "aBß😀", pause=0.0)
        by_key = ["down a", "up a", "down B", "up B"]
        composed = [event for c in "ß😀" for event in ("raw Process", f"text {c}", "up Process")]
        assert keys(stage) == by_key + composed
        masks = {
            one.params["key"]: one.params["modifiers"]
            for one in stage.browser.received("Input.dispatchKeyEvent")
        }
        assert masks == {"a": 0, "B": 8, "Process": 0}
