"""Anthropic's browser toolset: its SDK runs Charlotte's driver with scripted model turns."""

import base64
import struct
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("anthropic", reason="an SDK of the extras")

from anthropic.tools import ToolError, ToolsetUsageError
from anthropic.tools.browser import BetaLocalFilePolicy
from anthropic.types.beta import BetaToolUseBlock

from charlotte import Config, Session
from charlotte.toolsets.anthropic import CharlotteBrowserToolset
from charlotte.toolsets.browser import AnySession
from tests.site.server import Site
from tests.toolsets.running import (
    LOOPS,
    SAMPLE,
    Result,
    ScriptedModel,
    crash_tab,
    in_loop,
    in_loops,
    ref_of,
)

pytestmark = [pytest.mark.chromium, pytest.mark.usefixtures("short_logs")]

ALL: Any = {name: {"enabled": True} for name in
       ("file_upload", "read_console", "read_network", "javascript_exec")}  # fmt: skip
"""Members that are off by default."""


def model_of(session: AnySession, **options: Any) -> ScriptedModel:
    given: dict[str, Any] = {"configs": ALL, "confirm": agree, **options}
    toolset = CharlotteBrowserToolset(session, **given)

    async def call(call_id: str, name: str, given: Any) -> Result:
        block = BetaToolUseBlock(
            type="tool_use", id=call_id, name=name, input=given, toolset_name="browser"
        )
        result: Any = await toolset.tool_result(block)
        content = result["content"]
        blocks: list[Any] = [one for one in content if one["type"] == "browser_state"]
        state: Any = blocks[0] if blocks else {}
        return Result(
            "\n".join(one["text"] for one in content if one["type"] == "text"),
            is_error=result.get("is_error", False),
            tabs=state.get("tabs"),
            changes=state.get("state_changes", ()),
            blocks=content,
        )

    return ScriptedModel(session, call)


each, both, in_trio = (in_loops(model_of, *loops) for loops in (LOOPS, SAMPLE, ("trio",)))


def agree(_: object) -> bool:
    return True


def decline(_: object) -> bool:
    return False


def agree_to_url(*_: object) -> None:
    """Allow every address."""


def at(x: int, y: int) -> dict[str, Any]:
    return {"type": "coordinate", "x": x, "y": y}


def on(ref: str) -> dict[str, Any]:
    return {"type": "ref", "ref": ref}


@in_trio
async def test_every_member_is_sent_as_served(model: ScriptedModel, site: Site) -> None:
    assert "configs" not in CharlotteBrowserToolset(model.session).to_dict()
    toolset = CharlotteBrowserToolset(model.session, configs=ALL, confirm=agree)
    entry: Any = toolset.to_dict()
    assert all(one["enabled"] for one in entry["configs"].values())


@each
async def test_actions_answer_with_what_they_changed(model: ScriptedModel, site: Site) -> None:
    moved = await model("navigate", url=site.url("/shop"))
    page = await model.ok("read_page")
    clicked = await model("left_click", target=on(ref_of(page, '"Click me"')))
    new = ref_of(clicked.text, '"New"')
    named = await model.ok("form_input", target=on(ref_of(page, '"Name"')), value="Ada")
    checked = await model.ok("form_input", target=on(ref_of(page, '"Agree"')), value=True)
    unchecked = await model.ok("form_input", target=on(ref_of(page, '"Agree"')), value="off")
    sized = await model.ok("form_input", target=on(ref_of(page, '"Size"')), value="Large")
    counted = await model.ok("form_input", target=on(ref_of(page, '"Amount"')), value=3.0)

    assert moved.text == f"Navigated to {site.url('/shop')} — Shop (HTTP 200)"
    assert clicked.text.startswith("Clicked.\n~ ")
    assert "The button was clicked." in clicked.text
    assert clicked.text.count("\n") == 1
    assert "no changes" in await model.ok("left_click", target=on(new))
    assert '[= "Ada"' in named
    assert "[x" in checked
    assert "[ ]" in unchecked
    assert '[= "Large"' in sized
    assert '[= "3"' in counted
    assert [tab["tab_id"] for tab in clicked.tabs if tab.get("active")] == ["tab-1"]


