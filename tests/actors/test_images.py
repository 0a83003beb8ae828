"""Images that the browser does not give."""

from typing import Any

import pytest
from structlog.testing import capture_logs
from trio.testing import MockClock

from charlotte.actors.state.records import TabRecord
from charlotte.base.errors import ScreenshotFailed, TabHung
from charlotte.tools.screenshots import screenshot
from tests.actors.stage import Stage, run_tool
from tests.fake_page import Refused, Sent

SIZES = {
    "visualViewport": {"pageX": 0, "pageY": 0, "clientWidth": 1280, "clientHeight": 720},
    "cssVisualViewport": {"pageX": 0, "pageY": 0, "clientWidth": 1280, "clientHeight": 720},
    "cssContentSize": {"x": 0, "y": 0, "width": 1280, "height": 720},
}


@pytest.mark.req("S-ERR-02", "S-LIFE-03", "S-LIFE-04", "S-RESP-06", "S-PERF-01")
async def test_what_the_browser_cannot_capture_is_said_and_nothing_is_kept(
    clock: MockClock, stage: Stage, record: TabRecord
) -> None:
    def refuse(_: Sent) -> dict[str, Any] | None:
        raise Refused("Unable to capture screenshot")

    stage.browser.on["Page.getLayoutMetrics"] = lambda _: SIZES
    stage.browser.on["Page.captureScreenshot"] = refuse

    with (
        capture_logs() as logs,
        pytest.raises(ScreenshotFailed, match="Unable to capture screenshot") as raised,
    ):
        await run_tool(stage, record, screenshot)

    assert raised.value.code == "SCREENSHOT_FAILED"
    assert "observe" in (raised.value.suggestion or "")
    assert [row["state"] for row in logs if row["event"] == "screenshot"] == ["capturing", "none"]

    stage.browser.on["Page.captureScreenshot"] = lambda _: {"data": "AAAA"}
    before = len(stage.browser.sent)
    await run_tool(stage, record, screenshot)  # its answer is not delivered
    sent = [one.method for one in stage.browser.sent[before:]]
    assert sent[1:-1] == ["Page.getLayoutMetrics", "Page.captureScreenshot"]  # in its pause
    stage.browser.hold("Page.captureScreenshot")
    with pytest.raises(TabHung, match="has not answered for 10 s"):
        await run_tool(stage, record, screenshot)
    assert not record.session.settings.output_path.exists()
