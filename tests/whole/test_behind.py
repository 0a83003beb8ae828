"""Dialogs of the page: deltas summarize the elements behind them in one line."""

import json

import pytest

from tests.whole.answers import changes
from tests.whole.cases import case
from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

LINKS = "".join(f"<li><a href=/item/{n}>Item number {n}</a> in stock" for n in range(60))
PAGE = f"""<h1>Shop</h1><p id=count>0 items</p><input aria-label=Name value=Ada>
<button onclick="d.showModal()">Delete</button><button onclick="aria(true)">Choose</button>
<button onclick="panel.hidden = !panel.hidden">Fold</button><ul id=panel>{LINKS}</ul>
<iframe srcdoc="<button>In a frame</button>"></iframe>
<dialog id=d aria-label="Sure?"><p>This cannot be undone.</p>
<button onclick="count.textContent = '1 item'; d.close()">OK</button></dialog>
<div id=m role=dialog aria-label=Choice hidden><button onclick="aria(false)">Done</button></div>
<script>const aria = (open) => {{ m.hidden = !open;
  for (const each of document.querySelectorAll('body > :not(#m)'))
    if (open) each.setAttribute('aria-hidden', 'true'); else each.removeAttribute('aria-hidden');
}}</script>"""


@pytest.fixture
def shop(tab: Tab) -> Tab:
    tab.open(PAGE, detail="minimal")
    return tab


def test_opening_and_closing_a_dialog_reports_a_single_change_for_the_background(shop: Tab) -> None:
    cases = [("Delete", "OK", 'dialog "Sure?"'), ("Choose", "Done", 'dialog "Choice"')]

    for opens, closes, front in cases:
        with case(opens, closes, front):
            opened = shop.click(opens)

            [reach] = changes(opened, property="reachable")
            assert reach["detail"] == f"66 elements still there, but behind {front}"
            assert [each["to"]["label"] for each in changes(opened, type="added")] == [closes]
            assert len(json.dumps(opened["delta"])) < 900

            closed = shop.click(closes)

            [reach] = changes(closed, property="reachable")
            assert reach["detail"] == "66 elements can be reached again"
            assert changes(closed, type="added") == []
            assert len(json.dumps(closed["delta"])) < 900


VIEWS = """<div id=app></div><script>const views = {
  list: () => '<h1>Orders</h1>' + Array.from({length: 40}, (_, n) =>
    `<p><a href=/o/${n}>Order ${n}</a> of day ${n} <button>Edit ${n}</button></p>`).join('')
    + '<button onclick="go(`one`)">Open</button>',
  one: () => '<h1>Order 7</h1><p>Paid in cash by Ada.</p><button>Print</button><a href=/>All</a>'
    + '<label>Note <input></label><label>Tip <input></label>'
    + '<button onclick="go(`list`)">Close</button>',
};
const go = (name) => { history.pushState(0, '', '?' + name); app.innerHTML = views[name]() };
go('list')</script>"""


def test_a_replaced_view_is_returned_as_a_page_if_that_is_shorter(tab: Tab) -> None:
    for text, detail in [("Open", "summary"), ("Close", "minimal")]:
        with case(text, detail):
            tab.open(VIEWS, detail="minimal")
            if text == "Close":
                tab.click("Open")
            answer = tab.click(text)
            assert "delta" not in answer
            assert answer["detail"] == detail
            assert "removed" in answer["instead_of_delta"]
            assert "structure" in answer
