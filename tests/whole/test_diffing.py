"""diff: changes from a stored snapshot to the current page; storage of snapshots."""

import json
from collections.abc import Generator

import pytest

from tests.whole.answers import changes, new_texts
from tests.whole.cases import case
from tests.whole.client import Message
from tests.whole.tabs import Tab, eventually

pytestmark = pytest.mark.chromium

PAGE = """<h1>Shop</h1><main><p id="p">Two books</p><button id="b">Buy</button></main>
  <form aria-label="Order"><input aria-label="Name"></form>"""


def shown(diff: Message) -> set[tuple[str, str | None]]:
    return {(change["type"], change.get("property")) for change in diff["changes"]}


@pytest.mark.smoke
@pytest.mark.req("C-DIFF-01", "C-DIFF-03", "C-SDIFF-01", "C-SDIFF-02", "C-SDIFF-03")
def test_diff_reports_changes_since_the_newest_snapshot(tab: Tab) -> None:
    before = tab.open(PAGE)["snapshot_id"]
    tab.js("b.textContent = 'Bought'; p.textContent = 'One book'")

    diff = tab.call("diff")

    assert set(diff) == {"from_snapshot", "to_snapshot", "changes", "summary", "tab_id"}
    assert before == diff["from_snapshot"] < diff["to_snapshot"]
    assert shown(diff) == {("changed", "label"), ("changed", "text")}
    assert diff["summary"] == "2 changes: 2 changed."
    assert tab.call("diff")["summary"] == "No changes."


BESIDE = f"""{PAGE}<script>b.onclick = () => {{ b.textContent = 'Bought' }}</script>"""


@pytest.mark.req("C-REND-06", "C-IA-01")
def test_an_action_notes_changes_that_happened_before_it(tab: Tab) -> None:
    for tool in ["click", "key"]:
        with case(tool):
            opened = tab.open(BESIDE)["snapshot_id"]
            buy = tab.find("Buy")
            tab.js("p.textContent = 'One book'")
            if tool == "key":
                tab.find("Buy")  # does not report changes
            how = {"click": {"element_id": buy}, "key": {"key": "Tab"}}

            answer, again = (tab.call(tool, **how[tool]) for _ in range(2))

            assert f"diff{{snapshot_id: {opened}}}" in answer["note"]
            assert not changes(answer, property="text")
            assert "note" not in again
            [change] = changes({"delta": tab.call("diff", snapshot_id=opened)}, property="text")
            assert (change["from"], change["to"]) == ("Two books", "One book")


def go_by_itself(tab: Tab) -> str:
    """Open a page that goes to another one; return the URL of that."""
    tab.open(PAGE)
    path = tab.web.write("<h1>Paid</h1>")
    tab.js(f"setTimeout(() => {{ location = '{path}' }}); 0")
    eventually(lambda: tab.row["url"].endswith(path))
    return tab.web.url(path)


def test_a_wait_returns_another_document_that_was_loaded_before_it(tab: Tab) -> None:
    go_by_itself(tab)

    answer = tab.call("wait_for", text="Paid")

    assert [heading["text"] for heading in answer["structure"]["headings"]] == ["Paid"]


@pytest.mark.req("C-SNAP-05", "C-DIFF-01", "C-PR-03")
def test_diff_compares_with_any_stored_snapshot(tab: Tab) -> None:
    first = tab.open(PAGE)["snapshot_id"]
    for count in range(3):
        tab.js(f"p.textContent = '{count} books'")
        tab.call("observe", detail="minimal")

    [change] = tab.call("diff", snapshot_id=first)["changes"]

    assert (change["from"], change["to"]) == ("Two books", "2 books")


@pytest.mark.req("C-DIFF-02", "C-SDIFF-04", "C-SDIFF-07")
def test_a_diff_scope_selects_its_part_and_all_includes_every_part(tab: Tab) -> None:
    cases = [
        ("structure", {("added", None)}),
        ("interactive", {("changed", "label"), ("added", None), ("changed", "fields")}),
        ("content", {("changed", "title"), ("changed", "text"), ("changed", "content_summary")}),
    ]

    for scope, expected in cases:
        with case(scope, expected):
            before = tab.open(PAGE)["snapshot_id"]
            tab.js("""b.textContent = 'Bought'; document.title = 'Sold'; p.textContent = 'One book';
      document.body.append(Object.assign(document.createElement('h2'), {textContent: 'New'}));
      document.querySelector('form').innerHTML += '<input aria-label=Street>'""")
            assert shown(tab.call("diff", snapshot_id=before, scope=scope)) == expected
            assert shown(tab.call("diff", snapshot_id=before)) >= expected


def test_diff_compares_only_url_and_title_after_a_navigation(tab: Tab) -> None:
    before = tab.open(PAGE)["snapshot_id"]
    tab.open("/library.html", detail="minimal")

    diff = tab.call("diff", snapshot_id=before)

    assert shown(diff) == {("changed", "url"), ("changed", "title")}
    assert "Another document" in diff["summary"]


@pytest.fixture(params=["observe_only", "manual"])
def quiet(request: pytest.FixtureRequest, fresh_tab: Tab) -> Generator[Tab]:
    """A tab of a session that stores few snapshots, at most five per tab."""
    fresh_tab.server.call("configure", auto_snapshot=request.param, snapshot_depth=5)
    yield fresh_tab
    fresh_tab.server.call("configure", auto_snapshot="every_action", snapshot_depth=50)


@pytest.mark.req("C-SNAP-06", "C-CFG-02")
def test_actions_in_quiet_modes_store_no_snapshot_but_return_changes(quiet: Tab) -> None:
    opened = quiet.open("/counter.html")
    answer = quiet.click("Clicked 0")

    assert "snapshot_id" not in {*opened, *answer}
    assert set(answer["delta"]) == {"changes", "summary"}
    assert "The count is 1." in new_texts(answer)


@pytest.mark.req("C-SNAP-06", "C-REND-03")
def test_observe_stores_a_requested_snapshot_in_every_mode(quiet: Tab) -> None:
    quiet.open("/counter.html")

    stored = quiet.call("observe", snapshot=True)["snapshot_id"]
    quiet.click("Clicked 0")
    diff = quiet.call("diff")

    assert diff["from_snapshot"] == stored > 0
    assert "The count is 1." in new_texts(diff)


@pytest.mark.req("C-SNAP-06", "C-CFG-02", "C-REND-01")
def test_a_tree_has_the_id_of_its_stored_snapshot(quiet: Tab) -> None:
    quiet.open("/counter.html")

    about = json.loads(quiet.reply("observe", mode="tree").texts[1])

    mode = quiet.server.call("configure").json["auto_snapshot"]
    assert ("snapshot_id" in about) == (mode == "observe_only")


@pytest.mark.req("C-SNAP-01", "C-SNAP-04")
def test_the_oldest_snapshots_of_each_tab_are_evicted(quiet: Tab) -> None:
    quiet.open("/counter.html")
    ids = [quiet.call("observe", snapshot=True)["snapshot_id"] for _ in range(6)]
    other = quiet.beside()
    for _ in range(6):
        other.call("observe", snapshot=True)

    error = quiet.refused("diff", snapshot_id=ids[0])

    assert error["code"] == "SNAPSHOT_EXPIRED"
    assert all(str(each) in error["message"] for each in ids[1:])
    assert quiet.call("diff", snapshot_id=ids[2])["changes"] == []
