"""The answer of a click: the delta, the new page, announcements, and how long it waited."""

import pytest

from tests.whole.answers import changes, new_texts
from tests.whole.cases import case
from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium


@pytest.mark.smoke
@pytest.mark.req("C-IA-01", "C-REND-06", "C-PR-35", "C-SDIFF-01", "C-SDIFF-02", "C-SDIFF-03")
def test_a_click_delta_contains_only_the_changes(tab: Tab) -> None:
    tab.open("/counter.html")

    answer = tab.click("Clicked 0 times")

    assert set(answer) == {"url", "title", "snapshot_id", "delta", "tab_id"}
    delta = answer["delta"]
    assert delta["from_snapshot"] < delta["to_snapshot"] == answer["snapshot_id"]
    button, reset = (tab.find(text) for text in ("Clicked 1 time", "Reset"))
    assert changes(answer, element=button, property="label") == [
        {
            "type": "changed",
            "element": button,
            "property": "label",
            "from": "Clicked 0 times",
            "to": "Clicked 1 time",
        }
    ]
    [enabled] = changes(answer, element=reset, type="changed")
    assert (enabled["property"], enabled["from"], enabled["to"]) == ("state.enabled", False, True)
    assert "The count is 1." in new_texts(delta)
    assert delta["summary"].startswith(f"{len(delta['changes'])} changes: ")


@pytest.mark.req("C-CLK-02")
def test_a_click_on_a_link_returns_the_new_page(tab: Tab) -> None:
    tab.open("/index.html")

    reply = tab.reply("click", element_id=tab.find("Reading club"))

    answer = reply.json
    assert answer["url"] == tab.web.url("/form.html")
    assert answer["title"] == "Reading club · Harbour Books"
    assert answer["detail"] in {"summary", "minimal"}
    assert answer["structure"]["headings"][0]["text"] == "Join the reading club"
    assert "delta" not in answer
    assert "navigation" in reply.metadata["waited_for"]


def test_a_pushed_view_is_returned_as_a_delta_with_the_new_url(tab: Tab) -> None:
    tab.open("/spa.html")

    reply = tab.reply("click", element_id=tab.find("Browse all"))

    answer = reply.json
    assert answer["url"] == tab.web.url("/spa.html?view=books")
    assert changes(answer, property="url")
    assert "All books" in new_texts(answer)


@pytest.mark.fault
def test_a_click_waits_five_seconds_for_a_hanging_request_and_names_it(tab: Tab) -> None:
    tab.open("<button onclick=\"fetch('/hang')\">Fetch</button>")

    reply = tab.reply("click", element_id=tab.find("Fetch"))

    assert reply.json["unsettled"] == f"request GET {tab.web.url('/hang')} still open"
    assert reply.metadata["settled"] is False
    assert reply.seconds >= 5


def test_a_click_can_return_the_page_together_with_the_delta(tab: Tab) -> None:
    for detail in ("summary", "full"):
        with case(detail):
            tab.open("/counter.html")
            answer = tab.click("Clicked 0", detail=detail)
            assert "interactive" in answer
            assert "The count is 1." in new_texts(answer)
            assert ("The count is 1." in answer["structure"].get("full_content", "")) == (
                detail == "full"
            )


@pytest.mark.req("C-PR-22")
def test_a_click_reports_the_element_that_the_page_focused(tab: Tab) -> None:
    tab.open("""<input id="i" aria-label="Name"><button onclick="i.focus()">Focus</button>""")

    answer = tab.click("Focus")

    assert changes(answer, property="state.focused", element=tab.find("Name"))
    assert tab.element("Name")["state"] == {"focused": True}


DRAWS = """<canvas id=a tabindex=0 aria-label=Go></canvas>
<script>a.onclick = () => a.getContext('2d').fillRect(0, 0, 9, 9)</script>"""


def test_a_purely_visual_change_is_mentioned_in_a_note(tab: Tab) -> None:
    cases = [
        ("<button id=a onclick='this.classList.add(`on`)'>Go</button>", 'class of button#a "Go"'),
        (DRAWS, 'drawing on canvas#a "Go"'),
        (
            "<p role=button aria-label=Go onclick='this.innerHTML = `<b>Tea</b>`'>Tea</p>",
            '<b> added in p "Go"',
        ),
    ]

    for page, looks in cases:
        with case(page, looks):
            tab.open(page)
            answer = tab.click("Go")
            assert answer["delta"]["summary"] != "No changes."
            assert answer["note"] == f"Looks may have changed: {looks}."


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


BRIEFLY = """<style>.off {{ display: none }}</style><main id=m>Cart</main><script>
  const box = document.createElement('div'); box.innerHTML = '<b>Card</b> declined'</script>
  <button onclick="{show}; setTimeout(() => {{ {hide} }}, {ms});
  fetch('/slow?ms=900&name=x').then((r) => r.text()).then((got) => m.append(got));">Pay</button>
  {box}"""


@pytest.mark.parametrize(
    ("box", "show", "hide", "ms"),
    [
        ("", "document.body.append(box)", "box.remove()", 120),
        ("", "m.append(box)", "m.replaceChildren('Cart')", 350),
        ("<p id=t class=off>{}</p>", "t.className = ''", "t.className = 'off'", 200),
        ("<p id=t hidden><b>{}</b></p>", "t.hidden = false", "t.hidden = true", 700),
        ("<p id=t popover=manual>{}</p>", "t.showPopover()", "t.hidePopover()", 200),
        ("<dialog id=t>{}</dialog>", "t.show()", "t.close()", 200),
        ("<p id=t></p>", "t.textContent = '{}'", "t.textContent = ''", 120),
        ("<b id=t>Draft 1</b>", "t.textContent = '{}'", "t.textContent = 'Draft 1'", 200),
        (
            "<p id=t></p><script>t.attachShadow({ mode: 'open' })</script>",
            "t.shadowRoot.innerHTML = '<i>{}</i>'",
            "t.shadowRoot.innerHTML = ''",
            350,
        ),
    ],
)
def test_a_message_without_a_role_shown_briefly_is_reported(
    tab: Tab, box: str, show: str, hide: str, ms: int
) -> None:
    box, show = (each.replace("{}", "Card declined") for each in (box, show))
    tab.open(BRIEFLY.format(box=box, show=show, hide=hide, ms=ms))

    assert tab.click("Pay")["note"] == 'Said meanwhile: "Card declined"'


@pytest.mark.parametrize("text", ["Loading", "Please wait…", "Please wait...", "Cart", "Red shoes"])
def test_signs_of_progress_and_texts_of_the_page_are_no_messages(tab: Tab, text: str) -> None:
    show = "t.className = 'gone'" if text == "Red shoes" else "t.hidden = false"
    box = "<p id=t>Red <b>shoes</b></p>" if text == "Red shoes" else f"<p id=t hidden>{text}</p>"
    tab.open(BRIEFLY.format(box=box, show=show, hide="t.remove()", ms=200))

    assert "Said" not in tab.click("Pay").get("note", "")
