"""click: kinds, modifiers, targets, and the reasons for failures."""

import base64
import io
import wave
from typing import Any

import pytest

from tests.whole.cases import case
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
    events = tab.js("log.splice(0)")
    assert all(event[3] for event in events), "every event is a trusted one"
    return [(kind, button, detail) for kind, button, detail, *_ in events]


@pytest.mark.req("C-CLK-01", "P-12", "S-FLOW-02", "S-OPT-01")
def test_a_click_is_one_trusted_press_and_release_per_count(tab: Tab) -> None:
    tab.open(LOGS_MOUSE)
    target, point = {"element_id": tab.find("Target")}, {"x": 20, "y": 20}
    cases: list[Any] = [("click", target), ("click_at", point)]

    for tool, place in cases:
        with case(tool, place):
            tab.call(tool, **place)
            assert logged(tab) == [("mousedown", 0, 1), ("mouseup", 0, 1), ("click", 0, 1)]

            tab.call(tool, **place, click_type="double")
            assert logged(tab) == [
                ("mousedown", 0, 1), ("mouseup", 0, 1), ("click", 0, 1),
                ("mousedown", 0, 2), ("mouseup", 0, 2), ("click", 0, 2), ("dblclick", 0, 2),
            ]  # fmt: skip

            tab.call(tool, **place, click_type="right")
            kinds = [kind for kind, button, _ in logged(tab) if button == 2]
            assert kinds[0] == "mousedown"
            assert "contextmenu" in kinds
            assert "click" not in kinds


@pytest.mark.req("P-12", "S-OPT-02", "S-MOD-01")
def test_modifiers_are_held_only_during_the_click(tab: Tab) -> None:
    cases = [
        (["ctrl"], "ctrl"),
        (["shift", "alt"], "shift+alt"),
        ({"meta": True, "ctrl": False}, "meta"),
    ]

    for modifiers, seen in cases:
        with case(modifiers, seen):
            tab.open(LOGS_MOUSE)

            tab.click("Target", modifiers=modifiers)
            tab.click("Target")

            assert [(event[0], event[4]) for event in tab.js("log") if event[0] == "click"] == [
                ("click", seen),
                ("click", ""),
            ]


@pytest.mark.req("C-ERR-03")
def test_a_click_on_a_covered_element_fails_and_names_the_cover_and_its_buttons(tab: Tab) -> None:
    tab.open("""<button onclick="document.title = 'clicked'">Below</button><div id=cookies
      style="position: fixed; inset: 0">We use cookies
      <button onclick="this.parentNode.remove()">Accept</button>
      <a href=/x aria-hidden=true>More</a></div>""")
    below, accept = tab.find("Below"), tab.find("Accept")

    error = tab.refused("click", element_id=below)

    assert error["code"] == "ELEMENT_NOT_INTERACTIVE"
    assert "covered" in error["message"]
    assert "#cookies" in error["message"]
    assert error["suggestion"].endswith(f"In it: {accept} 'Accept', {tab.find('More')} 'More'.")
    assert tab.js("document.title") == "Written"
    tab.call("click", element_id=accept)
    assert tab.call("click", element_id=below)["title"] == "clicked"


SUGGESTIONS = """<input aria-label=City oninput="l.hidden = false" {}><p id=l hidden style="
  position: absolute; margin: 0; width: 300px; height: 99px; background: #eee">Paris</p><br>
  <button onclick="document.title = 'hit'">Buy</button>"""


def test_a_field_whose_suggestions_cover_an_element_is_left_first(tab: Tab) -> None:
    for hides in ("l.hidden = true", "setTimeout(() => { l.hidden = true }, 100)"):
        tab.open(SUGGESTIONS.format(f'onblur="{hides}"'))
        tab.type("City", "Pa")
        assert tab.click("Buy")["title"] == "hit"

    tab.open(SUGGESTIONS.format("""onkeydown="if (event.key === 'Escape') l.hidden = true" """))
    tab.type("City", "Pa")
    field, buy = tab.find("City"), tab.find("Buy")
    advice = tab.refused("click", element_id=buy)["suggestion"]
    assert f"If {field} opened it: key{{element_id: {field}, key: Escape}}." in advice
    tab.call("key", element_id=field, key="Escape")
    assert tab.call("click", element_id=buy)["title"] == "hit"


MENU = """<style>nav { display: inline-block } #m { display: none; position: absolute; left: 0;
  width: 400px; height: 220px; background: #eee } nav:hover #m { display: block }</style>
<nav style="position: relative"><button id=n>Products</button><div id=m>Lamps</div></nav>
<p style="margin-top: 60px"><button onclick="document.title = 'hit'">Buy</button></p>"""


