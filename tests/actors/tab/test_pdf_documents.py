"""Responses that are PDF documents, and those that are not."""

import base64
from typing import Any

import pytest

from charlotte.actors.state.records import TabRecord
from charlotte.actors.tab.verbs.emulation import become
from charlotte.browser.emulation import EmulationState
from charlotte.page.pdf_document import LARGEST, PROBLEMS
from tests.actors.stage import Stage
from tests.fake_page import Refused, Sent


def respond(stage: Stage, record: TabRecord, status: int = 200, **headers: str) -> None:
    stage.browser.emit(
        "Fetch.requestPaused",
        stage.main_session(record),
        requestId="1",
        request={"url": "http://a.test/x", "method": "GET"},
        resourceType="Document",
        responseStatusCode=status,
        responseHeaders=[
            {"name": name.replace("_", "-"), "value": value} for name, value in headers.items()
        ],
    )


async def test_responses_are_paused_only_to_read_pdfs(stage: Stage, record: TabRecord) -> None:
    await record.tab.ask(become, EmulationState(reads_pdf=True))

    [sent] = stage.browser.received("Fetch.enable")
    assert sent.params["patterns"] == [
        {"urlPattern": "*", "resourceType": "Document", "requestStage": "Response"}
    ]


@pytest.mark.parametrize(
    ("status", "headers"),
    [
        (200, {"Content_Type": "text/html"}),
        (302, {"Content_Type": "application/pdf", "Location": "/y"}),
        (404, {"Content_Type": "application/pdf"}),
        (200, {"Content_Type": "application/pdf", "Content_Disposition": "attachment"}),
        (200, {}),
    ],
)
async def test_other_responses_are_continued(
    stage: Stage, record: TabRecord, status: int, headers: dict[str, str]
) -> None:
    respond(stage, record, status, **headers)

    await stage.browser.until_sent("Fetch.continueRequest")
    assert not stage.browser.received("Fetch.fulfillRequest")


def answered(sent: Sent) -> str:
    return base64.b64decode(sent.params["body"]).decode()


async def test_a_document_that_announces_its_size_is_not_loaded_if_it_is_too_large(
    stage: Stage, record: TabRecord
) -> None:
    respond(stage, record, Content_Type="application/pdf", Content_Length=str(LARGEST + 1))

    sent = await stage.browser.until_sent("Fetch.fulfillRequest")
    assert PROBLEMS["too large"] in answered(sent)
    assert not stage.browser.received("Fetch.takeResponseBodyAsStream")


async def test_a_document_is_loaded_up_to_the_largest_size(stage: Stage, record: TabRecord) -> None:
    part = {"data": "x" * (10 * 1024 * 1024), "eof": False}
    stage.browser.on["Fetch.takeResponseBodyAsStream"] = lambda _: {"stream": "7"}
    stage.browser.on["IO.read"] = lambda _: part

    respond(stage, record, Content_Type="application/pdf; charset=x")

    sent = await stage.browser.until_sent("Fetch.fulfillRequest")
    assert PROBLEMS["too large"] in answered(sent)
    assert len(stage.browser.received("IO.read")) == 6
    assert [one.params["handle"] for one in stage.browser.received("IO.close")] == ["7"]


async def test_a_stopped_load_leaves_the_tab_usable(stage: Stage, record: TabRecord) -> None:
    def refuse(_: Sent) -> dict[str, Any] | None:
        raise Refused("Invalid InterceptionId.")

    stage.browser.on["Fetch.takeResponseBodyAsStream"] = refuse
    respond(stage, record, Content_Type="application/pdf")
    await stage.browser.until_sent("Fetch.takeResponseBodyAsStream")

    respond(stage, record, Content_Type="text/html")
    await stage.browser.until_sent("Fetch.continueRequest")
