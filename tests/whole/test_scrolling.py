"""scroll: pages, amounts, containers, elements and the wheel."""

from typing import Any

import pytest

from tests.whole.cases import case
from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

TALL = """<body style="margin:0"><div style="height:5000px;width:3000px">tall</div>
<button>Last</button>"""

BOX = """<main aria-label="List" tabindex="0" id="m" style="height:200px;overflow:auto">
<div style="height:2000px">rows</div></main>"""


@pytest.mark.req("C-SCR-01", "C-SCR-02")
def test_scroll_moves_the_page_by_the_given_amount(tab: Tab) -> None:
    cases: list[Any] = [
        ({"direction": "down"}, (500, 1720)),
        ({"direction": "down", "amount": "half"}, (500, 1360)),
        ({"direction": "right", "amount": "200"}, (700, 1000)),
        ({"direction": "left", "amount": 150}, (350, 1000)),
        ({"direction": "up"}, (500, 280)),
    ]

    for arguments, position in cases:
        with case(arguments, position):
            tab.open(TALL)
            tab.js("scrollTo(500, 1000)")
            answer = tab.call("scroll", **arguments)
            assert (answer["scroll"]["x"], answer["scroll"]["y"]) == position
            assert tab.js("[scrollX, scrollY]") == list(position)
            assert answer["delta"]["changes"] == []


@pytest.mark.req("C-SCR-03")
def test_scroll_moves_a_container_without_the_page(tab: Tab) -> None:
    tab.open(f"{BOX}<div style='height: 3000px'>")
    [container] = tab.call("observe")["structure"]["landmarks"]

    answer = tab.call("scroll", direction="down", element_id=container["id"])

    assert answer["scroll"] == {"x": 0, "y": 200, "max_x": 0, "max_y": 1800}
    assert tab.js("[m.scrollTop, scrollY]") == [200, 0]


def test_scroll_turns_the_wheel_at_a_point_in_a_direction(tab: Tab) -> None:
    tab.open(BOX)

    tab.call("scroll", x=50, y=50, direction="down", amount=120)
    error = tab.refused("scroll", x=50, y=50)

    assert tab.js("new Promise((done) => setTimeout(() => done(m.scrollTop), 100))") == 120
    assert error["code"] == "INVALID_ARGUMENT"
    assert "direction" in error["suggestion"]


ROWS = """<body style="margin:0"><div id="list" style="height:200px;overflow:auto">
<div style="height:900px"><button>Row one</button></div></div><div style="height:5000px"></div>"""


def test_scroll_moves_and_names_the_container_of_an_element(tab: Tab) -> None:
    tab.open(ROWS)

    answer = tab.call("scroll", direction="down", amount=150, element_id=tab.find("Row one"))

    assert tab.js("[list.scrollTop, scrollY]") == [150, 0]
    assert answer["scroll"] == {"x": 0, "y": 150, "max_x": 0, "max_y": 700}
    assert "div#list" in answer["note"]


def test_scroll_refuses_missing_or_invalid_arguments(tab: Tab) -> None:
    tab.open("<button>Still</button>")
    still = tab.refused("scroll", direction="down", element_id=tab.find("Still"))
    assert still["code"] == "ELEMENT_NOT_INTERACTIVE"
    cases: list[Any] = [{}, {"amount": "page"}, {"direction": "down", "amount": "x"}]

    for arguments in cases:
        with case(arguments):
            assert tab.refused("scroll", **arguments)["code"] == "INVALID_ARGUMENT"


BOXED = "<div style='height: 200px; overflow: auto'><div style='height: 1000px'></div></div>"
SCROLLERS = {
    "box": BOXED,
    "frame": """<iframe style="border: 0; height: 200px"
      srcdoc="<body style='margin: 0; height: 1000px'>"></iframe>""",
    "box in a frame": f"""<iframe style="border: 0; height: 300px"
      srcdoc="<body style='margin: 0'>{BOXED}"></iframe>""",
}


def test_a_wheel_scroll_returns_the_position_of_the_moved_scroller(tab: Tab) -> None:
    for around in ["", "<div style='height: 3000px'></div>"]:
        for what, scroller in SCROLLERS.items():
            with case(around, what):
                tab.open(f"<body style='margin: 0'>{scroller}{around}")
                offset = tab.call("scroll", x=50, y=50, scroll_offset={"y": 300})
                direction = tab.call("scroll", x=50, y=50, direction="down", amount=100)
                assert offset["scroll"] == {"x": 0, "y": 300, "max_x": 0, "max_y": 800}
                assert direction["scroll"] == {"x": 0, "y": 400, "max_x": 0, "max_y": 800}


SECTIONS = """<style>body { margin: 0; height: 100vh } section { height: 100vh }</style>
<div id=w style="overflow: clip; height: 100%"><section>One</section><section>Two</section></div>
<script>addEventListener('wheel', (e) => { e.preventDefault(); w.firstChild.textContent += 'x' },
  { passive: false })</script>"""
HIDDEN = "<style>html { overflow: hidden }</style>"
HEARD = [
    SECTIONS,
    SECTIONS.replace("overflow: clip; ", "") + HIDDEN,
    SECTIONS.replace("overflow: clip; height: 100%", "height: 3000px"),
]


@pytest.mark.parametrize("named", [False, True])
@pytest.mark.parametrize("page", HEARD)
def test_scroll_turns_the_wheel_and_leaves_the_page_to_its_listener(
    tab: Tab, page: str, *, named: bool
) -> None:
    tab.open(page)

    of = {"element_id": tab.call("find", selector="#w")[0]["id"]} if named else {}
    answer = tab.call("scroll", direction="down", **of)

    assert tab.js("[w.innerText.split('\\n')[0], scrollY]") == ["Onex", 0]
    assert "Nothing scrolled" not in answer.get("note", "")


def test_scroll_does_not_scroll_what_no_hand_can(tab: Tab) -> None:
    tab.open(TALL + HIDDEN)

    answer = tab.call("scroll", direction="down")

    assert tab.js("scrollY") == 0
    assert answer["note"] == "Nothing scrolled: the page hides what overflows."


def test_a_scroller_under_the_mouse_does_not_take_the_scroll_of_another(tab: Tab) -> None:
    frame = "<iframe srcdoc='<p style=height:3000px>' style='width: 90%'></iframe>"
    tab.open(f"""<canvas width=900 height=500 style="touch-action: none"
      onwheel="m.remove()"></canvas>
      <main id=m style="height: 400px; overflow: auto" aria-label=List>
      <div style="height: 300px; overflow: auto; width: 90%"><p style="height: 900px"></p></div>
      {frame}<p style="height: 2000px"></p></main><p style="height: 2000px"></p>""")
    [container] = tab.call("observe")["structure"]["landmarks"]

    tab.call("scroll", direction="down", amount=150, element_id=container["id"])
    tab.call("scroll", direction="down", amount=120)

    assert tab.js("[m.scrollTop, scrollY, m.firstElementChild.scrollTop]") == [150, 120, 0]
