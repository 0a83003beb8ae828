"""Calls at coordinates: valid points, and the envelope of their answers."""

import json
import re
from datetime import datetime
from typing import Any

import pytest

from charlotte.base.version import __version__
from tests.whole.cases import case
from tests.whole.client import Message
from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

PAD = """<body style="margin: 0; height: 3000px"><input id=i style="position: absolute; left: 40px;
  top: 40px; width: 200px; height: 30px"><div style="position: absolute; left: 0; top: 100px;
  width: 100px; height: 100px; overflow: auto" id=box><div style="height: 999px"></div></div>
<script>globalThis.log = []; for (const type of ['mousedown', 'keydown', 'wheel'])
  addEventListener(type, (e) => log.push([type, e.clientX, e.clientY, e.button, e.key,
    e.ctrlKey, e.shiftKey, e.altKey, e.metaKey, e.isTrusted]));</script>"""


USED = ["coordinates_used", "action_timestamp"]


def answered(tab: Tab, tool: str, **arguments: Any) -> Message:
    answer: Message = json.loads(tab.reply(tool, **arguments).text)
    return answer


def check_envelope(tab: Tab, answer: Message, action: str, *, success: bool) -> None:
    """Check S-RESP-01…05 and S-META."""
    assert (answer["success"], answer["action"]) == (success, action)
    assert ("error" in answer, "data" in answer) == (not success, success)
    metadata = answer["metadata"]
    if success:
        assert metadata["tab_id"] == tab.id
        assert metadata["duration_ms"] > 0
    assert datetime.fromisoformat(metadata["timestamp"]).tzinfo
    assert metadata["tool_version"] == __version__


@pytest.mark.req(
    "S-RESP-02", "S-RESP-03", "S-RESP-05", "S-ACT-01", "S-META-01", "S-META-02", "S-META-03",
    "S-META-04", "S-VAL-02", "S-VAL-03", "S-VAL-04", "S-COORD-02",
)  # fmt: skip
def test_an_action_at_a_point_returns_its_coordinates_and_time(tab: Tab) -> None:
    tab.open(PAD)
    cases: list[Any] = [
        ("click_at", "click", {"coordinates": {"x": 0, "y": 0}}),
        ("click_at", "click", {"x": 1279, "y": 719}),
        ("type", "type", {"x": 60, "y": 50, "text": "a"}),
        ("scroll", "scroll", {"coordinates": {"x": 500, "y": 300}, "scroll_offset": {"y": 120}}),
    ]

    for tool, action, arguments in cases:
        with case(tool, action, arguments):
            answer = answered(tab, tool, **arguments)

            check_envelope(tab, answer, action, success=True)
            point = arguments.get("coordinates", arguments)
            data = answer["data"]
            assert data["coordinates_used"] == {"x": point["x"], "y": point["y"]}
            done, answered_at = (datetime.fromisoformat(one) for one in
                          (data["action_timestamp"], answer["metadata"]["timestamp"]))  # fmt: skip
            assert done <= answered_at
            if tool == "click_at":
                assert tab.js("log.at(-1).slice(0, 3)") == ["mousedown", point["x"], point["y"]]
            if tool == "scroll":
                assert answer["scroll"]["y"] == 120


@pytest.mark.req("S-COORD-01", "S-COORD-02")
def test_coordinates_are_relative_to_the_viewport(tab: Tab) -> None:
    tab.open("<body style='margin: 0'>" + "".join(
        f"<p style='margin: 0; height: 400px' onclick='document.title = {n}'>{n}</p>"
        for n in range(9)))  # fmt: skip
    tab.js("scrollTo(0, 1200)")

    assert tab.call("click_at", x=0, y=0)["title"] == "3"
    assert tab.call("click_at", x=1, y=400)["title"] == "4"


@pytest.mark.req(
    "S-COORD-03", "S-COORD-04", "S-ERR-03", "S-ERR-01", "S-REQ-08", "S-RESP-01", "S-RESP-02",
    "S-RESP-03", "S-RESP-04", "S-RESP-05",
)  # fmt: skip
def test_a_point_outside_the_viewport_is_refused_before_the_action(tab: Tab) -> None:
    tab.open(PAD)
    calls: list[Any] = [
        ("click_at", {}),
        ("type", {"text": "a"}),
        ("scroll", {"direction": "down"}),
    ]

    for tool, arguments in calls:
        for x, y in [(1280, 0), (0, 720), (-1, 5), (5, -1)]:
            with case(tool, arguments, x, y):
                answer = answered(tab, tool, x=x, y=y, **arguments)
                check_envelope(tab, answer, tool.removesuffix("_at"), success=False)
                assert answer["error"]["code"] == "INVALID_COORDINATES"
                assert answer["error"]["details"]["viewport"] == {"width": 1280, "height": 720}
                assert "0 to 1279" in answer["error"]["suggestion"]
                assert tab.js("log.length") == 0


