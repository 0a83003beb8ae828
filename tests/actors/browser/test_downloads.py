"""Downloads that cannot be kept are canceled; reports of many downloads are limited."""

from pathlib import Path
from typing import Any

from trio.testing import wait_all_tasks_blocked

from charlotte.actors.state.logs import Download
from charlotte.actors.state.records import TabRecord
from charlotte.actors.state.session_settings import Settings
from tests.actors.stage import Stage, look

URL = "http://shop.test/sales.csv"


async def test_a_download_without_an_output_directory_is_canceled_and_the_browser_lives(
    stage: Stage, record: TabRecord
) -> None:
    record.session.settings = Settings(output=Path("/dev/null/below"))
    about = {"url": URL, "suggestedFilename": "sales.csv", "frameId": record.target_id}

    stage.browser.emit("Browser.downloadWillBegin", guid="one", **about)
    await wait_all_tasks_blocked()
    ended: dict[str, Any] = {
        "guid": "one",
        "totalBytes": 5,
        "receivedBytes": 0,
        "state": "canceled",
    }
    stage.browser.emit("Browser.downloadProgress", **ended)
    await wait_all_tasks_blocked()

    assert [one.state for one in record.news.unread(Download)] == ["canceled"]
    assert "/dev/null/below cannot be created" in record.notices[0]
    assert len(stage.lives) == 1
    assert (await look(record)).snapshot.view.title == "Shop"
