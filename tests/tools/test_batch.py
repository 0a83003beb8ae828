"""A batch reports news once, and consumes them when it is delivered."""

import json
from itertools import pairwise
from typing import Any

import attrs
import pytest
import trio

from charlotte.actors.kernel.mailbox import Mailbox
from charlotte.actors.state.logs import Download
from charlotte.actors.state.news import in_batch
from charlotte.actors.state.records import SessionRecord, TabRecord
from charlotte.actors.state.session_settings import Settings
from charlotte.actors.state.sites import Edit
from charlotte.answers.answer import Answer, Text
from charlotte.answers.answer_format import answering_in
from charlotte.answers.deltas import compare_views
from charlotte.answers.news import news_of
from charlotte.answers.pages import news_as_json
from charlotte.answers.text_answers import TextAnswer
from charlotte.base.errors import ElementNotFound
from charlotte.page.identity.id_book import IdBook
from charlotte.page.model import compact_json
from charlotte.tools.batch import Prepared, Step, batch
from charlotte.tools.schema.tool import tool
from tests.answers.text.examples import book_form
from tests.answers.text.outlines import outline
from tests.page.pages import view_of

NOTICE = "An alert was dismissed at once."


@tool(group="observation")
async def observe(record: TabRecord) -> Answer[None]:
    """Report the news and the position up to which errors were reported."""
    news = attrs.evolve(news_of(record), errors=record.errors.last)
    reported = {"heard": record.news.current.errors, **news_as_json(news)}
    blocks = (Text(compact_json(reported), form="json"),)
    return Answer(blocks, delivered=news.consume, news=news)


@tool(group="observation")
async def alert(record: TabRecord) -> Answer[None]:
    """Dismiss a dialog and report the news."""
    record.notify([NOTICE])
    return await observe.handler(record)


@tool(group="observation")
async def write(record: TabRecord) -> Answer[None]:
    """Report the news in more characters than the answer may have."""
    answer = await observe.handler(record)
    return attrs.evolve(answer, blocks=(*answer.blocks, Text("x" * 5000)))


@tool(group="observation")
async def read(_: TabRecord) -> Answer[None]:
    """Return text of the page."""
    return Answer((Text("9 fail: ok\nhis", form="page"), Text("! a remark")))


@tool(group="observation")
async def fail(record: TabRecord) -> Answer[None]:
    """Find nothing."""
    raise ElementNotFound(f"{record.id} has no such element.")


@tool(group="observation")
async def fail_late(record: TabRecord) -> Answer[None]:
    """Fail, and report the news with the error."""
    error = ElementNotFound(f"{record.id} has no such element.")
    error.delivered = news_of(record).consume
    raise error


class FakeCaller:
    """Has each step made in the task of an actor whose state is the record of a tab."""

    def __init__(self, record: TabRecord) -> None:
        self.actor = Mailbox[TabRecord]("actor", workers=2)
        self.tools = {one.name: one for one in (observe, alert, write, read, fail, fail_late)}
        self._tab_id = record.id
        self.settings = Settings(max_chars=2000)

    def prepare(self, name: str, arguments: dict[str, Any]) -> Prepared:
        return Prepared(self.tools[name], arguments, self._tab_id, "json")

    async def perform(self, prepared: Prepared) -> Answer:
        answer: Answer = await self.actor.ask(prepared.tool.handler)
        return answer


@pytest.fixture
def record() -> TabRecord:
    return TabRecord("tab-1", SessionRecord("session-1"))


@pytest.fixture
def caller(record: TabRecord, nursery: trio.Nursery) -> FakeCaller:
    caller = FakeCaller(record)
    nursery.start_soon(caller.actor.serve, record)
    return caller


async def made(caller: FakeCaller, *steps: str, parallel: bool = False) -> Answer[Any]:
    """Make a batch, which is not delivered yet."""
    wanted = [Step(one) for one in steps]
    answer: Answer[Any] = await batch.handler(
        caller, wanted, parallel=parallel, stop_on_error=False
    )
    return answer


def results(answer: Answer[Any]) -> list[Any]:
    (text,) = (one.text for one in answer.blocks if isinstance(one, Text))
    return [row.get("result") for row in json.loads(text)["results"]]


