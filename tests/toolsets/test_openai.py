"""OpenAI's browser tools: its SDK runs Charlotte's driver with scripted model turns."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("openai", reason="an SDK of the extras")

from openai.lib.browser import BROWSER_MEMBERS, AsyncBrowserToolset
from openai.types.responses import ResponseFunctionToolCall

from charlotte.toolsets.browser import AnySession
from charlotte.toolsets.openai import CharlotteBrowserDriver, DownloadGrant, UploadGrant
from tests.site.server import Site
from tests.toolsets.running import LOOPS, SAMPLE, Result, ScriptedModel, in_loop, in_loops, ref_of

pytestmark = [pytest.mark.chromium, pytest.mark.usefixtures("short_logs")]


async def agree(*_: Any) -> bool:
    return True


def model_of(session: AnySession, **options: Any) -> ScriptedModel:
    driver = CharlotteBrowserDriver(session, **options)
    given: Any = {"members": BROWSER_MEMBERS, "confirm": agree, "url_policy": agree}
    toolset = AsyncBrowserToolset(driver, **given)
    fields: Any = {tool["name"]: tool["parameters"] for tool in toolset.tools}

    async def call(call_id: str, name: str, given: Mapping[str, Any]) -> Result:
        required = fields.get(f"browser_{name}", {}).get("required", ())
        arguments = json.dumps({**dict.fromkeys(required), **given})
        request = ResponseFunctionToolCall(
            type="function_call", call_id=call_id, name=f"browser_{name}", arguments=arguments
        )
        output: Any = (await toolset.execute(request))["output"]
        body = json.loads(output[0]["text"])
        result = body.get("result")
        text = result if isinstance(result, str) else json.dumps(result)
        return Result(
            body.get("error", text),
            is_error=not body["ok"],
            tabs=body.get("state", {}).get("tabs"),
            blocks=output[1:],
        )

    return ScriptedModel(session, call)


each, both, in_trio = (in_loops(model_of, *loops) for loops in (LOOPS, SAMPLE, ("trio",)))


@each
async def test_actions_answer_with_what_they_changed(model: ScriptedModel, site: Site) -> None:
    page = await model.ok("navigate", url=site.url("/shop"))
    clicked = await model.ok("click", target=ref_of(page, '"Click me"'))
    name = ref_of(page, '"Name"')

    assert "The button was clicked." in clicked
    assert "no changes" in await model.ok("click", target=ref_of(clicked, '"New"'))
    assert '[= "Ada"' in await model.ok("type", target=name, text="Ada")
    assert '[= "Ada!"' in await model.ok("type", text="!")
    assert "[x" in await model.ok("set_checked", target=ref_of(page, '"Agree"'), checked=True)
    chosen = await model.ok("select_option", target=ref_of(page, '"Size"'), values=["Large"])
    assert '[= "Large"' in chosen
    await model.ok("wait_for", text="The end", timeout_ms=500)
    assert "Timed out" in await model.refused("wait_for", text="Never", timeout_ms=100)
    assert "y" in await model.ok("scroll", direction="down", amount=0)
    await model.ok("scroll_to", target=name)
    await model.ok("hover", target=name)


@both
async def test_readings_name_elements_and_scopes(model: ScriptedModel, site: Site) -> None:
    await model.ok("navigate", url=site.url("/shop"))
    page = await model.ok("read_page", filter="all")
    controls = await model.ok("read_page", filter="interactive")
    scoped = json.loads(await model.ok("read_page_scoped", depth=9, filter="all"))
    form = ref_of(page, "form ")
    part = json.loads(await model.ok("read_page_scoped", root=form, depth=9, filter="all"))
    found = await model.ok("find", query="the size dropdown")

    assert "The end" in page
    assert all("[ref_" in line for line in controls.splitlines())
    assert "Other page" in await model.ok("get_page_text")
    assert [one["label"] for one in part["elements"]] == ["Name", "Agree", "Size", "Amount"]
    assert {"ref": ref_of(page, '"Shop"'), "label": "Shop"} in scoped["scopes"]
    assert found.startswith('combobox "Size" [ref_')
    for name, given in (("screenshot", {}), ("zoom", {"region": [0, 0, 90, 90]})):
        [image] = (await model(name, **given)).blocks
        assert image["image_url"].startswith("data:image/png;base64,")


@both
async def test_the_mouse_and_the_keyboard_work_by_coordinates(
    model: ScriptedModel, site: Site
) -> None:
    await model.ok("navigate", url=site.url("/play"))
    way = [{"x": 10, "y": 20}, {"x": 90, "y": 20}, {"x": 200, "y": 100}]

    assert "from 10,20 to 200,100" in await model.ok("drag_path", path=way, keys=[])
    click: Any = {"x": 5, "y": 5, "button": "left", "click_count": 2, "keys": ["Shift"]}
    assert "dblclick true" in await model.ok("click_at", **click)
    assert "triple" in await model.ok("click_at", **{**click, "click_count": 3})
    right = {**click, "button": "right"}
    assert "only for the left button" in await model.refused("click_at", **right)
    assert "contextmenu" in await model.ok("click_at", **{**right, "click_count": 1})
    await model.ok("hover_at", x=7, y=7)
    assert "Control a" in await model.ok("key", keys=["Control", "a"])
    assert "ArrowDown Tab" in await model.ok("key", keys=["ArrowDown", "Tab"])
    assert "w d" in await model.ok("hold_keys", keys=["w", "d"], duration_ms=50)


@both
async def test_the_state_lists_tabs_and_answers_report_what_else_happened(
    model: ScriptedModel, site: Site
) -> None:
    page = await model.ok("navigate", url=site.url("/shop"))
    assert "! tab-2 opened" in await model.ok("click", target=ref_of(page, '"Beside"'))
    assert "alert dialog" in await model.ok("click", target=ref_of(page, '"Alert"'))
    assert "! download" in await model.ok("click", target=ref_of(page, '"Report"'))
    switched = await model("switch_tab", tab_id="tab-2")
    closed = await model("close_tab", tab_id="tab-1")

    assert [tab["id"] for tab in switched.tabs if tab["active"]] == ["tab-2"]
    assert [tab["url"] for tab in closed.tabs] == [site.url("")]
    last = await model("close_tab", tab_id="tab-2")
    assert last.tabs == []
    assert (await model("list_tabs")).tabs == []
    assert "is not open" in await model.refused("click", tab_id="tab-1", target="ref_1")


@both
async def test_scripts_diagnostics_and_errors(model: ScriptedModel, site: Site) -> None:
    page = await model.ok("navigate", url=site.url("/shop"))

    async def run(source: str) -> str:
        return await model.ok("run_script", source=source, timeout_ms=1000)

    assert await run("console.log('seen'); ({a: [1]})") == '{"a":[1]}'
    assert await run("'\\ud800'") == "\ufffd"
    console = json.loads(await model.ok("read_diagnostics", source="console", limit=5))
    network = json.loads(await model.ok("read_diagnostics", source="network", limit=5))
    assert "seen" in console["text"]
    assert "GET 200" in network["text"]
    thrown = await model.refused("run_script", source="throw Error('no')", timeout_ms=100)
    assert thrown.startswith("Error: no")
    await model.ok("click", target=ref_of(page, '"Other page"'))
    stale = await model.refused("click", target=ref_of(page, '"Click me"'))
    assert "stale or not found" in stale
    assert "Only http" in await model.refused("new_tab", url="file:///etc/hosts")


@in_trio
async def test_a_tab_with_another_kind_of_address_is_valid(
    model: ScriptedModel, site: Site
) -> None:
    await model.refused("navigate", url="http://nowhere.invalid/")
    assert (await model("list_tabs")).tabs[0]["active"]
    await model.session.run_in_trio(lambda inner: inner.navigate("data:text/html,x"))
    assert (await model("list_tabs")).tabs[0]["url"] == "about:blank"


def test_files_need_grants_that_are_used_once(tmp_path: Path) -> None:
    source, target = tmp_path / "in.txt", tmp_path / "out.csv"
    source.write_text("in")

    async def test(session: AnySession, site: Site) -> None:
        grants = {"up": UploadGrant([source]), "down": DownloadGrant(target)}
        model = model_of(session, grants=grants, upload_roots=[tmp_path])
        await model.ok("navigate", url=site.url("/shop"))
        refused = await model("download_file", grant_id="down")
        assert json.loads(refused.text)["status"] == "refused"
        assert json.loads(await model.ok("upload_file", grant_id="up"))["status"] == "completed"
        assert "in.txt" in await model.ok("read_page", filter="interactive")
        assert "grant" in await model.refused("upload_file", grant_id="up")
        await model.ok("click", target=ref_of(await model.ok("read_page", filter="all"), "Report"))
        assert json.loads(await model.ok("download_file", grant_id="down"))["effect"] == "completed"
        assert target.read_text().startswith("title")

    in_loop("trio", test)


@both
async def test_the_url_policy_holds_for_links(model: ScriptedModel, site: Site) -> None:
    async def allow(url: str) -> bool:
        return "other" not in url

    model = model_of(model.session, url_policy=allow)
    page = await model.ok("navigate", url=site.url("/shop"))
    after = await model.ok("click", target=ref_of(page, '"Other page"'))
    assert "The URL policy refuses this address." in after
    assert "/shop/other" not in [request.path for request in site.requests]
