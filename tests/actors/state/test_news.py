"""Clients of one session: what one was shown stays news for the others."""

import pytest

from charlotte.actors.state.logs import Download
from charlotte.actors.state.news import Client, acting_as, in_batch
from charlotte.actors.state.records import SessionRecord, TabRecord
from charlotte.actors.state.sites import Edit
from charlotte.answers.news import News, news_of
from charlotte.page.identity.references import DocumentNode
from charlotte.page.model import ReferenceTarget
from tests.page.pages import Page, view_of


@pytest.fixture
def record() -> TabRecord:
    session = SessionRecord("session-1")
    tab = TabRecord("tab-1", session)
    session.add(tab)
    return tab


def page(button: str) -> Page:
    made = Page()
    made.button(button)
    return made


def consume(record: TabRecord) -> News:
    """Deliver an answer with all news to the present client."""
    news = news_of(record)
    news.consume()
    return news


def test_each_client_gets_each_notice_once(record: TabRecord) -> None:
    ada, ben = Client("ada"), Client("ben")
    with acting_as(ada):
        consume(record)
    with acting_as(ben):
        consume(record)
    record.notify(["crashed"])
    for client in (ada, ben):
        with acting_as(client):
            assert consume(record).notices == ["crashed"]
            assert consume(record).notices == []


def test_popups_edits_and_downloads_are_news_for_each_client(record: TabRecord) -> None:
    clients = [Client("ada"), Client("ben")]
    for client in clients:
        with acting_as(client):
            consume(record)
    popup = TabRecord("tab-2", record.session)
    record.news.add(popup)
    record.news.add(Edit(("a.css",), "2026-01-01T00:00:00Z"))
    record.news.add(Download("http://a.test/f", "f", "completed"))
    for client in clients:
        with acting_as(client):
            news = consume(record)
            assert (news.opened, len(news.edits), len(news.downloads)) == ([popup], 1, 1)
            assert consume(record).opened == []
            assert consume(record).downloads == []


def test_a_client_compares_with_the_page_that_it_was_shown(record: TabRecord) -> None:
    ada, ben = Client("ada"), Client("ben")
    first, second = view_of(page("Save").capture()), view_of(page("Send").capture())
    with acting_as(ada):
        record.note_delivered(first)
    with acting_as(ben):
        assert record.news.current.view is None
        record.note_delivered(second)
    with acting_as(ada):
        assert record.news.current.view is first


def test_an_element_is_compared_with_what_the_same_client_was_shown(record: TabRecord) -> None:
    ada, ben = Client("ada"), Client("ben")
    made = page("Submit order")
    view = view_of(made.capture(), record.ids)
    [element] = view.interactive
    with acting_as(ada):
        record.ids.note_shown([element.id])
    made.rows[-1][3] = "Delete order"
    view_of(made.capture(), record.ids)
    with acting_as(ben):
        record.ids.note_shown([element.id])
    names = {}
    for client in (ada, ben, Client("new")):
        with acting_as(client):
            shown = record.ids.get_last_shown(element.id)
            names[client.name] = shown and shown.identity.name
    assert names == {"ada": "Submit order", "ben": "Delete order", "new": "Delete order"}


def test_a_table_of_references_belongs_to_the_client_that_was_shown_it(record: TabRecord) -> None:
    ada, ben = Client("ada"), Client("ben")
    for client, number in ((ada, 1), (ben, 2)):
        with acting_as(client):
            record.refs.replace_table("doc", [ReferenceTarget(number, "button", "b")])
    for client, number in ((ada, 1), (ben, 2), (Client("new"), 2)):
        with acting_as(client):
            named = record.refs.find("@ref:0")
            assert named
            assert named.place == DocumentNode("doc", number)


def test_news_that_a_program_has_read_stay_news_for_the_agent(record: TabRecord) -> None:
    consume(record)
    record.notify(["crashed"])

    with acting_as(Client("program", is_program=True)):
        assert consume(record).notices == ["crashed"]
        assert consume(record).notices == []

    assert consume(record).notices == ["crashed"]


def test_news_that_a_step_of_a_batch_has_reported_stay_news_for_its_client(
    record: TabRecord,
) -> None:
    record.notify(["crashed"])
    record.session.client.note_sections(["menu"])

    with in_batch():
        assert consume(record).notices == ["crashed"]
        assert consume(record).notices == []
        record.session.client.note_sections(["footer"])
        assert record.session.sections == {"menu", "footer"}

    assert consume(record).notices == ["crashed"]
    assert record.session.sections == {"menu"}


def test_news_that_all_clients_have_read_are_not_kept(record: TabRecord) -> None:
    record.news.add(TabRecord("tab-2", record.session))
    with acting_as(ada := Client("ada")):
        consume(record)
    record.notify(["crashed"])
    with in_batch():
        consume(record)
    assert len(record.news.since(0)) == 1
    consume(record)
    with acting_as(ada):
        consume(record)
    assert record.news.since(0) == []


def test_margins_are_known_by_client(record: TabRecord) -> None:
    ada = Client("ada")
    ada.note_sections(["menu"])
    with acting_as(ada):
        assert "menu" in record.session.sections
    with acting_as(Client("ben")):
        assert "menu" not in record.session.sections