@pytest.mark.req("S-REQ-02", "S-META-02")
def test_coordinates_act_on_a_background_tab_given_by_id(tab: Tab) -> None:
    tab.open(PAD)
    active = tab.beside()

    check_envelope(tab, answered(tab, "click_at", x=300, y=300), "click", success=True)

    assert tab.js("log.map((one) => one.slice(0, 3))") == [["mousedown", 300, 300]]
    refused = tab.server.call("click_at", x=-1, y=5)
    assert refused.metadata["tab_id"] == json.loads(refused.text)["metadata"]["tab_id"] == active.id


@pytest.mark.req("S-COORD-04", "S-REQ-03", "S-REQ-04", "S-VAL-02", "S-VAL-03", "S-OPT-03")
def test_an_error_names_missing_or_wrong_coordinates(tab: Tab) -> None:
    cases: list[Any] = [
        ("click_at", {"coordinates": {"x": 1.5, "y": 2}}, "x must be"),
        ("click_at", {"coordinates": {"x": 2, "y": 1.5}}, "y must be"),
        ("click_at", {"x": 5, "y": 5, "wait_after_action": -1}, "wait_after_action"),
        ("click_at", {"x": 5}, "x and y"),
        ("type", {"x": 60, "y": 50, "text": "a" * 10_001}, "10000"),
        ("type", {"x": 60, "y": 50}, "text"),
        ("scroll", {"x": 5}, "x and y"),
    ]

    for tool, arguments, named in cases:
        with case(tool, arguments, named):
            answer = answered(tab, tool, **arguments)
            check_envelope(tab, answer, tool.removesuffix("_at"), success=False)
            assert answer["error"]["code"] == "INVALID_ARGUMENT"
            assert named in answer["error"]["message"]


@pytest.mark.req("S-OPT-01", "S-OPT-02", "S-MOD-01", "S-OPT-03", "S-META-01", "P-12")
def test_click_at_uses_the_given_button_modifiers_and_wait(tab: Tab) -> None:
    tab.open(PAD)

    for modifiers in (["ctrl", "alt"], {"ctrl": True, "alt": "true", "shift": False}):
        tab.call("click_at", x=300, y=300, modifiers=modifiers, button="middle")
    waited = tab.call("click_at", x=300, y=300, wait_after_action=300)

    held = ["mousedown", 300, 300, 1, None, True, False, True, False, True]
    plain = ["mousedown", 300, 300, 0, None, False, False, False, False, True]
    assert tab.js("log") == [held, held, plain]
    assert waited["metadata"]["duration_ms"] >= 300


@pytest.mark.req("S-DOM-01", "S-DOM-02", "S-DOM-03", "S-DOM-04", "S-DOM-05", "S-DOM-06")
def test_scroll_shows_an_element_and_returns_the_new_position(tab: Tab) -> None:
    tab.open("""<body style="margin: 0; width: 3000px; height: 5000px"><div id=frame
        style="position: absolute; top: 2000px; left: 1500px; height: 200px; width: 300px;
        overflow: auto"><div style="height: 800px"></div><button id=b onclick="this.textContent=
        'Hit'" style="height: 100px">Far</button><div style="height: 800px"></div></div>""")
    [number] = re.findall(r"\[ref=e(\d+)\]", tab.reply("observe", mode="tree").text)
    edge = "b.getBoundingClientRect()"
    cases: list[Any] = [
        ({}, "top, right", [0, 1280]),
        ({"block": "end", "inline": "start"}, "bottom, left", [720, 0]),
        ({"block": "center", "inline": "end"}, "top + bottom, right", [720, 1280]),
        ({"block": "center", "inline": "center"}, "left + right", [1280]),
    ]

    for align, sides, expected in cases:
        with case(align):
            answer = tab.call("scroll", node_id=int(number), **align)
            check_envelope(tab, answer, "scroll", success=True)
            at = tab.js("({scroll_x: scrollX, scroll_y: scrollY})")
            assert answer["data"] == {
                "node_id": f"e{number}", "scrolled": True, "new_viewport_position": at,
            }  # fmt: skip
            seen = tab.js(f"(({{top, bottom, left, right}}) => [{sides}])({edge})")
            assert seen == pytest.approx(expected, abs=2)
    again = tab.call("scroll", node_id=int(number), block="nearest")
    assert again["data"]["scrolled"] is False

    shot = tab.call("screenshot")["data"]["viewport_bounds"]
    assert [shot["scroll_x"], shot["scroll_y"]] == tab.js("[scrollX, scrollY]")
    x, y = tab.js(f"[{edge}.x + 10, {edge}.y + 10].map(Math.round)")
    tab.call("click_at", x=x, y=y)
    assert tab.js("b.textContent") == "Hit"


