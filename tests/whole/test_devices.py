"""viewport: the properties of the device that pages see."""

from typing import Any

import pytest

from tests.whole.answers import new_texts
from tests.whole.cases import case
from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

SIZE = "[innerWidth, innerHeight]"
SEEN = """({
  size: [innerWidth, innerHeight], scale: devicePixelRatio, touch: navigator.maxTouchPoints > 0,
  dark: matchMedia('(prefers-color-scheme: dark)').matches,
  number: (1234.5).toLocaleString(), language: navigator.language,
  zone: Intl.DateTimeFormat().resolvedOptions().timeZone, agent: navigator.userAgent,
  place: await new Promise((done) => navigator.geolocation.getCurrentPosition(
    ({coords}) => done([coords.latitude, coords.longitude]), ({message}) => done(message))),
})"""
ELSEWHERE: dict[str, Any] = {
    "device": "Pixel 8",
    "color_scheme": "dark",
    "locale": "de-DE",
    "timezone": "Asia/Tokyo",
    "geolocation": {"latitude": 52.5, "longitude": 13.4},
}


@pytest.mark.smoke
@pytest.mark.req("C-VP-01", "C-VP-03")
def test_a_tab_has_the_size_it_is_given(fresh_tab: Tab) -> None:
    fresh_tab.open("<h1>Sized</h1>")
    assert fresh_tab.js(SIZE) == [1280, 720]

    answer = fresh_tab.call("viewport", width=640, height=480)

    assert fresh_tab.js(SIZE) == [640, 480]
    assert answer["device"] == {"width": 640, "height": 480, "scale": 1}
    assert "delta" in answer


@pytest.mark.req("C-VP-02")
def test_a_device_overrides_the_size(tab: Tab) -> None:
    tab.open("<h1>Sized</h1>")
    cases = [("mobile", [375, 667]), ("tablet", [768, 1024]), ("desktop", [1280, 720])]

    for device, size in cases:
        with case(device, size):
            tab.call("viewport", device=device, width=99, height=99)
            assert tab.js(SIZE) == size


def test_a_device_name_can_select_landscape_orientation(fresh_tab: Tab) -> None:
    fresh_tab.open("<meta name=viewport content='width=device-width'><h1>Sized</h1>")

    answer = fresh_tab.call("viewport", device="ipad air  Landscape")

    assert fresh_tab.js(SIZE) == [1180, 820]
    assert fresh_tab.js("navigator.maxTouchPoints > 0 && /iPad/.test(navigator.userAgent)")
    assert (answer["device"]["width"], answer["device"]["mobile"]) == (1180, True)


def test_an_unknown_device_is_refused_with_the_known_ones(tab: Tab) -> None:
    error = tab.refused("viewport", device="Toaster")

    assert error["code"] == "INVALID_ARGUMENT"
    assert "iPhone SE" in error["suggestion"]


def test_a_page_in_any_renderer_sees_all_properties_of_the_device(fresh_tab: Tab) -> None:
    path = fresh_tab.web.write("<meta name=viewport content='width=device-width'><h1>Seen</h1>")
    fresh_tab.call("viewport", **ELSEWHERE)

    for host in ("localhost", "elsewhere.localhost"):
        fresh_tab.call("navigate", url=fresh_tab.web.url(path, host=host))
        seen = fresh_tab.js(SEEN)

        assert "Android" in seen.pop("agent")
        assert seen == {
            "size": [412, 915],
            "scale": 2.625,
            "touch": True,
            "dark": True,
            "number": "1.234,5",
            "language": "de-DE",
            "zone": "Asia/Tokyo",
            "place": [52.5, 13.4],
        }


def test_a_removed_device_leaves_no_trace(fresh_tab: Tab) -> None:
    path = fresh_tab.web.write("<h1>Seen</h1>")
    seen = SEEN.replace("place:", "place: 0 &&")
    fresh_tab.call("navigate", url=fresh_tab.web.url(path))
    before = fresh_tab.js(seen)

    fresh_tab.call("viewport", **ELSEWHERE)
    assert fresh_tab.js(seen) != before
    put_away = {"color_scheme": "no-preference", "locale": "", "timezone": ""}
    fresh_tab.call("viewport", device="desktop", **put_away)

    assert fresh_tab.js(seen) == before
    fresh_tab.call("reload")
    assert fresh_tab.js(seen) == before


