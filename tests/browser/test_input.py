"""Mouse and keyboard events of agents and people, and the release of pressed buttons and keys."""

from typing import Any

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from charlotte.base.errors import InvalidArgument
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
from charlotte.browser.input.live_input import read_input
from charlotte.protocol.errors import ProtocolError
from charlotte.protocol.input import DispatchKeyEvent, DispatchMouseEvent, InsertText
from charlotte.protocol.page import HandleJavaScriptDialog
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


def command(**event: Any) -> Any:
    [read] = read_input([event])[0]
    return read


def test_a_click_is_a_press_and_a_release_of_the_button() -> None:
    at = {"x": 10.5, "y": 20, "button": 0, "clicks": 2, "modifiers": 8}
    down = command(type="down", buttons=1, **at)
    up = command(type="up", **at)
    same: dict[str, Any] = {"x": 10.5, "y": 20, "button": "left", "click_count": 2, "modifiers": 8}
    assert DispatchMouseEvent(type="mousePressed", buttons=1, **same) == down
    assert DispatchMouseEvent(type="mouseReleased", **same) == up


@pytest.mark.parametrize(
    ("key", "code", "text", "number"),
    [
        ("a", "KeyA", "a", 65),
        ("A", "KeyA", "A", 65),
        ("é", "", "é", 0),
        ("Enter", "Enter", "\r", 13),
    ],
)
def test_a_key_types_its_text(key: str, code: str, text: str, number: int) -> None:
    pressed = command(type="keydown", key=key)
    assert ("keyDown", text, number) == (
        pressed.type,
        pressed.text,
        pressed.windows_virtual_key_code,
    )
    assert code == pressed.code
    released = command(type="keyup", key=key)
    assert ("keyUp", "") == (released.type, released.text)


@pytest.mark.parametrize(
    ("event", "text", "commands"),
    [
        ({"key": "a", "code": "KeyA", "modifiers": 2}, "", ["selectAll"]),
        ({"key": "c", "code": "KeyC", "modifiers": 2}, "", []),
        ({"key": "v", "code": "KeyV", "modifiers": 4}, "", []),
        ({"key": "@", "code": "KeyQ", "modifiers": 3}, "@", []),
        ({"key": "Shift"}, "", []),
        ({"key": "Dead", "code": "Quote"}, "", []),
    ],
)
def test_shortcuts_type_nothing_but_the_third_level_of_a_keyboard_does(
    event: dict[str, Any], text: str, commands: list[str]
) -> None:
    pressed: DispatchKeyEvent = command(type="keydown", **event)
    assert (text, commands) == (pressed.text, pressed.commands)
    assert ("keyDown" if text else "rawKeyDown") == pressed.type


def test_a_pasted_text_is_inserted_and_a_dialog_answered() -> None:
    assert InsertText(text="two\nlines") == command(type="text", text="two\nlines")
    answer = HandleJavaScriptDialog(accept=True, prompt_text="Ada")
    assert answer == command(type="dialog", accept=True, text="Ada")


@pytest.mark.parametrize(
    ("event", "submits"),
    [
        ({"type": "down", "x": 1, "y": 1}, True),
        ({"type": "keydown", "key": "Enter"}, True),
        ({"type": "keydown", "key": "Tab"}, True),
        ({"type": "keydown", "key": "a"}, False),
        ({"type": "keyup", "key": "Enter"}, False),
        ({"type": "move", "x": 1, "y": 1}, False),
    ],
)
def test_input_that_may_submit_a_form_or_leave_a_field_is_recognized(
    event: dict[str, Any], *, submits: bool
) -> None:
    assert submits == read_input([{"type": "text", "text": "x"}, event])[1]


@pytest.mark.parametrize(
    "events",
    [
        None,
        {},
        [1],
        [{}],
        [{"type": "boom"}],
        [{"type": "move"}],
        [{"type": "move", "x": "here", "y": 1}],
        [{"type": "keydown", "key": "a", "commands": ["paste"]}],
        [{"type": "text", "text": 5}],
        [{"type": "dialog", "accept": "yes", "text": None}],
        [{"type": ["move"], "x": 1, "y": 1}],
        [{"type": "text", "text": ""}] * 201,
    ],
)
def test_other_events_are_refused(events: object) -> None:
    with pytest.raises(InvalidArgument):
        read_input(events)
