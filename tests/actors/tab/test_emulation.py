"""What a tab is meant to be outlives its renderer and its browser."""

from typing import Any

import pytest
from trio.testing import wait_all_tasks_blocked

from charlotte.actors.state.records import TabRecord
from charlotte.actors.tab.verbs.emulation import become, run_in_documents
from charlotte.base.errors import InvalidArgument
from charlotte.browser.emulation import Device, EmulationState, NetworkConditions, Throttle
from charlotte.protocol.network import Cookie
from tests.actors.browser.test_popups import opens_popup
from tests.actors.stage import Stage, look
from tests.fake_page import Refused, Sent

ELSEWHERE = EmulationState(
    device=Device(width=400, height=300, timezone="Asia/Tokyo"),
    conditions=NetworkConditions(throttle="3g", block=("*.png",)),
    headers={"X-A": "1"},
)
SETTINGS = {
    "Emulation.setDeviceMetricsOverride": ("width", 400),
    "Emulation.setTimezoneOverride": ("timezoneId", "Asia/Tokyo"),
    "Network.emulateNetworkConditions": ("latency", 150),
    "Network.setExtraHTTPHeaders": ("headers", {"X-A": "1"}),
    "Fetch.enable": ("patterns", [{"urlPattern": "*.png"}]),
}


def sent_settings(stage: Stage, record: TabRecord) -> dict[str, object]:
    """The settings last sent to the present session of the tab."""
    session = stage.main_session(record)
    newest = {one.method: one.params for one in stage.browser.sent if one.session == session}
    return {method: newest.get(method, {}).get(name) for method, (name, _) in SETTINGS.items()}


FREE = {"downloadThroughput": -1, "uploadThroughput": -1}
WANTED = {method: value for method, (_, value) in SETTINGS.items()}


@pytest.mark.req("C-VP-01", "C-NET-01", "C-HDR-01")
async def test_new_renderers_and_browsers_are_emulated_too(stage: Stage, record: TabRecord) -> None:
    await record.tab.ask(become, ELSEWHERE)
    assert sent_settings(stage, record) == WANTED

    stage.browser.crash(stage.target(record))
    await wait_all_tasks_blocked()
    await look(record)
    assert sent_settings(stage, record) == WANTED

    stage.browser.drop()
    await wait_all_tasks_blocked()
    await look(record)
    assert len(stage.lives) == 2
    assert sent_settings(stage, record) == WANTED


@pytest.mark.req("C-NET-02")
@pytest.mark.parametrize(
    ("throttle", "expected"),
    [
        ("3g", {"downloadThroughput": 200_000, "uploadThroughput": 93_750, "latency": 150}),
        ("4g", {"downloadThroughput": 512_000, "uploadThroughput": 384_000, "latency": 20}),
        ("offline", {"downloadThroughput": 0, "uploadThroughput": 0, "latency": 0}),
    ],
)
async def test_a_network_preset_sets_its_speed(
    stage: Stage, record: TabRecord, throttle: Throttle, expected: dict[str, float]
) -> None:
    await record.tab.ask(become, EmulationState(conditions=NetworkConditions(throttle=throttle)))
    said = stage.browser.received("Network.emulateNetworkConditions")[-1].params
    assert said == {**expected, "offline": throttle == "offline"}

    await record.tab.ask(become, EmulationState())
    free = stage.browser.received("Network.emulateNetworkConditions")[-1].params
    assert free == {**FREE, "offline": False, "latency": 0}


async def test_a_refused_setting_is_undone(stage: Stage, record: TabRecord) -> None:
    def refuse(sent: Sent) -> dict[str, Any]:
        if sent.params["timezoneId"]:
            raise Refused("Invalid timezone id", -32000)
        return {}

    before = record.desired
    stage.browser.on["Emulation.setTimezoneOverride"] = refuse
    with pytest.raises(InvalidArgument, match="Invalid timezone"):
        await record.tab.ask(become, ELSEWHERE)

    assert record.desired == before
    sizes = stage.browser.received("Emulation.setDeviceMetricsOverride")
    assert [one.params["width"] for one in sizes] == [1280, 400, 1280]


async def test_a_popup_inherits_the_device_of_its_opener_but_not_its_network(
    stage: Stage, record: TabRecord
) -> None:
    await record.tab.ask(become, ELSEWHERE)
    await opens_popup(stage, record)

    (popup,) = record.news.unread(TabRecord)
    assert popup.desired == EmulationState(device=ELSEWHERE.device)


async def test_cookies_of_agents_are_set_in_a_new_browser(stage: Stage, record: TabRecord) -> None:
    record.context.cookies.keep([Cookie(name="id", value="1", domain="shop.test")])
    stage.browser.drop()
    await wait_all_tasks_blocked()
    await look(record)

    (sent,) = stage.browser.received("Storage.setCookies")
    assert sent.params["browserContextId"] == stage.target(record).context
    assert [cookie["name"] for cookie in sent.params["cookies"]] == ["id"]


async def test_scripts_run_in_later_documents_of_all_lives(stage: Stage, record: TabRecord) -> None:
    await record.tab.ask(run_in_documents, ["persisted()"])
    stage.browser.drop()
    await wait_all_tasks_blocked()
    await look(record)

    assert len(stage.lives) == 2
    for life in stage.lives:
        assert life.received("Page.addScriptToEvaluateOnNewDocument", having="persisted()")


async def test_a_refused_setting_prevents_no_restart(stage: Stage, record: TabRecord) -> None:
    def refuse(_: Sent) -> None:
        raise Refused("Another locale override is already in effect", -32000)

    record.desired = EmulationState(device=Device(locale="de-DE"))
    stage.browser.on["Emulation.setLocaleOverride"] = refuse
    stage.browser.crash(stage.target(record))
    await wait_all_tasks_blocked()

    assert (await look(record)).snapshot.view.title == "Shop"
