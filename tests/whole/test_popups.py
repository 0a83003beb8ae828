"""Tabs that pages open: they get ids, are reported once, and do not become active."""

import pytest

from tests.whole.answers import changes, mentions
from tests.whole.cases import case
from tests.whole.client import Message
from tests.whole.tabs import Tab, eventually

pytestmark = pytest.mark.chromium


def opened_by(answer: Message) -> list[Message]:
    rows: list[Message] = answer.get("opened_tabs", [])
    return rows


def popup_of(tab: Tab, label: str, title: str) -> Tab:
    """Return the tab that a click opens, after it has loaded its page."""
    [opened] = opened_by(tab.click(label))
    popup = Tab(tab.server, tab.web, opened["id"])
    eventually(lambda: popup.row["title"].startswith(title))
    return popup


def rows(tab: Tab) -> dict[str, Message]:
    return {row["id"]: row for row in tab.server.call("tabs").json}


def test_a_tab_opened_by_a_click_is_returned_with_its_answer(tab: Tab) -> None:
    tab.open("/popup.html")
    cases = [
        ("Counter in a new tab", "/counter.html", "Counter"),
        ("Open the reading club", "/form.html", "Reading club"),
    ]

    for label, path, title in cases:
        with case(label, path, title):
            popup = popup_of(tab, label, title)
            assert not popup.row["active"]
            assert tab.row["active"]
            assert popup.call("observe")["url"] == tab.web.url(path)
            assert tab.call("observe")["url"] == tab.web.url("/popup.html")


def test_an_opened_tab_that_never_loads_does_not_delay_the_click(tab: Tab) -> None:
    tab.open("<a href='/hang' target=_blank>Open</a>")

    reply = tab.reply("click", element_id=tab.find("Open"))

    assert len(opened_by(reply.json)) == 1


def test_a_page_written_by_its_opener_can_be_observed(tab: Tab) -> None:
    tab.open("/popup.html")
    popup = popup_of(tab, "Open a written page", "Written")

    answer = popup.call("observe")

    assert answer["title"] == "Written page"
    assert [element["label"] for element in answer["interactive"]] == ["Only button"]


def test_the_first_console_messages_of_a_popup_are_recorded(tab: Tab) -> None:
    path = tab.web.write("<script>console.log('the very first')</script>", title="Logs")
    tab.open(f'<a href="{path}" target="_blank">Open</a>')
    popup = popup_of(tab, "Open", "Logs")

    def texts() -> list[str]:
        return [one["text"] for one in popup.call("console", level="log")["messages"]]

    eventually(lambda: texts() == ["the very first"])


def test_find_and_screenshot_leave_opened_tabs_to_be_reported(tab: Tab) -> None:
    tab.open("<p>Opener</p>")
    tab.js("w = open('about:blank'); 1")
    eventually(lambda: len(rows(tab)) == 2)

    tab.call("find", role="button")
    tab.reply("screenshot")
    tab.refused("click", element_id="btn-0000")

    assert len(opened_by(tab.call("observe"))) == 1


SCRIPT = "<button onclick=\"window.open('{}', 'preview')\">Two</button>"


@pytest.mark.parametrize("again", ["<a href={} target=preview>Two</a>", SCRIPT])
def test_a_window_that_a_page_uses_again_is_reported(tab: Tab, again: str) -> None:
    first, second = (tab.web.write(f"<h1>{number}</h1>") for number in ("One", "Two"))
    tab.open(f"<a href={first} target=preview>One</a>" + again.format(f"{second}?ms=150"))
    [opened] = tab.click("One")["opened_tabs"]

    answer = tab.click("Two")

    assert answer["notices"] == [f"{opened['id']} shows {tab.web.url(second)}?ms=150 now."]
    assert "notices" not in tab.call("observe")


@pytest.mark.parametrize("url", ["mailto:a@example.org?subject=Hi", "tel:+47123"])
@pytest.mark.parametrize(
    "way",
    ["<a href={}>Call</a>", "<a href={} target=_blank>Call</a>",
     "<button onclick=\"window.open('{}')\">Call</button>"],
)  # fmt: skip
def test_a_link_that_no_tab_shows_is_reported(tab: Tab, url: str, way: str) -> None:
    tab.open(way.format(url))

    answer = tab.click("Call")

    assert answer["notices"][0] == f"The page opened {url}: no tab shows links of that kind."


