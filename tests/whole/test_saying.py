"""Messages of live regions that are brief or repeated appear in the answer of an action."""

import pytest

from tests.whole.answers import new_texts
from tests.whole.cases import case
from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

TOAST = """<div role=status id=s></div><button onclick="s.textContent = 'Saved as draft';
  setTimeout(() => { s.textContent = '' }, %d)">Save</button>"""


def test_a_live_region_message_shown_briefly_is_reported(tab: Tab) -> None:
    tab.open(TOAST % 300)

    assert tab.click("Save")["note"] == 'Said meanwhile: "Saved as draft"'


def test_a_live_region_message_still_shown_is_reported_once(tab: Tab) -> None:
    tab.open(TOAST % 20_000)

    answer = tab.click("Save")

    assert "Saved as draft" in new_texts(answer)
    assert "note" not in answer


ALERT = "<p role=alert>Wrong password</p>"


def test_a_repeated_live_region_message_is_reported(tab: Tab) -> None:
    cases = [
        "a.firstChild.textContent = 'Wrong password'",
        "a.innerHTML = ``; setTimeout(() => { a.innerHTML = wrong }, 90)",
        "a.innerHTML = ``; fetch('/echo').then(() => { a.innerHTML = wrong })",
        "a.outerHTML = a.outerHTML",
    ]

    for again in cases:
        with case(again):
            tab.open(f"""<div id=a>{ALERT}</div><button onclick="{again}">Log in</button>
      <script>const wrong = a.innerHTML</script>""")
            answer = tab.click("Log in")
            assert answer["note"] == 'Said again: "Wrong password"'


def test_a_live_region_message_during_a_request_is_reported(tab: Tab) -> None:
    inner = """<button onclick="const s = document.createElement('p'); s.role = 'alert';
      s.textContent = 'Working on it'; document.body.append(s);
      fetch('/slow?ms=700&name=x').then((r) => r.text()).then(() => s.remove())">Go</button>"""
    tab.open(f"<iframe src='{tab.web.url(tab.web.write(inner))}'></iframe>")

    assert tab.click("Go")["note"] == 'Said meanwhile: "Working on it"'