@pytest.mark.req("C-DEV-05")
@pytest.mark.parametrize("parallel", [False, True])
async def test_later_steps_omit_the_events_of_an_earlier_step(
    record: TabRecord, caller: FakeCaller, *, parallel: bool
) -> None:
    record.notify([NOTICE])
    record.news.add(TabRecord("tab-2", record.session))
    for name in ("a.css", "b.js"):
        record.news.add(Edit((name,), "2026-01-01T00:00:00Z"))
    record.news.add(Download("http://a.test/a.zip", "a.zip"))
    record.errors.last = 7

    first, *later = results(await made(caller, "observe", "observe", "observe", parallel=parallel))

    assert first.keys() == {"heard", "notices", "opened_tabs", "reload_event", "downloads"}
    assert (first["heard"], first["reload_event"]["files_changed"]) == (0, ["a.css", "b.js"])
    assert later == [{"heard": 7}, {"heard": 7}]


async def test_a_batch_consumes_the_events_of_its_steps_when_it_is_delivered(
    record: TabRecord, caller: FakeCaller
) -> None:
    record.notify([NOTICE])
    download = Download("http://a.test/a.zip", "a.zip")
    record.news.add(download)
    record.errors.last = 7
    before = compact_json(news_as_json(news_of(record)))

    answer = await made(caller, "observe", "observe")
    assert (compact_json(news_as_json(news_of(record))), record.news.current.errors) == (before, 0)

    answer.delivered()
    assert (news_as_json(news_of(record)), record.news.current.errors) == ({}, 7)


async def test_a_batch_consumes_the_events_of_an_error_when_it_is_delivered(
    record: TabRecord, caller: FakeCaller
) -> None:
    record.notify([NOTICE])
    answer = await made(caller, "fail_late")
    assert "notices" in news_as_json(news_of(record))
    answer.delivered()
    assert news_as_json(news_of(record)) == {}


async def test_events_of_a_truncated_step_are_reported_by_the_next_step(
    record: TabRecord, caller: FakeCaller
) -> None:
    record.notify([NOTICE])

    answer = await made(caller, "write", "observe", "observe")

    assert results(answer) == [None, {"heard": 0, "notices": [NOTICE]}, {"heard": 0}]
    answer.delivered()
    assert not record.notices


def test_a_page_is_known_once_its_answer_is_delivered(record: TabRecord) -> None:
    view = outline("Books").view
    news = attrs.evolve(news_of(record), view=view)
    assert record.news.current.view is None
    with in_batch():
        news.consume()
        assert record.news.current.view is view
    assert record.news.current.view is None
    news.consume()
    assert record.news.current.view is view


async def test_a_batch_in_text_has_the_lines_of_each_step(caller: FakeCaller) -> None:
    with answering_in("text"):
        answer = await made(caller, "read", "fail", "write")
    assert answer.text.split("\n") == [
        "1 read: ok",
        "  > 9 fail: ok",
        "  > his",
        "  ! a remark",
        "2 fail: error ELEMENT_NOT_FOUND: tab-1 has no such element.",
        "  ! Call observe or find.",
        "3 write: ok, 5,028 characters are left out",
    ]


async def test_a_step_that_is_skipped_is_a_line(caller: FakeCaller) -> None:
    with answering_in("text"):
        answer = await batch.handler(caller, [Step("fail"), Step("read")])
    assert answer.is_error
    assert answer.text.split("\n")[-1] == "2 read: skipped"


async def test_a_row_that_changes_again_is_reported_once(
    record: TabRecord, caller: FakeCaller
) -> None:
    ids = IdBook()
    views = [view_of(book_form(stock=stock).capture(), ids) for stock in "321"]
    states = pairwise(views)
    record.note_delivered(views[0])

    @tool(group="interaction")
    async def order(record: TabRecord) -> Answer[None]:
        """Order one of the books."""
        old, new = next(states)
        change = compare_views(record, old, new)
        return Answer((Text(""),), shown=TextAnswer(record, new, "tab-1", (), change, 2000))

    caller.tools["order"] = order
    with answering_in("text"):
        answer = await made(caller, "order", "order")
    assert answer.text.split("\n") == [
        "1 order: ok",
        "2 order: ok",
        "tab-1",
        "~ | Low Water | 3 → 1",
    ]
