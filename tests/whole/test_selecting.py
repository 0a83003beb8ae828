"""select_text: the selected text, and what typing and keys do with it."""

import pytest

from tests.whole.answers import changes
from tests.whole.cases import case
from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

RICH = """<div id=e contenteditable role=textbox aria-label=Note>
  <p>She was <i>bra</i>ve and brave   again.</p><p><br></p><p>The
  second paragraph</p></div><button id=other>Other</button>"""
PAGE = "<h1>Title</h1><p>She was <b>brave</b> and quiet.</p><p>She was brave again.</p>"


def selection(tab: Tab) -> str:
    found: str = tab.js("getSelection().toString()")
    return found


def in_field(tab: Tab) -> str:
    found: str = tab.js("""(() => { const field = document.querySelector('input, textarea');
      return field.value.slice(field.selectionStart, field.selectionEnd) })()""")
    return found


def test_typing_replaces_the_selected_words_of_a_field(tab: Tab) -> None:
    cases = [
        "<input aria-label=Note value='She was brave and brave again'>",
        "<textarea aria-label=Note>She was brave and brave again</textarea>",
    ]

    for field in cases:
        with case(field):
            tab.open(field)
            answer = tab.call(
                "select_text", element_id=tab.find("Note"), text="brave", occurrence=2
            )
            assert in_field(tab) == "brave"
            assert answer["note"] == 'Selected "brave" (5 characters).'
            [change] = changes(tab.call("type", text="calm"), property="value")
            assert change["to"] == "She was brave and calm again"


@pytest.mark.parametrize("event", ["mouseup", "keyup", "pointerup", "selectionchange"])
def test_a_toolbar_hears_of_a_selection_as_after_mouse_or_keys(tab: Tab, event: str) -> None:
    for field in ("<textarea aria-label=Note>brave</textarea>", RICH):
        tab.open(f"""{field}<button id=copy disabled>Copy</button><script>
          document.addEventListener('{event}', () => {{
            copy.disabled = getSelection().toString() === '';
          }});</script>""")
        tab.call("select_text", element_id=tab.find("Note"), text="brave")
        assert tab.js("copy.disabled") is False


def test_words_are_selected_across_inline_elements(tab: Tab) -> None:
    tab.open(RICH)

    tab.call("select_text", element_id=tab.find("Note"), text="was brave and brave again")
    tab.call("type", text="is")

    assert tab.js("e.querySelector('p').textContent") == "She is."


def test_the_selection_is_in_the_field_that_has_the_focus(tab: Tab) -> None:
    tab.open(f"<p>She was brave once.</p>{RICH}")
    tab.click("Note")

    tab.call("select_text", text="brave")
    tab.call("type", text="calm")

    assert tab.js("e.querySelector('p').innerText").split()[:4] == ["She", "was", "calm", "and"]


def test_the_caret_is_placed_beside_a_text(tab: Tab) -> None:
    for caret, wanted in [("before", "She xwas"), ("after", "She wasx")]:
        with case(caret, wanted):
            tab.open("<input aria-label=Note value='She was'>")
            answer = tab.call("select_text", element_id=tab.find("Note"), text="was", caret=caret)
            tab.call("type", text="x")
            assert answer["note"] == f'The caret is {caret} "was".'
            assert tab.js("document.querySelector('input').value") == wanted


def test_a_password_is_selected_but_not_returned(tab: Tab) -> None:
    tab.open("<input type=password aria-label=Password value=hunter2>")

    reply = tab.reply("select_text", element_id=tab.find("Password"))
    tab.call("type", text="new")

    assert "hunter2" not in reply.text
    assert tab.js("document.querySelector('input').value") == "new"


def test_text_of_the_page_is_selected(tab: Tab) -> None:
    tab.open(PAGE)

    tab.call("select_text", text="brave and quiet")

    assert selection(tab) == "brave and quiet"


def test_a_selected_text_outside_the_window_is_scrolled_into_view(tab: Tab) -> None:
    tab.open(f"<div style='height: 3000px'>Top</div>{PAGE}")

    tab.call("select_text", text="quiet")

    assert tab.js("scrollY") > 0


def test_text_in_a_frame_is_selected_and_replaced(tab: Tab) -> None:
    tab.open("""<iframe title=Inner srcdoc="<div id=e contenteditable role=textbox
      aria-label=Inside>She was brave</div>"></iframe>""")

    tab.call("select_text", text="brave")
    tab.call("type", text="calm")

    assert tab.js("frames[0].document.body.textContent") == "She was calm"