def test_a_window_that_closes_itself_later_is_reported(tab: Tab) -> None:
    popup = tab.web.write("<script>setTimeout(close, 100)</script>")
    tab.open(f"<button onclick=\"window.open('{popup}')\">Log in</button>")
    [opened] = opened_by(tab.click("Log in"))

    eventually(lambda: opened["id"] not in rows(tab))

    assert tab.call("observe")["notices"][0].startswith(f"{opened['id']} is closed: its page or a")


CLOSING = [
    ("opener.p.textContent = 'Code 1'; window.close()", "Code 1"),
    ("opener.location = '/counter.html'; window.close()", "Counter · Harbour Books"),
    ("opener.setTimeout('alert(`Hello`)', 100); window.close()", "Hello"),
    ("location = opener.done", "Octavia"),
    ("onbeforeunload = (event) => event.preventDefault(); window.close()", "beforeunload"),
]


PRINTS = "The page asked to print: pdf saves it as a file."


@pytest.mark.parametrize("prints", ["print()", "setTimeout(print, 50)", "f.contentWindow.print()"])
def test_what_a_page_does_outside_of_its_document_is_reported(tab: Tab, prints: str) -> None:
    tab.open(f"""<button onclick="{prints}">Print</button><iframe id=f srcdoc='<p>Bill'></iframe>
      <button onclick="b.requestFullscreen()">Play</button>
      <div id=b><button onclick="document.exitFullscreen()">Stop</button></div>""")

    assert tab.click("Print")["notices"] == [PRINTS]
    assert tab.click("Play")["notices"] == ['Full screen: div#b "Stop".']
    assert "notices" not in tab.call("observe")
    assert tab.click("Stop")["notices"] == ["Full screen has ended."]


@pytest.mark.parametrize(("closes", "shown"), CLOSING)
def test_an_action_that_closes_its_window_is_answered_by_the_opener(
    tab: Tab, closes: str, shown: str
) -> None:
    done = tab.web.write("<script>opener.p.textContent = 'Octavia'; close()</script>")
    popup = tab.web.write(f'<button onclick="{closes}">Allow</button>')
    tab.open(f"""<button onclick="window.open('{popup}')">Log in</button><p id=p>None</p>
      <script>done = '{done}'</script>""")
    [opened] = opened_by(tab.click("Log in"))
    window = Tab(tab.server, tab.web, opened["id"])
    window.call("wait_for", text="Allow")

    answer = window.call("key", key="Enter", element_id=window.find("Allow"))

    assert mentions(answer, shown)
    if "pending_dialog" in answer:
        answer = (tab if shown == "Hello" else window).call("dialog", accept=True)
    assert mentions(answer, f"closed it. This answer is about {tab.id}, which opened it.")
    assert window.id not in rows(tab)


def test_a_ctrl_click_opens_a_tab_in_the_background(tab: Tab) -> None:
    tab.open("/popup.html")

    answer = tab.call("click", element_id=tab.find("Counter in a new tab"), modifiers=["ctrl"])

    assert len(opened_by(answer)) == 1
    assert tab.row["active"]


LISTENING = """<div id=d>Listens</div><button id=b>Later</button><p id=o>Nothing</p><script>
  d.addEventListener('click', () => { o.textContent = 'met' })
  b.onclick = () => setTimeout(() => { o.textContent = 'came' }, 400)</script>"""


@pytest.mark.parametrize(
    "opens",
    [
        "<button onclick='window.open(`%s`)'>Open</button>",
        "<button onclick='const w = window.open(``); w.foo = 1; w.location = `%s`'>Open</button>",
        "<a href='%s' target=_blank>Open</a>",
        "<form action='%s' target=_blank><button>Open</button></form>",
    ],
)
def test_a_popup_is_instrumented_before_its_first_script(tab: Tab, opens: str) -> None:
    tab.open(opens % tab.web.url(tab.web.write(LISTENING), host="other.localhost"))
    [opened] = opened_by(tab.click("Open"))
    popup = Tab(tab.server, tab.web, opened["id"])
    eventually(lambda: popup.call("find", text="Later"))

    assert popup.element("Listens")["type"] == "clickable"
    assert [one["to"] for one in changes(popup.click("Later"), property="text")] == ["came"]
    assert [one["to"] for one in changes(popup.click("Listens"), property="text")] == ["met"]


def test_a_frame_written_while_blank_is_instrumented(tab: Tab) -> None:
    page = tab.web.write(LISTENING)
    tab.open(f"""<body><script>const f = document.createElement('iframe'); document.body.append(f)
      f.contentWindow.foo = 1; f.src = '{page}'</script>""")
    eventually(lambda: tab.call("find", text="Later"))

    assert tab.element("Listens")["type"] == "clickable"
    assert [one["to"] for one in changes(tab.click("Later"), property="text")] == ["came"]