PRINTED = """<style>@media print { nav { display: none } } @media screen { footer { display: none }
  }</style><nav><a href="/">Home</a></nav><h1>Invoice</h1><footer>Printed on paper</footer>"""


def test_print_media_shows_the_print_view_until_it_is_reset(fresh_tab: Tab) -> None:
    fresh_tab.open(PRINTED)

    printed = fresh_tab.call("viewport", media="print")

    assert printed["device"]["media"] == "print"
    assert "Printed on paper" in new_texts(printed)
    assert [one["type"] for one in fresh_tab.call("find", text="Home")] == ["note"]
    fresh_tab.open(PRINTED)
    [note] = fresh_tab.call("find", text="Home")
    assert "Only hidden text has it" in note["text"]
    assert "media" not in fresh_tab.call("viewport", media="")["device"]
    assert fresh_tab.element("Home")


def test_a_refused_viewport_setting_leaves_the_size_unchanged(tab: Tab) -> None:
    tab.open("<h1>Sized</h1>")
    before = tab.js(SIZE)

    error = tab.refused("viewport", width=333, height=333, timezone="Mars/Olympus")

    assert error["code"] == "INVALID_ARGUMENT"
    assert "imezone" in error["message"]
    assert tab.js(SIZE) == before


POINTERS = """['pointer: fine', 'any-pointer: fine', 'hover: hover', 'any-hover: hover',
  'pointer: coarse', 'hover: none'].filter((query) => matchMedia(`(${query})`).matches)"""
MOUSE = ["pointer: fine", "any-pointer: fine", "hover: hover", "any-hover: hover"]


def test_pages_frames_and_windows_report_a_mouse(fresh_tab: Tab) -> None:
    for host in ["127.0.0.1", "other.localhost"]:
        with case(host):
            inner = fresh_tab.web.write(f"<script>parent.postMessage({POINTERS}, '*')</script>")
            url = fresh_tab.web.url(inner, host=host)
            fresh_tab.open(f"""<script>pointers = new Promise((done) => {{
      onmessage = ({{ data }}) => done(data) }})</script>
      <iframe src='{url}'></iframe><a target=_blank href='{url}'>Open</a>""")

            [opened] = fresh_tab.click("Open")["opened_tabs"]

            assert fresh_tab.js(POINTERS) == MOUSE
            assert fresh_tab.js("await pointers") == MOUSE
            assert Tab(fresh_tab.server, fresh_tab.web, opened["id"]).js(POINTERS) == MOUSE


TOUCHED = """<meta name=viewport content="width=device-width"><button id=b>Add</button>
<p id=g role=button aria-label=Photo style="width: 300px; height: 200px">1</p><i draggable=true
  id=d role=button aria-label=Card style="display: block; height: 50px">Card</i><script>
  globalThis.log = [];
  for (const kind of ['touchstart', 'touchend', 'mousedown', 'click', 'contextmenu'])
    b.addEventListener(kind, (e) => log.push(kind));
  let start = 0;
  g.ontouchstart = (e) => { start = e.touches[0].clientX };
  g.ontouchend = (e) => { g.textContent = Math.round(e.changedTouches[0].clientX - start) };
  b.ondragover = (e) => e.preventDefault();
  b.ondrop = () => { document.title = 'dropped' };
</script>"""


def test_on_a_touch_screen_a_click_taps_and_a_drag_swipes(fresh_tab: Tab) -> None:
    fresh_tab.call("viewport", device="iPhone 15")
    fresh_tab.open(TOUCHED)
    add = fresh_tab.find("Add")

    fresh_tab.call("click", element_id=add)
    tapped = fresh_tab.js("log.splice(0)")
    fresh_tab.call("click", element_id=add, hold=100, click_type="double")
    twice = fresh_tab.js("log.splice(0)")
    fresh_tab.call("click", element_id=add, click_type="right")
    fresh_tab.call("drag", source_id=fresh_tab.find("Photo"), by={"x": -120, "y": 0})
    fresh_tab.call("drag", source_id=fresh_tab.find("Card"), target_id=add)

    assert tapped == ["touchstart", "touchend", "mousedown", "click"]
    assert [twice.count(kind) for kind in ("touchstart", "click")] == [2, 2]
    assert fresh_tab.js("log") == ["mousedown", "contextmenu"]
    assert fresh_tab.js("g.textContent") == "-120"
    assert fresh_tab.js("document.title") == "dropped", "by the mouse: fingers only scroll"