@both
async def test_tabs_popups_dialogs_and_downloads_are_in_the_state(
    model: ScriptedModel, site: Site
) -> None:
    first = await model("navigate", url=site.url("/shop"))
    page = await model.ok("read_page", filter="interactive")
    popup = await model("left_click", target=on(ref_of(page, '"Beside"')))
    after = await model("list_tabs")
    alert = await model("left_click", target=on(ref_of(page, '"Alert"')))
    download = await model("left_click", target=on(ref_of(page, '"Report"')))
    opened = await model("new_tab")
    switched = await model("switch_tab", tab_id="tab-1")
    closed = await model("close_tab", tab_id="tab-2")

    assert first.changes == [{"type": "tab_opened", "tab_id": "tab-1"}]
    assert popup.changes == [{"type": "tab_opened", "tab_id": "tab-2"}]
    assert after.changes == ()
    assert [tab["title"] for tab in after.tabs] == ["Shop", "Other"]
    assert 'An alert dialog "Saved" was dismissed.' in alert.text
    [change] = download.changes
    assert change["type"] == "download_completed"
    assert "path" not in change
    assert change["size_bytes"] > 0
    assert [tab["tab_id"] for tab in opened.tabs if tab.get("active")] == ["tab-3"]
    assert [tab["tab_id"] for tab in switched.tabs if tab.get("active")] == ["tab-1"]
    assert [tab["tab_id"] for tab in closed.tabs] == ["tab-1", "tab-3"]


@both
async def test_calls_on_tabs_beside_each_other_keep_their_refs_apart(
    model: ScriptedModel, site: Site
) -> None:
    await model.ok("navigate", url=site.url("/shop"))
    await model.ok("new_tab")
    await model.ok("navigate", tab_id="tab-2", url=site.url("/shop"))
    first = await model.ok("read_page", tab_id="tab-1")
    second = await model.ok("read_page", tab_id="tab-2")
    here, there = (ref_of(text, '"Click me"') for text in (first, second))

    assert here != there
    assert await model.ok("read_page", tab_id="tab-1") == first
    assert "stale" in await model.refused("left_click", tab_id="tab-2", target=on(here))
    for tab_id, ref in (("tab-1", here), ("tab-2", there)):
        clicked = await model.ok("left_click", tab_id=tab_id, target=on(ref))
        assert "was clicked" in clicked


@both
async def test_the_mouse_and_the_keyboard_work_by_coordinates(
    model: ScriptedModel, site: Site
) -> None:
    await model.ok("navigate", url=site.url("/play"))

    assert "from 10,20 to 200,100" in await model.ok(
        "left_click_drag", **{"from": at(10, 20), "target": at(200, 100)}
    )
    await model.ok("left_mouse_down", target=at(50, 60))
    await model.ok("mouse_move", target=at(90, 60))
    assert "from 50,60 to 120,80" in await model.ok("left_mouse_up", target=at(120, 80))
    assert "contextmenu true" in await model.ok("right_click", target=at(5, 5), modifiers="shift")
    assert "auxclick false" in await model.ok("middle_click", target=at(5, 5))
    assert "dblclick false" in await model.ok("double_click", target=at(5, 5))
    assert "triple" in await model.ok("triple_click", target=at(5, 5))
    await model.ok("hover", target=at(7, 7))
    assert "x y" in await model.ok("type", text="xy")
    assert "Enter PageDown 7" in await model.ok("key", text="Return Page_Down KP_7")
    assert "q q" in await model.ok("key", text="q", repeat=2)
    held = await model.ok("hold_key", text="w", duration=0.1)
    assert held.startswith("Held w for 0.1s.")
    assert (await model.ok("wait", duration=0)).startswith("Waited 0")


@both
async def test_readings_cover_the_viewport_the_page_and_parts(
    model: ScriptedModel, site: Site
) -> None:
    await model.ok("navigate", url=site.url("/shop"))
    visible = await model.ok("read_page")
    whole = await model.ok("read_page", filter="all")
    controls = await model.ok("read_page", filter="interactive")
    part = await model.ok("read_page", ref=ref_of(whole, "form "))
    shallow = await model.ok("read_page", filter="all", depth=1)
    found = await model.ok("find", query="link to the other page")
    text = await model.ok("get_page_text")

    assert "The end" not in visible
    assert "The end" in whole
    assert all("[ref_" in line for line in controls.splitlines())
    assert '"Name"' in part
    assert "Click me" not in part
    assert '"Name"' not in shallow
    assert found.splitlines()[0].startswith('link "Other page" [ref_')
    assert "The end" in text

    await model.ok("scroll", target=at(300, 300), scroll_direction="down", scroll_amount=10)
    await model.ok("scroll", target=at(300, 300), scroll_direction="down", scroll_amount=10)
    assert "The end" in await model.ok("read_page")
    await model.ok("scroll_to", target=on(ref_of(whole, '"Click me"')))
    assert "Click me" in await model.ok("read_page")