@pytest.mark.parametrize("place", ["#n", "#m"])
def test_a_menu_under_the_resting_mouse_is_left_before_a_click(tab: Tab, place: str) -> None:
    tab.open(MENU)
    buy = tab.find("Buy")
    tab.call("hover", element_id=tab.call("find", selector="#n")[0]["id"])
    tab.call("hover", element_id=tab.call("find", selector=place)[0]["id"])

    tab.call("click", element_id=buy)

    assert tab.js("document.title") == "hit"


TOOLTIP = """<style>#t { position: absolute; left: 0; top: 30px; width: 300px; height: 90px;
  background: #ffc; display: none } %s</style><button id=n>Edit</button>
<p style="margin-top: 20px"><button onclick="document.title = 'hit'">Buy</button></p><p id=t>Tip</p>
<script>const hide = () => setTimeout(() => { t.style.display = '' }, 80);
  n.onmouseenter = () => { t.style.display = '%s' }; n.onmouseleave = hide</script>"""


@pytest.mark.parametrize(
    ("style", "display"), [("body:has(#n:hover) #t { display: block }", ""), ("", "block")]
)
def test_what_shows_a_tooltip_over_an_element_is_left_before_a_click(
    tab: Tab, style: str, display: str
) -> None:
    tab.open(TOOLTIP % (style, display))
    buy = tab.find("Buy")
    tab.click("Edit")

    tab.call("click", element_id=buy)

    assert tab.js("document.title") == "hit"


HOST = """<x-tab></x-tab><script>customElements.define('x-tab', class extends HTMLElement {{
  constructor() {{
    super();
    this.onclick = () => {{ document.title = 'hit' }};
    this.attachShadow({{ mode: '{mode}' }}).innerHTML =
      `<style>:host {{ display: block; width: 90px }} {part} {{ pointer-events: none }}</style>
       <div><{part} role=tab tabindex=0>Files</{part}></div>`;
  }}
}});</script>"""


@pytest.mark.parametrize(("mode", "part"), [("open", "button"), ("open", "span"), ("closed", "p")])
def test_a_control_whose_custom_element_takes_the_mouse_is_clicked(
    tab: Tab, mode: str, part: str
) -> None:
    tab.open(HOST.format(mode=mode, part=part))

    tab.call("click", element_id=tab.find("Files", role="tab"))

    assert tab.js("document.title") == "hit"


AT = "position: absolute; left: 0; top: 0; width: 200px; height: 200px"
RINGS = {
    "stroke": "<circle {} cx=100 cy=100 r=80 fill=none stroke=red stroke-width=12 />",
    "path": '<path {} fill-rule=evenodd d="M100 5A95 95 0 1 0 101 5ZM100 12A88 88 0 1 1 99 12Z" />',
    "curve": '<path {} d="M10 10 C 10 190, 30 190, 190 190" fill=none stroke=red stroke-width=4 />',
    "group": "<g {}><circle cx=15 cy=15 r=5 /><circle cx=180 cy=160 r=5 /></g>",
    "corner": f'<p {{}} style="{AT}; clip-path: polygon(0 0, 100% 0, 100% 9%, 9% 9%, 0 100%)"></p>',
    "covered": f'<p {{}} style="{AT}"></p><p style="{AT}; left: 9px; top: 9px"></p>',
}


@pytest.mark.parametrize("shape", RINGS)
def test_a_shape_with_a_hole_is_pressed_where_it_is_painted(tab: Tab, shape: str) -> None:
    button = "role=button aria-label=Ring tabindex=0 onmousedown=\"document.title = 'hit'\""
    ring = RINGS[shape].format(button)
    ring = ring if ring.startswith("<p ") else f'<svg style="{AT}">{ring}</svg>'
    tab.open(f'<button style="margin: 70px; width: 60px; height: 60px">Middle</button>{ring}')

    tab.call("drag", source_id=tab.find("Ring"), by={"x": 9, "y": 9})

    assert tab.js("document.title") == "hit"


def test_a_shape_that_nothing_shows_is_an_error(tab: Tab) -> None:
    tab.open(f"<svg style='{AT}'><circle role=button aria-label=None r=9 fill=none /></svg>")

    error = tab.refused("click", element_id=tab.find("None"))

    assert "shows nothing that takes the mouse" in error["message"]


