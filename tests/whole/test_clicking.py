"""click: kinds, modifiers, targets, and the reasons for failures."""

import pytest

from tests.whole.answers import new_texts, property_changes
from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

LOGS_MOUSE = """<button id="b">Target</button><script>
  globalThis.log = [];
  for (const type of ['mousedown', 'mouseup', 'click', 'auxclick', 'contextmenu', 'dblclick'])
    b.addEventListener(type, (e) => {
      e.preventDefault();
      log.push([type, e.button, e.detail, e.isTrusted,
        ['ctrl', 'shift', 'alt', 'meta'].filter((name) => e[`${name}Key`]).join('+')]);
    });
</script>"""


def logged(tab: Tab) -> list[tuple[str, int, int]]:
    events = tab.js("log")
    assert all(event[3] for event in events), "every event is a trusted one"
    return [(kind, button, detail) for kind, button, detail, *_ in events]


@pytest.mark.req("C-CLK-01", "P-12", "S-FLOW-02")
def test_a_click_is_a_trusted_press_and_release_of_the_left_button(tab: Tab) -> None:
    tab.open(LOGS_MOUSE)

    tab.click("Target")

    assert logged(tab) == [("mousedown", 0, 1), ("mouseup", 0, 1), ("click", 0, 1)]


@pytest.mark.req("C-CLK-01", "S-OPT-01")
def test_a_right_click_opens_the_context_menu_of_the_page(tab: Tab) -> None:
    tab.open(LOGS_MOUSE)

    tab.click("Target", click_type="right")

    kinds = [kind for kind, button, _ in logged(tab) if button == 2]
    assert kinds[0] == "mousedown"
    assert "contextmenu" in kinds
    assert "click" not in kinds


def test_a_menu_opened_by_a_right_click_is_not_reported_as_a_cover(tab: Tab) -> None:
    tab.open("""<button oncontextmenu="m.hidden = false; event.preventDefault()">Target</button>
      <div id=m hidden role=menu style="position:fixed;inset:0">
        <div role=menuitem tabindex=0>Copy</div></div>""")

    answer = tab.click("Target", click_type="right")

    assert "Copy" in new_texts(answer)
    assert "note" not in answer


@pytest.mark.req("S-OPT-01")
def test_a_middle_click_does_not_press_the_left_button(tab: Tab) -> None:
    tab.open(LOGS_MOUSE)

    tab.click("Target", click_type="middle")

    assert logged(tab) == [("mousedown", 1, 1), ("mouseup", 1, 1), ("auxclick", 1, 1)]


@pytest.mark.parametrize("button", ["<button %s>Delete</button>", "<i role=button %s>Delete</i>"])
def test_a_click_on_a_row_avoids_the_button_inside_it(tab: Tab, button: str) -> None:
    tab.open(f"""<script>globalThis.log = []</script><p>People</p>
      <div onclick="log.push('row')" style="display:grid;grid-template-columns:1fr 1fr 1fr">
        <b>Ada</b>{button % "onclick=log.push(`button`)"}</div>""")

    tab.call("click", element_id=tab.find("Ada", type="clickable"))

    assert tab.js("log") == ["row"]


@pytest.mark.req("C-CLK-01")
def test_a_double_click_is_two_complete_clicks(tab: Tab) -> None:
    tab.open(LOGS_MOUSE)

    tab.click("Target", click_type="double")

    assert logged(tab) == [
        ("mousedown", 0, 1), ("mouseup", 0, 1), ("click", 0, 1),
        ("mousedown", 0, 2), ("mouseup", 0, 2), ("click", 0, 2), ("dblclick", 0, 2),
    ]  # fmt: skip


@pytest.mark.req("P-12", "S-OPT-02", "S-MOD-01")
@pytest.mark.parametrize(
    ("modifiers", "seen"),
    [
        (["ctrl"], "ctrl"),
        (["shift", "alt"], "shift+alt"),
        ({"meta": True, "ctrl": False}, "meta"),
        ('["alt"]', "alt"),
    ],
)
def test_modifiers_are_held_only_during_the_click(tab: Tab, modifiers: object, seen: str) -> None:
    tab.open(LOGS_MOUSE)

    tab.click("Target", modifiers=modifiers)
    tab.click("Target")

    assert [(event[0], event[4]) for event in tab.js("log") if event[0] == "click"] == [
        ("click", seen),
        ("click", ""),
    ]


def test_a_click_scrolls_an_offscreen_element_into_view(tab: Tab) -> None:
    tab.open("/scroll.html")

    answer = tab.click("Button at the very end")

    assert "The end was reached" in new_texts(answer)


def test_a_click_scrolls_inside_containers(tab: Tab) -> None:
    tab.open("/scroll.html")

    answer = tab.click("Volume 30")

    assert "Volume 30 was clicked." in new_texts(answer)


def test_a_link_over_two_lines_is_clicked_on_its_text(tab: Tab) -> None:
    tab.open("""<p style="width: 300px; font: 20px/1.5 monospace">Some words before it
      <a href="#hit">and a link of two lines</a></p>""")

    answer = tab.click("and a link")

    assert answer["url"].endswith("#hit")


