"""find: filters, limits, and what it can see."""

import pytest

from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

CONTROLS = """
<button>Send letter</button><a href="/">Send parcel</a><button disabled>Wait</button>
<input aria-label="Name" value="Ada Lovelace"><input placeholder="Where to send">
<div role="tablist"><button role="tab" aria-selected="true">First</button>
<button role="tab">Second</button></div>
<div><p>Send nothing</p></div>
"""


def labels(found: list[dict[str, str]]) -> list[str]:
    return [each["label"] for each in found]


@pytest.mark.req("C-FIND-01", "C-FIND-06")
def test_text_is_part_of_label_value_or_placeholder_in_any_case(tab: Tab) -> None:
    tab.open(CONTROLS)

    assert labels(tab.call("find", text="SEND")) == ["Send letter", "Send parcel", "Where to send"]
    assert labels(tab.call("find", text="lovelace")) == ["Name"]


@pytest.mark.req("C-FIND-02")
def test_role_is_exact(tab: Tab) -> None:
    tab.open(CONTROLS)

    assert labels(tab.call("find", role="tab")) == ["First", "Second"]
    assert labels(tab.call("find", role="button")) == ["Send letter", "Wait"]
    assert tab.call("find", role="but") == []


@pytest.mark.req("C-FIND-03")
def test_type_is_the_type_that_observe_shows(tab: Tab) -> None:
    tab.open(CONTROLS)

    assert labels(tab.call("find", type="link")) == ["Send parcel"]
    assert labels(tab.call("find", type="text_input")) == ["Name", "Where to send"]


def test_filters_must_all_match(tab: Tab) -> None:
    tab.open(CONTROLS)

    assert labels(tab.call("find", text="send", type="button")) == ["Send letter"]
    assert tab.call("find", text="send", type="button", role="link") == []


@pytest.mark.req("C-FIND-06", "P-19")
def test_nothing_found_is_an_empty_list(tab: Tab) -> None:
    tab.open(CONTROLS)

    assert tab.call("find", text="Send nothing") == []


def test_a_search_for_nothing_is_refused_with_advice(tab: Tab) -> None:
    error = tab.refused("find")

    assert error["code"] == "INVALID_ARGUMENT"
    assert "text, role or type" in error["message"]
    assert "observe" in error["suggestion"]


def test_it_finds_what_observe_had_to_cut(tab: Tab) -> None:
    tab.open("/table.html?rows=500", detail="minimal")
    shown = tab.call("observe")["interactive"]

    [found] = tab.call("find", text="Order Book 499")

    assert found["label"] not in labels(shown)
    assert found["id"]


def test_the_records_are_those_of_observe(tab: Tab) -> None:
    tab.open(CONTROLS)

    observed = tab.call("observe")["interactive"]

    assert tab.call("find", text="") == observed


def test_a_limit_cuts_the_list_and_a_cursor_continues_it(tab: Tab) -> None:
    tab.open("/links.html", detail="minimal")

    first = tab.call("find", type="link", limit=100)
    seen = labels(first["elements"])
    assert first["truncation"]["total"] == 230
    second = tab.call("find", type="link", limit=100, cursor=first["truncation"]["next_cursor"])
    seen += labels(second["elements"])
    seen += labels(tab.call("find", type="link", cursor=second["truncation"]["next_cursor"]))

    assert len(seen) == len(set(seen)) == 230


def test_fifty_are_shown_unless_more_are_wanted(tab: Tab) -> None:
    tab.open("/links.html", detail="minimal")

    assert len(tab.call("find", type="link")["elements"]) == 50
    assert len(tab.call("find", type="link", limit=1000)) == 230


def test_it_looks_at_the_page_as_it_is_now(tab: Tab) -> None:
    tab.open(CONTROLS)
    tab.js("document.body.insertAdjacentHTML('beforeend', '<button>Just come</button>')")

    assert labels(tab.call("find", text="just come")) == ["Just come"]


def test_it_sees_into_shadow_roots(tab: Tab) -> None:
    tab.open("/shadow.html")
    inside = tab.js(
        "[...document.querySelectorAll('*')].map(e => e.shadowRoot?.querySelector('button'))"
        ".find(b => b)?.textContent.trim()"
    )

    assert labels(tab.call("find", role="button", text=inside))
