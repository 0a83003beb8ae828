"""The extras of an answer have a share of its characters."""

from charlotte.actors.state.news import MOST_NEWS
from charlotte.actors.state.records import SessionRecord, TabRecord
from charlotte.answers.news import news_of
from charlotte.answers.pages import limit_extras, news_as_json
from charlotte.page.model import compact_json


def test_each_extra_has_a_share_and_omissions_are_counted() -> None:
    extras = {
        "notices": [f"notice {number} {'x' * 100}" for number in range(50)],
        "opened_tabs": [{"id": f"tab-{n}", "url": "http://a.test/" + "u" * 5000} for n in range(9)],
        "note": "n" * 9000,
        "status": 200,
    }

    shown = limit_extras(extras, 4000)

    assert len(compact_json(shown)) < 4000 / 2
    assert shown["status"] == 200
    assert shown["notices"][-1].startswith("notice 49 ")
    assert shown["left_out"]["notices"] == 50 - len(shown["notices"])
    assert shown["opened_tabs"][-1]["id"] == "tab-8"


def test_extras_that_fit_are_unchanged() -> None:
    extras = {"notices": ["one", "two"], "delta": {"changes": 1}, "unsettled": ["fetch"]}

    assert limit_extras(extras, 40_000) == extras


def test_notices_between_calls_are_limited_and_counted() -> None:
    record = TabRecord("tab-1", SessionRecord("session-1"))
    for number in range(5000):
        record.notify([f"The alert dialog '{number}' was dismissed at once."])

    news = news_of(record)
    reported = news_as_json(news)
    news.consume()

    assert len(record.notices) == 0
    assert len(reported["notices"]) == MOST_NEWS + 1
    assert reported["notices"][0] == f"{5000 - MOST_NEWS} earlier notices were left out."
    assert "'4999'" in reported["notices"][-1]
    assert news_as_json(news_of(record)) == {}