@pytest.mark.req("C-ERR-03")
def test_a_click_on_a_covered_element_fails_and_names_the_cover(tab: Tab) -> None:
    tab.open("""<button onclick="document.title = 'clicked'">Below</button>
      <div id="cookies" style="position: fixed; inset: 0; background: white"
        onclick="document.title = 'cover'">We use cookies</div>""")

    error = tab.refused("click", element_id=tab.find("Below"))

    assert error["code"] == "ELEMENT_NOT_INTERACTIVE"
    assert "covered" in error["message"]
    assert "#cookies" in error["message"]
    assert error["suggestion"]
    assert tab.js("document.title") == "Written"


@pytest.mark.req("C-ERR-03")
def test_the_error_for_a_covered_element_lists_the_buttons_of_the_cover(tab: Tab) -> None:
    tab.open("""<button>Below</button><div style="position: fixed; inset: 0"><p>We use cookies</p>
      <button onclick="this.parentNode.remove()">Accept</button><a href="#more">More</a></div>""")

    below, accept = tab.find("Below"), tab.find("Accept")
    error = tab.refused("click", element_id=below)

    assert error["suggestion"].endswith(f"In it: {accept} 'Accept', {tab.find('More')} 'More'.")
    tab.call("click", element_id=accept)
    tab.call("click", element_id=below)


def test_a_click_waits_until_a_cover_disappears(tab: Tab) -> None:
    tab.open("""<button onclick="document.title = 'clicked'">Below</button>
      <div style="position: fixed; inset: 0; background: white"></div>""")
    tab.js("setTimeout(() => document.querySelector('div').remove(), 300)")

    answer = tab.click("Below")

    assert answer["title"] == "clicked"


@pytest.mark.req("C-ERR-03", "C-PR-20")
def test_a_click_on_a_disabled_element_fails(tab: Tab) -> None:
    tab.open("/counter.html")
    element = tab.element("Reset")

    error = tab.refused("click", element_id=element["id"])

    assert element["state"] == {"enabled": False}
    assert error["code"] == "ELEMENT_NOT_INTERACTIVE"
    assert "disabled" in error["message"]


@pytest.mark.req("V-LOOK-01")
def test_a_click_waits_until_the_element_is_enabled(tab: Tab) -> None:
    tab.open("<button disabled onclick=\"document.title = 'clicked'\">Soon</button>")
    tab.js("setTimeout(() => { document.querySelector('button').disabled = false }, 300)")

    assert tab.click("Soon")["title"] == "clicked"


@pytest.mark.req("C-ERR-03")
def test_a_click_on_an_element_hidden_since_observe_fails(tab: Tab) -> None:
    tab.open("<button>Seen</button>")
    element_id = tab.find("Seen")
    tab.js("document.querySelector('button').style.visibility = 'hidden'")

    error = tab.refused("click", element_id=element_id)

    assert error["code"] == "ELEMENT_NOT_INTERACTIVE"
    assert "visible" in error["message"]


def test_a_click_waits_until_a_sliding_element_has_stopped(tab: Tab) -> None:
    tab.open("""<style>button { position: absolute; animation: come .4s both }
      @keyframes come { from { left: 900px } to { left: 10px } }</style>
      <button onclick="document.title = 'hit'">Sliding</button>""")
    tab.js("document.querySelector('button').getAnimations()[0].currentTime = 0")

    assert tab.click("Sliding")["title"] == "hit"


@pytest.mark.req("C-ERR-01", "C-ID-10")
def test_an_unknown_id_is_not_found_with_a_suggestion(tab: Tab) -> None:
    tab.open("/counter.html")
    real = tab.find("Clicked")

    error = tab.refused("click", element_id="btn-0000")

    assert error["code"] == "ELEMENT_NOT_FOUND"
    assert "btn-0000" in error["message"]
    assert real in error["suggestion"]


@pytest.mark.req("V-LOOK-03")
def test_a_removed_element_is_not_found(tab: Tab) -> None:
    tab.open("<button>Here</button><button>There</button>")
    element_id = tab.find("Here")
    tab.js("document.querySelector('button').remove()")

    error = tab.refused("click", element_id=element_id)

    assert error["code"] == "ELEMENT_NOT_FOUND"
    assert error["suggestion"]


@pytest.mark.req("C-ID-09")
def test_a_recreated_element_keeps_its_id(tab: Tab) -> None:
    tab.open("""<div><button onclick="document.title = 'old'">Go</button></div>""")
    element_id = tab.find("Go")
    tab.js("""document.querySelector('div').innerHTML =
      '<button onclick="document.title = `new`">Go</button>'""")

    assert tab.call("click", element_id=element_id)["title"] == "new"


@pytest.mark.req("C-ID-09")
def test_an_id_from_before_a_navigation_finds_the_same_element_afterwards(tab: Tab) -> None:
    tab.open("/counter.html")
    element_id = tab.find("Clicked 0")
    tab.open("/form.html")
    tab.open("/counter.html")

    assert "The count is 1." in new_texts(tab.call("click", element_id=element_id))


def test_text_inside_a_button_does_not_cover_it(tab: Tab) -> None:
    tab.open("""<button onclick="document.title = 'hit'"><b>Bold</b> <i>words</i></button>""")

    assert tab.click("Bold words")["title"] == "hit"


def test_a_checkbox_behind_its_label_is_clicked_through_the_label(tab: Tab) -> None:
    tab.open("""<label style="position: relative">
      <input type="checkbox" style="opacity: 0; position: absolute">
      <span style="position: relative; display: inline-block; background: white">Agree</span>
      </label>""")

    answer = tab.click("Agree")

    assert tab.js("document.querySelector('input').checked") is True
    assert property_changes(answer, "state.checked") == [(False, True)]