@pytest.mark.parametrize("bar", ["30% 30%", "40% 0 0", "0 0 40%", "0 40% 0 0", "45% 0 0 45%"])
@pytest.mark.parametrize("scroller", ["", "position: absolute; inset: 0; overflow: auto"])
def test_bars_and_boxes_in_front_are_avoided_by_scrolling(
    tab: Tab, bar: str, scroller: str
) -> None:
    tab.open(f"""<main style="{scroller}"><div style="padding: 1500px; width: 3000px">
      <button id=b onclick="document.title = 'hit'">Go</button></div></main>
      <p style="position: fixed; margin: 0; inset: {bar}">Bar</p>""")
    tab.js("b.scrollIntoView({block: 'center', inline: 'center'})")

    tab.click("Go")

    assert tab.js("document.title") == "hit"


STICKY = """<style>#w { width: 420px; height: 170px; overflow: auto }
td, th { min-width: 110px; height: 34px; background: #fff } tr > :first-child { min-width: 260px }
th, tr > :first-child { position: sticky; left: 0; z-index: 1 }
.top { top: 0 } .end { bottom: 0 } .top, .end { z-index: 2; left: auto }</style><div id=w></div>
<script>const press = (place) => `<button onclick="document.title = '${place}'">B${place}</button>`;
const twelve = [...Array(12).keys()];
const row = (r) => `<tr><td>Row ${r}${twelve.map((c) => `<td>${press(`${r}.${c}`)}`).join('')}`;
const edge = (kind) => `<tr>${`<th class=${kind}>X`.repeat(13)}`;
const rows = [...Array(30).keys()].map(row).join('');
w.innerHTML = `<table>${edge('top')}${rows}${edge('end')}</table>`;
w.scrollTo(900, 700);</script>"""


@pytest.mark.parametrize("cell", ["3.0", "20.1", "12.11", "29.5", "0.0"])
def test_a_cell_under_sticky_rows_and_columns_is_scrolled_free(tab: Tab, cell: str) -> None:
    tab.open(STICKY)

    tab.click(f"B{cell}")

    assert tab.js("document.title") == cell


def silence(seconds: int) -> str:
    """Return the address of a sound."""
    data = io.BytesIO()
    with wave.open(data, "wb") as sound:
        sound.setparams((1, 1, 3000, 0, "NONE", ""))
        sound.writeframes(b"\x80" * 3000 * seconds)
    return f"data:audio/wav;base64,{base64.b64encode(data.getvalue()).decode()}"


@pytest.mark.parametrize("kind", ["audio", "video"])
def test_a_click_on_a_player_of_the_browser_plays_and_pauses_it(tab: Tab, kind: str) -> None:
    tab.open(f"<{kind} id=a controls loop aria-label=Lesson src={silence(20)}></{kind}>")
    tab.js("a.readyState || new Promise((done) => { a.onloadedmetadata = () => done(1) })")
    for state in ("playing, 0:20 long", "paused 0:00/0:20"):
        assert state in str(tab.click("Lesson"))


@pytest.mark.smoke
@pytest.mark.req("C-ERR-03", "C-PR-20")
def test_a_click_on_a_disabled_or_hidden_element_fails(tab: Tab) -> None:
    tab.open("/counter.html")
    element, hidden = tab.element("Reset"), tab.find("Clicked")
    tab.js("count.hidden = true")

    error = tab.refused("click", element_id=element["id"])

    assert element["state"] == {"enabled": False}
    assert error["code"] == "ELEMENT_NOT_INTERACTIVE"
    assert "disabled" in error["message"]
    error = tab.refused("click", element_id=hidden)
    assert (error["code"], "not visible" in error["message"]) == ("ELEMENT_NOT_INTERACTIVE", True)


@pytest.mark.req("V-LOOK-01")
def test_a_click_waits_until_the_element_is_enabled(tab: Tab) -> None:
    tab.open("<button disabled onclick=\"document.title = 'clicked'\">Soon</button>")
    tab.js("setTimeout(() => { document.querySelector('button').disabled = false }, 300)")

    assert tab.click("Soon")["title"] == "clicked"


@pytest.mark.smoke
@pytest.mark.req("C-ERR-01", "C-ID-10")
def test_an_unknown_id_is_not_found_with_a_suggestion(tab: Tab) -> None:
    tab.open("/counter.html")
    real = tab.find("Clicked")

    error = tab.refused("click", element_id="btn-0000")

    assert error["code"] == "ELEMENT_NOT_FOUND"
    assert "btn-0000" in error["message"]
    assert real in error["suggestion"]


@pytest.mark.req("C-ID-09")
def test_an_earlier_id_finds_an_element_that_appeared_after_the_last_answer(tab: Tab) -> None:
    tab.open("<button>New</button>")
    button = {"element_id": tab.find("New")}

    for tool, more in [("click", {}), ("evaluate", {"expression": "element.id"})]:
        with case(tool):
            tab.open("<p>Text")
            tab.js("document.body.innerHTML = '<button>New</button>'")
            assert tab.call(tool, **button, **more)
