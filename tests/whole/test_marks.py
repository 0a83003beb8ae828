"""screenshot{marks}: ids of elements drawn on the image."""

from collections.abc import Generator

import pytest

from charlotte import ElementChanged, open_charlotte
from tests.whole.client import Reply
from tests.whole.images import image_of, pixels_of, size_of
from tests.whole.tabs import Tab
from tests.whole.web import Web

pytestmark = pytest.mark.chromium

RED = (0xC4, 0, 0)
"""The color of the first mark."""

BUTTON = (
    "<style>body {{ margin: 0 }} button {{ position: absolute; width: 80px; height: 30px;"
    " left: 100px; border: 0 }}</style><button style='top: {top}px'>{name}</button>"
)


def button(top: int, name: str = "Save") -> str:
    return BUTTON.format(top=top, name=name)


@pytest.fixture
def small(tab: Tab) -> Generator[Tab]:
    """A tab with a small viewport, whose images are decoded quickly."""
    tab.call("viewport", width=400, height=300)
    yield tab
    tab.call("viewport", width=1280, height=720)


Rows = list[list[tuple[int, ...]]]


def rows_of(reply: Reply) -> Rows:
    return pixels_of(image_of(reply)[1])


def is_red_near(rows: Rows, x: int, y: int, distance: int) -> bool:
    """Return whether a pixel at most so far from a point has the color of the first mark."""
    return any(
        row[max(x - distance, 0) : x + distance + 1].count(RED)
        for row in rows[y - distance : y + distance + 1]
    )


def test_marks_draw_a_box_and_a_label_at_an_element(small: Tab) -> None:
    small.open(button(200))

    plain, marked = small.reply("screenshot"), small.reply("screenshot", marks=True)

    rows = rows_of(marked)
    assert rows[200][100] == rows[229][179] == RED
    assert rows[187][101] == RED  # the corner of the label above it
    assert rows[231][99] != RED
    assert not is_red_near(rows_of(plain), 140, 200, 50)
    assert "marked" not in plain.json["data"]
    assert marked.json["data"]["marked"] == 1


def test_only_elements_that_a_click_reaches_are_marked(small: Tab) -> None:
    small.open(
        button(50)
        + button(200, "Covered")
        + button(3000, "Below")
        + "<button style='top: 100px; visibility: hidden'>Hidden</button>"
        + "<div style='position: fixed; top: 200px; height: 50px; width: 100%; background: #fff'>"
    )

    reply = small.reply("screenshot", marks=True)

    assert reply.json["data"]["marked"] == 1
    assert not is_red_near(rows_of(reply), 140, 215, 30)


def test_marks_are_drawn_in_frames_of_other_sites_unless_covered(small: Tab, web: Web) -> None:
    inner = web.url(web.write(button(20) + button(120, "Under the bar")), host="localhost")
    small.open(
        f"<body style='margin: 0'><iframe src='{inner}' style='position: absolute; left: 50px;"
        " top: 100px; width: 300px; height: 170px; border: 0'></iframe>"
        "<div style='position: absolute; top: 200px; height: 90px; width: 100%; background: #fff'>"
    )

    reply = small.reply("screenshot", marks=True)

    assert reply.json["data"]["marked"] == 1
    assert rows_of(reply)[120][150] == RED


@pytest.mark.extended
def test_marks_of_the_full_page_include_elements_below_the_viewport(small: Tab) -> None:
    small.open(button(700) + "<div style='height: 900px'></div>")

    in_viewport = small.call("screenshot", marks=True)["data"]["marked"]
    reply = small.reply("screenshot", marks=True, full_page=True)

    assert (in_viewport, reply.json["data"]["marked"]) == (0, 1)
    assert rows_of(reply)[700][100] == RED


def test_marks_follow_the_scroll_position_region_and_zoom(small: Tab) -> None:
    small.open(button(900) + "<div style='height: 3000px'></div>")
    small.js("scrollTo(0, 800)")

    region = {"x": 60, "y": 60, "width": 200, "height": 100}
    reply = small.reply("screenshot", marks=True, region=region, zoom=2)

    assert size_of(image_of(reply)[1]) == ("png", 400, 200)
    rows = rows_of(reply)
    assert rows[80][80] == rows[139][239] == RED


WATCHED = """
<script>
  window.changes = 0
  new MutationObserver((records) => { changes += records.length })
    .observe(document, {subtree: true, childList: true, attributes: true, characterData: true})
</script>"""


def test_the_page_does_not_notice_marks_and_no_delta_has_them(tab: Tab) -> None:
    tab.open(button(200) + WATCHED)
    before = tab.js("[changes, document.all.length]")
    shown = tab.call("observe", snapshot=True)["snapshot_id"]

    tab.call("screenshot", marks=True)
    delta = tab.call("diff", snapshot_id=shown)

    assert tab.js("[changes, document.all.length]") == before
    assert delta["changes"] == []


async def test_an_id_from_a_mark_counts_as_shown(web: Web) -> None:
    async with open_charlotte() as charlotte, charlotte.open_session() as session:
        tab = await session.open_tab(web.url(web.write("<p>Nothing yet</p>")))
        await tab.evaluate("document.body.innerHTML += '<button id=b>Save</button>'")
        [marked] = (await tab.screenshot(marks=True)).marked
        await tab.evaluate("b.textContent = 'Delete everything'")

        with pytest.raises(ElementChanged):
            await tab.click(marked)