@pytest.mark.req(
    "S-REQ-01", "S-REQ-03", "S-REQ-04", "S-REQ-05", "S-REQ-07", "S-VAL-05", "S-VAL-06", "S-ACT-01",
    "S-FLOW-02", "S-OPT-01",
)  # fmt: skip
def test_page_screenshot_performs_all_five_actions(tab: Tab) -> None:
    tab.open(PAD)
    at = {"x": 60, "y": 50}

    def act(action: str, **more: Any) -> Message:
        return answered(tab, "page_screenshot", action=action, **more)

    options = {"button": "right", "modifiers": {"shift": True}, "colour": "any"}
    answers = {
        "screenshot": act("screenshot", scroll_offset={"x": 0, "y": 0}),
        "click": act("click", coordinates=at, options=options),
        "type": act("type", coordinates=at, text="a" * 10_000, options=options),
        "scroll": act("scroll", coordinates={"x": 50, "y": 150}, scroll_offset={"x": 0, "y": 77}),
        "keypress": act("keypress", key="Enter", options={"modifiers": {"ctrl": True}}),
    }

    for action, answer in answers.items():
        check_envelope(tab, answer, action, success=True)
        used = {"screenshot": [], "keypress": ["action_timestamp"]}.get(action, USED)
        assert [key for key in USED if key in answer["data"]] == used
    assert tab.js("[i.value.length, box.scrollTop]") == [10_000, 77]
    assert tab.js("log[0]") == ["mousedown", 60, 50, 2, None, False, True, False, False, True]
    assert tab.js("log.at(-1).slice(4)") == ["Enter", True, False, False, False, True]
    wrong: list[tuple[Message, str]] = [
        ({"action": "drag"}, "action"),
        *(({"action": one, "text": "a"}, "coordinates") for one in ("click", "type", "scroll")),
        ({"action": "type", "coordinates": at}, "text"),
        ({"action": "keypress"}, "key"),
        ({"action": "keypress", "key": "NotAKey"}, "NotAKey"),
    ]
    for arguments, named in wrong:
        refused = answered(tab, "page_screenshot", **arguments)
        check_envelope(tab, refused, arguments["action"], success=False)
        assert named in refused["error"]["message"]


AT = {"x": 20, "y": 20}
FIRST = "style='position: absolute; left: 0; top: 0; width: 200px; height: 40px'"
LOST = "Nothing at (20, 20) takes text: the typed text is in no field."


def test_type_reports_text_lost_at_a_point_without_a_field(tab: Tab) -> None:
    cases = [
        f"<p {FIRST}>Plain</p>",
        f"<input disabled {FIRST}>",
        f"<input readonly {FIRST}>",
        f"<input type=checkbox disabled {FIRST}>",
        f"<iframe {FIRST} srcdoc='<p>Plain</p>'></iframe>",
    ]

    for place in cases:
        with case(place):
            tab.open(place)
            assert tab.call("type", **AT, text="Ada")["note"] == LOST


def test_type_adds_no_note_if_the_page_used_the_text(tab: Tab) -> None:
    cases = [
        f"<input {FIRST}>",
        f"<textarea {FIRST}></textarea>",
        f"<div contenteditable {FIRST}></div>",
        f"<iframe {FIRST} srcdoc='<body contenteditable>'></iframe>",
        f"<label {FIRST}>Name <input></label>",
        f"<p {FIRST}>Plain</p><script>onkeydown = (e) => document.body.append(e.key)</script>",
    ]

    for place in cases:
        with case(place):
            tab.open(place)
            answer = tab.call("type", **AT, text="Ada")
            assert "note" not in answer
            assert answer["delta"]["changes"]
