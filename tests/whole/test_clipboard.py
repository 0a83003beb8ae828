"""clipboard: copies of the selection, pastes, and what pages copy by themselves."""

import pytest

from tests.whole.answers import changes
from tests.whole.cases import case
from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

FIELD = "<textarea id=t aria-label=Note>She was brave</textarea>"
COPIES = """<button onclick="navigator.clipboard.writeText('https://a.example/')
  .then(() => { document.title = 'copied' }, () => { document.title = 'refused' })"
  >Copy link</button>
  <button onclick="navigator.clipboard.write([new ClipboardItem({
    'text/plain': new Blob(['an item'], { type: 'text/plain' }) })])">Copy item</button>"""
LOGS = """<div id=e tabindex=0>Canvas</div><script>
  globalThis.log = [];
  for (const type of ['copy', 'cut', 'paste']) document.addEventListener(type, (event) => {
    const { clipboardData: data } = event;
    log.push([type, data.getData('text/plain'), data.getData('text/html')]);
    if (type !== 'paste') data.setData('text/plain', 'by the page');
    event.preventDefault();
  });</script>"""


def test_a_copied_text_is_pasted_into_another_field(tab: Tab) -> None:
    tab.open(f"{FIELD}<input id=o aria-label=Other>")
    tab.call("select_text", element_id=tab.find("Note"), text="brave")

    copied = tab.call("clipboard", action="copy")
    tab.click("Other")
    pasted = tab.call("clipboard", action="paste")

    assert copied["clipboard"] == {"text": "brave"}
    assert [change["to"] for change in changes(pasted, property="value")] == ["brave"]


def test_a_written_text_is_read_and_pasted(tab: Tab) -> None:
    tab.open(FIELD)
    tab.call("select_text", element_id=tab.find("Note"), text="brave", caret="before")

    tab.call("clipboard", action="write", text="very ")
    tab.call("clipboard", action="paste")

    assert tab.call("clipboard", action="read")["clipboard"] == {"text": "very "}
    assert tab.js("t.value") == "She was very brave"


def test_the_page_receives_text_and_html_of_a_paste(tab: Tab) -> None:
    tab.open(LOGS)
    tab.click("Canvas")

    answer = tab.call("clipboard", action="paste", text="bold", html="<b>bold</b>")

    assert tab.js("log") == [["paste", "bold", "<b>bold</b>"]]
    assert "note" not in answer


def test_html_is_pasted_into_rich_text_without_scripts(tab: Tab) -> None:
    tab.open("<div id=e contenteditable role=textbox aria-label=Note></div>")
    tab.click("Note")

    html = "<b>bold</b><img src=x onerror='document.title = 1'><script>document.title = 1</script>"
    tab.call("clipboard", action="paste", html=html)

    assert tab.js("e.querySelector('b, strong').textContent") == "bold"
    assert tab.js("/onerror|script/.test(e.innerHTML)") is False


def test_a_copy_has_the_text_that_the_page_writes(tab: Tab) -> None:
    tab.open(LOGS)
    tab.call("select_text", text="Canvas")

    assert tab.call("clipboard", action="copy")["clipboard"] == {"text": "by the page"}


def test_a_text_that_the_page_copies_is_in_the_answer_and_the_clipboard(tab: Tab) -> None:
    tab.open(COPIES)

    answer = tab.click("Copy link")

    assert tab.js("document.title") == "copied"
    assert answer["note"] == "Copied by the page: 'https://a.example/'."
    assert tab.call("clipboard", action="read")["clipboard"] == {"text": "https://a.example/"}


def test_a_copied_password_stays_secret(tab: Tab) -> None:
    tab.open("<input type=password aria-label=Password value=hunter2>")
    tab.call("select_text", element_id=tab.find("Password"))

    assert "hunter2" not in tab.reply("clipboard", action="copy").text


def test_keys_copy_cut_and_paste_in_the_clipboard_of_their_context(tab: Tab) -> None:
    tab.open(f"{FIELD}<input id=o aria-label=Other>")
    other = Tab(tab.server, tab.web, tab.server.call("tab_open", context="other").json["tab_id"])
    other.open(FIELD)

    for keys, left in ((["Control+c", "Control+c"], "She was brave"), (["Control+x"], "She was ")):
        with case(*keys):
            tab.call("select_text", element_id=tab.find("Note"), text="brave")
            tab.call("key", keys=keys)
            tab.call("key", key="Control+v", element_id=tab.find("Other"))
            assert (tab.js("t.value"), tab.js("o.value")) == (left, "brave")
            tab.js("o.value = ''")
    assert tab.call("clipboard", action="read")["clipboard"] == {"text": "brave"}
    for key in ("Control+v", "Shift+Insert"):
        other.call("key", key=key, element_id=other.find("Note"))
    assert other.js("t.value") == "She was brave"


def test_what_keys_copy_can_be_pasted_by_the_same_call(tab: Tab) -> None:
    tab.open(FIELD)

    keys = ["Control+a", "Control+c", "End", "Control+v"]
    tab.call("key", keys=keys, element_id=tab.find("Note"))

    assert tab.js("t.value") == "She was braveShe was brave"


def test_a_page_handles_the_copies_and_pastes_of_keys(tab: Tab) -> None:
    tab.open(LOGS)
    tab.call("select_text", text="Canvas")

    tab.call("key", keys=["Control+c", "Control+v"])

    assert tab.js("log.map(([type, text]) => [type, text])") == [
        ["copy", ""],
        ["paste", "by the page"],
    ]


def test_contexts_do_not_share_the_clipboard(tab: Tab) -> None:
    tab.open(FIELD)
    tab.call("clipboard", action="write", text="mine")
    other = Tab(tab.server, tab.web, tab.server.call("tab_open", context="other").json["tab_id"])

    assert other.call("clipboard", action="read")["clipboard"] == {"text": ""}
    beside = tab.beside()
    assert beside.call("clipboard", action="read")["clipboard"] == {"text": "mine"}


def test_a_paste_that_nothing_takes_is_reported(tab: Tab) -> None:
    tab.open("<p>Text</p>")

    assert "takes the paste" in tab.call("clipboard", action="paste", text="a")["note"]


READS = """<div id=grid tabindex=0>Grid</div><script>
  grid.focus();
  async function show(read) { document.title = await read().catch((error) => error.name); }
  const { clipboard } = navigator;
  const readItem = async () => {
    const [item] = await clipboard.read();
    return (await (await item.getType('text/html')).text());
  };
</script>"""


def test_a_page_that_reads_the_clipboard_on_a_paste_gets_it(tab: Tab) -> None:
    cases = [("clipboard.readText()", "a b"), ("readItem()", "<b>a</b>")]

    for read, expected in cases:
        with case(read, expected):
            tab.open(READS)
            tab.js(f"addEventListener('paste', () => show(() => {read}))")
            answer = tab.call("clipboard", action="paste", text="a b", html="<b>a</b>")
            assert "note" not in answer
            assert tab.call("wait_for", js="document.title !== 'Written'")
            assert tab.js("document.title") == expected


def test_a_page_may_not_read_the_clipboard_without_a_paste(tab: Tab) -> None:
    tab.open(READS)
    tab.call("clipboard", action="write", text="secret")
    tab.js("show(() => clipboard.readText())")

    assert tab.call("wait_for", js="document.title !== 'Written'")
    assert tab.js("document.title") == "NotAllowedError"
