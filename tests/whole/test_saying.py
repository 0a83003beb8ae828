"""What live regions say only for a moment, or once more, is told with the answer to an action."""

import pytest

from tests.whole.answers import new_texts
from tests.whole.tabs import Tab, eventually

pytestmark = pytest.mark.chromium

TOAST = """<div role=status id=s></div><button onclick="s.textContent = 'Saved as draft';
  setTimeout(() => { s.textContent = '' }, %d)">Save</button>"""


def test_what_was_said_for_a_moment_only_is_told(tab: Tab) -> None:
    tab.open(TOAST % 300)

    assert tab.click("Save")["note"] == 'Said meanwhile: "Saved as draft"'


def test_what_is_still_said_is_told_once(tab: Tab) -> None:
    tab.open(TOAST % 20_000)

    answer = tab.click("Save")

    assert "Saved as draft" in new_texts(answer)
    assert "note" not in answer


ALERT = "<p role=alert>Wrong password</p>"


@pytest.mark.parametrize(
    "again",
    [
        "a.firstChild.textContent = 'Wrong password'",
        "a.innerHTML = ``; setTimeout(() => { a.innerHTML = wrong }, 90)",
        "a.innerHTML = ``; fetch('/echo').then(() => { a.innerHTML = wrong })",
        "a.outerHTML = a.outerHTML",
    ],
)
def test_what_is_said_again_is_told(tab: Tab, again: str) -> None:
    tab.open(f"""<div id=a>{ALERT}</div><button onclick="{again}">Log in</button>
      <script>const wrong = a.innerHTML</script>""")

    answer = tab.click("Log in")

    assert answer["note"] == 'Said again: "Wrong password"'


@pytest.mark.parametrize(
    "other",
    [
        "a.firstChild.className = 'red'",
        "a.firstChild.append(document.createElement('i'))",
        "a.append('Or the name')",
        "setTimeout(() => {}, 50)",
    ],
)
def test_what_only_stays_is_not_said_again(tab: Tab, other: str) -> None:
    tab.open(f"""<div id=a>{ALERT}</div><button onclick="{other}">Log in</button>""")

    assert "Said again" not in tab.click("Log in").get("note", "")


def test_what_is_said_all_the_time_is_not_said_again(tab: Tab) -> None:
    tab.open("""<p role=status id=s>Online</p><button>Look</button>
      <script>setInterval(() => { s.textContent = 'Online' }, 10)</script>""")

    eventually(lambda: "note" not in tab.click("Look"))


def test_what_was_said_while_a_server_was_asked_is_told(tab: Tab) -> None:
    inner = """<button onclick="const s = document.createElement('p'); s.role = 'alert';
      s.textContent = 'Working on it'; document.body.append(s);
      fetch('/slow?ms=700&name=x').then((r) => r.text()).then(() => s.remove())">Go</button>"""
    tab.open(f"<iframe src='{tab.web.url(tab.web.write(inner))}'></iframe>")

    assert tab.click("Go")["note"] == 'Said meanwhile: "Working on it"'