@both
async def test_zooming_keeps_the_coordinates(model: ScriptedModel, site: Site) -> None:
    await model.ok("navigate", url=site.url("/play"))
    whole, part, most, again = [
        _size((await model(name, **given)).blocks[0])
        for name, given in (
            ("screenshot", {}),
            ("zoom", {"region": [0, 0, 300, 100]}),
            ("zoom", {"region": [0, 0, 1280, 720]}),
            ("screenshot", {}),
        )
    ]
    assert whole == again == (1280, 720)
    assert part == (600, 200)
    assert most == (2000, 1125)


def _size(block: Any) -> tuple[int, int]:
    """Return width and height of the PNG image of a block."""
    width, height = struct.unpack(">II", base64.b64decode(block["source"]["data"])[16:24])
    return width, height


@pytest.mark.parametrize("loop", SAMPLE)
def test_scripts_console_network_and_files(loop: str, tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("notes")

    async def test(session: AnySession, site: Site) -> None:
        policy = BetaLocalFilePolicy(upload_roots=[tmp_path])
        model = model_of(session, file_policy=policy)
        await model.ok("navigate", url=site.url("/shop"))
        page = await model.ok("read_page")
        upload = on(ref_of(page, '"File"'))

        assert await model.ok("javascript_exec", text="console.log('seen'); ({a: 1})") == '{"a":1}'
        assert await model.ok("javascript_exec", text="undefined") == "undefined"
        assert await model.ok("javascript_exec", text="'\\ud800'") == "\ufffd"
        assert "seen" in await model.ok("read_console")
        assert await model.ok("read_console") == "(empty)"
        assert "GET 200 " in await model.ok("read_network")
        assert "notes.txt" in await model.ok("file_upload", target=upload, paths=[str(file)])
        assert "outside" in await model.refused("file_upload", target=upload, paths=["/etc/hosts"])
        assert "document" in await model.refused("file_upload", target=upload, document_ids=["f1"])

    in_loop(loop, test)


@both
async def test_errors_are_for_the_model_and_leave_the_state_valid(
    model: ScriptedModel, site: Site
) -> None:
    await model.ok("navigate", url=site.url("/shop"))
    page = await model.ok("read_page")
    name, other = on(ref_of(page, '"Name"')), on(ref_of(page, '"Other page"'))
    stale = "is stale or not found on the current page. Re-read the page to get fresh refer"

    for refusal, member, given in (
        ("duration must be between 0 and 30", "wait", {"duration": 31}),
        ("region must be", "zoom", {"region": [10, 0, 5, 5]}),
        ("scroll_amount must be", "scroll", {"scroll_direction": "up", "scroll_amount": 11}),
        ("repeat must be between 1 and 100", "key", {"text": "a", "repeat": 101}),
        ("hyper is not a modifier", "left_click", {"target": at(1, 1), "modifiers": "hyper"}),
        ("'Nokey' not found", "key", {"text": "Nokey"}),
        ("is outside the viewport", "left_click", {"target": at(5000, 1)}),
        ("Only http and https URLs", "navigate", {"url": "data:text/html,x"}),
        (f"ref_999 {stale}", "left_click", {"target": on("ref_999")}),
        ("addressed to is not open", "left_click", {"tab_id": "tab-7", "target": name}),
    ):
        text = await model.refused(member, **{"target": at(1, 1), **given})
        assert refusal in text
        after = await model("list_tabs")
        assert [tab["tab_id"] for tab in after.tabs] == ["tab-1"]
    await model.ok("left_click", target=on(ref_of(await model.ok("read_page"), '"Other page"')))
    assert stale in await model.refused("left_click", target=other)
    gone = await model.refused("navigate", url="http://nowhere.invalid/secret")
    assert "nowhere" not in gone
    assert "secret" not in gone
    assert "ERR_NAME_NOT_RESOLVED" in (await model("list_tabs")).tabs[0]["title"]


@both
async def test_the_url_policy_holds_for_links_popups_and_redirects(
    model: ScriptedModel, site: Site
) -> None:
    def policy(_: Any, url: str) -> None:
        if "other" in url:
            raise ToolError("blocked: no other pages")

    model = model_of(model.session, url_policy=policy)
    await model.ok("navigate", url=site.url("/shop"))
    page = await model.ok("read_page")

    clicked = await model.ok("left_click", target=on(ref_of(page, '"Other page"')))
    assert "A navigation was refused." in clicked
    await model.ok("navigate", url=site.url("/shop"))
    redirected = await model.refused("navigate", url=site.url("/redirect?to=/shop/%6fther"))
    assert redirected.startswith("blocked: no other pages")
    assert (await model.refused("navigate", url=site.url("/shop/other"))).startswith("blocked:")
    assert "/shop/other" not in [request.path for request in site.requests]


@both
async def test_a_crash_is_in_the_state_and_the_next_answer_names_it(
    model: ScriptedModel, site: Site
) -> None:
    await model.ok("navigate", url=site.url("/shop"))
    page = await model.ok("read_page")
    await model.session.run_in_trio(crash_tab)
    clicked = await model.ok("left_click", target=on(ref_of(page, '"Click me"')))
    assert "was clicked" in clicked
    assert "The page crashed and was reloaded" in clicked
    assert (await model("list_tabs")).tabs[0]["title"] == "Shop"

    async def mark_as_crashed(session: Session) -> None:
        tabs = session._agent.record.tabs  # pyright: ignore[reportPrivateUsage]
        tabs["tab-1"].crashed = True  # after a real crash, the page is restored at once

    await model.session.run_in_trio(mark_as_crashed)
    crashed = await model("list_tabs")
    assert [tab["title"] for tab in crashed.tabs] == ["(crashed) Shop"]


@pytest.mark.parametrize("loop", SAMPLE)
def test_secrets_are_hidden_in_results_and_in_the_state(loop: str, tmp_path: Path) -> None:
    secrets = tmp_path / "secrets.env"
    secrets.write_text("PIN=hunter2-1234\n")

    async def test(session: AnySession, site: Site) -> None:
        model = model_of(session)
        moved = await model("navigate", url=site.url("/shop?q=hunter2-1234"))
        script = """document.title = 'hunter2-1234';
          document.body.innerHTML = `<button onclick="alert('hunter2-1234')">Alert</button>
            <a href="/download?name=a.csv&pin=hunter2-1234">Report</a>`; 0"""
        await model.ok("javascript_exec", text=script)
        switched = await model("switch_tab", tab_id="tab-1")
        page = await model.ok("read_page")
        alert = await model("left_click", target=on(ref_of(page, '"Alert"')))
        report = await model("left_click", target=on(ref_of(page, '"Report"')))

        for result in (moved, switched, alert, report):
            assert "hunter2" not in repr(result)
        assert "<secret>PIN</secret>" in moved.text
        assert "<secret>PIN</secret>" in alert.text
        assert switched.tabs[0]["title"] == "<secret>PIN</secret>"
        assert "<secret>PIN</secret>" in report.changes[0]["url"]

    in_loop(loop, test, Config(secrets=str(secrets)))


@in_trio
async def test_a_policy_that_comes_too_late_stops_the_program(
    model: ScriptedModel, site: Site
) -> None:
    await model.ok("navigate", url=site.url("/shop"))
    late = model_of(model.session, url_policy=agree_to_url)
    with pytest.raises(ToolsetUsageError, match="before the session has a tab"):
        await late("read_page")


@in_trio
async def test_text_of_a_page_cannot_imitate_a_ref(model: ScriptedModel, site: Site) -> None:
    await model.ok("navigate", url=site.url("/play"))
    for text in (await model.ok("read_page"), await model.ok("find", query="fake button")):
        assert "Fake" in text
        assert "[ref_1]" not in text.replace('heading "Playground" [ref_1]', "")


@pytest.mark.parametrize("member", ["left_click", "javascript_exec"])
def test_a_member_that_is_off_or_not_confirmed_is_refused(member: str) -> None:
    async def test(session: AnySession, site: Site) -> None:
        off: Any = {"left_click": {"enabled": False}, "javascript_exec": {"enabled": True}}
        model = model_of(session, configs=off, confirm=decline)
        text = await model.refused(member, target=at(1, 1), text="1")
        refusal = "is not permitted" if member == "left_click" else "did not grant permission"
        assert refusal in text

    in_loop("trio", test)
