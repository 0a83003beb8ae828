"""Frames and closed shadow roots: their content is seen and used like the rest of the page."""

import json

import pytest

from tests.whole.answers import changes, headings, labels, mentions, messages, new_texts
from tests.whole.cases import case
from tests.whole.tabs import Tab, eventually

pytestmark = pytest.mark.chromium

INSIDE = """<body style="margin: 0"><h2>Inside</h2><label>Field <input></label>
  <button style="width: 80px; height: 20px" onclick="this.textContent = 'Done'">Do</button>
  <button onclick="this.textContent = 'Done too'">Fade</button>"""
OTHER_SITE = "other.localhost"


def same_origin(tab: Tab) -> str:
    return f'src="{tab.web.write(INSIDE)}"'


def srcdoc(_: Tab) -> str:
    return f"srcdoc='{INSIDE.replace(chr(39), '&#39;')}'"


def other_process(tab: Tab) -> str:
    return f'src="{tab.web.url(tab.web.write(INSIDE), host=OTHER_SITE)}"'


def nested(tab: Tab) -> str:
    """Return the source of a frame of another site with a frame of the page's site."""
    inner = tab.web.url(tab.web.write(INSIDE))
    outer = tab.web.write(f'<iframe title="Part" style="border: 0; width: 290px" src="{inner}">')
    return f'src="{tab.web.url(outer, host=OTHER_SITE)}"'


def sandboxed(tab: Tab) -> str:
    return f"sandbox='allow-scripts' {srcdoc(tab)}"


TRANSFORMS = {
    "transform: rotate(90deg)": "",
    "transform: scaleX(-1)": "padding: 9px",
    "transform: skewX(25deg)": "transform: rotate(-37deg) scale(0.7); border-left: 30px solid",
    "perspective: 400px": "transform: rotateY(50deg) rotateX(15deg)",
    "transform: rotateY(180deg)": "",
    "zoom: 1.5": "margin: 10px",
}


def test_a_click_lands_in_a_frame_that_is_turned_or_mirrored(tab: Tab) -> None:
    for outer, inner in TRANSFORMS.items():
        for kind in (srcdoc, other_process, nested):
            with case(outer, inner, kind.__name__):
                frame = f'<iframe {kind(tab)} style="width: 300px; {inner}"></iframe>'
                tab.open(f'<body style="margin: 150px"><div style="width: 350px; {outer}">{frame}')

                assert changes(tab.click("Fade"), to="Done too")
                assert changes(tab.click("Do"), to="Done")


@pytest.mark.req("V-CAP-03", "C-PR-11", "P-14", "P-17")
def test_the_content_of_a_frame_is_listed_and_used_like_the_page(tab: Tab) -> None:
    for kind in (same_origin, nested, srcdoc, other_process, sandboxed):
        with case(kind.__name__):
            tab.open(f"""<body style="margin: 0"><div style="height: 100px"><button>Before</button>
              </div><main><iframe title="Part" {kind(tab)} style="border: 5px solid; padding: 3px">
              </iframe></main><button>After</button>""")
            check_content(tab)
            check_use(tab)
            check_navigation(tab)


def check_content(tab: Tab) -> None:
    """Check that the elements of a frame are in order, 100 px below the top of the page."""
    answer = tab.call("observe", detail="full")
    assert [(each["label"], each.get("frame")) for each in answer["interactive"]] == [
        ("Before", None),
        ("Field", "Part"),
        ("Do", "Part"),
        ("Fade", "Part"),
        ("After", None),
    ]
    assert [heading["text"] for heading in answer["structure"]["headings"]] == ["Inside"]
    assert "notices" not in answer
    assert '- heading "Inside"' in tab.reply("observe", mode="tree").text
    box = tab.element("Do")["bounds"]
    assert (box["w"], box["h"]) == (80, 20)
    assert box["y"] > 108
    shot = tab.reply("screenshot", selector=tab.find("Do")).result["content"][1]
    assert shot["mimeType"] == "image/png"


def check_use(tab: Tab) -> None:
    [found] = [each for each in tab.call("find", selector="button") if each["text"] == "Do"]
    assert found["bounds"] == tab.element("Do")["bounds"]
    [change] = changes(tab.call("click", element_id=found["id"]), property="label")
    assert (change["from"], change["to"]) == ("Do", "Done")
    tab.type("Field", "héllo")
    assert tab.element("Field")["value"] == "héllo"
    assert tab.element("Field")["state"]["focused"] is True


def check_navigation(tab: Tab) -> None:
    """Check that a frame that navigates is read again."""
    url = tab.web.url(tab.web.write("<button>Next</button>"), host="third.localhost")
    tab.js(f"""new Promise((resolve) => {{
      const frame = document.querySelector('iframe');
      frame.onload = resolve;
      frame.src = '{url}';
      frame.removeAttribute('srcdoc');
    }}).then(() => 0)""")
    assert labels(tab.call("observe")) == ["Before", "Next", "After"]


def test_a_hanging_frame_is_omitted_and_reported(tab: Tab) -> None:
    stuck = tab.web.url(
        tab.web.write(
            "<button>In</button><script>onmessage = () => {"
            "parent.postMessage('', '*'); setTimeout(() => { for (;;); }) }</script>"
        ),
        host="stuck.localhost",
    )
    tab.open(f'<button>Out</button><iframe title="Stuck" src="{stuck}"></iframe>')
    assert labels(tab.call("observe")) == ["Out", "In"]
    tab.js("new Promise((r) => { onmessage = () => r(1); frames[0].postMessage('now', '*') })")

    answer = tab.call("observe")

    assert labels(answer) == ["Out"]
    assert "'Stuck' does not answer" in answer["notices"][0]
    for mode in ("tree", "content"):
        text, about = tab.reply("observe", mode=mode, include_refs=True).texts
        assert '"In"' not in text
        assert "'Stuck' does not answer" in json.loads(about)["notices"][0]
    assert "delta" in tab.click("Out")


def test_only_fifty_frames_are_read(tab: Tab) -> None:
    tab.open("<iframe srcdoc='<button>In</button>'></iframe>" * 52)

    eventually(lambda: labels(tab.call("observe")) == ["In"] * 50)
    assert "2 more" in tab.call("observe")["notices"][0]
    assert "2 more" in tab.call("find", text="Out")[0]["text"]


@pytest.mark.req("C-CON-01", "C-REQ-06")
def test_frames_of_other_processes_have_console_and_requests(tab: Tab) -> None:
    inner = tab.web.write("""<button>In</button><script>console.log('from inside');
      fetch('/missing-inside').then(() => { throw new Error('thrown inside') })</script>""")
    outer = tab.web.write(f'<iframe src="{tab.web.url(inner)}"></iframe>')
    tab.open(f'<iframe src="{tab.web.url(outer, host=OTHER_SITE)}"></iframe>')
    tab.web.wait_for_request("/missing-inside")

    eventually(lambda: mentions(tab.call("console"), "thrown inside"))
    assert messages(tab.call("console")).count("from inside") == 1
    urls = [row["url"] for row in tab.call("requests")["requests"]]
    for path in (inner, outer, "/missing-inside"):
        assert sum(url.endswith(path) for url in urls) == 1


def test_a_selector_finds_an_element_in_a_recently_added_frame(tab: Tab) -> None:
    tab.open("<button>Before</button>")
    tab.js("""const late = document.createElement('iframe');
      const loaded = new Promise((resolve) => { late.onload = resolve; });
      late.srcdoc = '<button id=late>Late</button>';
      document.body.prepend(late); await loaded; 1""")

    [found] = tab.call("find", selector="#late")

    assert found["text"] == "Late"
    assert found["bounds"]
    assert tab.reply("screenshot", selector="#late").json["success"] is True


CLOSED = """<button>Before</button>HOST<button>After</button><script>
  const inside = `<h2>Inside</h2><label>Field <input></label>
    <button onclick="this.textContent = 'Done'">Do</button>`;
  globalThis.roots = ['#host', 'x-host'].flatMap((css) => [...document.querySelectorAll(css)])
    .map((host) => Object.assign(host.attachShadow({ mode: 'closed' }), { innerHTML: inside }));
</script>"""
HOSTS = {
    "plain": '<div id="host"></div>',
    "custom": "<script>customElements.define('x-host', class extends HTMLElement {})</script>"
    "<x-host>Light</x-host>",
}


@pytest.fixture(params=HOSTS)
def closed(request: pytest.FixtureRequest, tab: Tab) -> Tab:
    """A page with a closed shadow root between two buttons."""
    tab.open(CLOSED.replace("HOST", HOSTS[request.param]))
    return tab


def test_closed_roots_are_listed_in_order_clicked_and_typed_into(closed: Tab) -> None:
    answer = closed.call("observe", detail="full")
    [change] = changes(closed.click("Do"), property="label")
    closed.type("Field", "seen")

    assert headings(answer) == ["Inside"]
    assert mentions(answer["structure"]["full_content"], "Inside")
    assert not mentions(answer, "Light")
    assert (change["from"], change["to"]) == ("Do", "Done")
    assert labels(closed.call("observe")) == ["Before", "Field", "Done", "After"]
    assert closed.element("Field")["value"] == "seen"
    assert closed.js("roots[0].querySelector('input').value") == "seen"


def test_nested_closed_roots_in_a_frame_are_read(tab: Tab) -> None:
    inner = tab.web.write("""<div id="a"></div><script>{
      const outer = a.attachShadow({ mode: 'closed' });
      outer.innerHTML = '<section></section>';
      outer.firstChild.attachShadow({ mode: 'closed' }).innerHTML = '<button>Deep</button>';
    }</script>""")
    tab.open(f'<iframe src="{tab.web.url(inner, host="other.localhost")}"></iframe>')

    assert labels(tab.call("observe")) == ["Deep"]
    assert "delta" in tab.click("Deep")


def test_a_frame_that_is_not_loaded_yet_is_named_and_costs_no_wait(tab: Tab) -> None:
    path = tab.web.write("<button>Pay now</button>")
    frame = f"<iframe loading=lazy src={path} title=Payment></iframe>"

    opened = tab.open(f"<div style='height: 9000px'>Order</div>{frame}")

    [note] = tab.call("find", text="Pay now")
    left_out = "The frame 'Payment' is loaded only once it is scrolled to"
    assert opened["notices"][0].startswith(left_out)
    assert note["text"].startswith(left_out)
    assert not tab.web.asked(path)
    tab.call("scroll", direction="down", amount=9000)
    assert tab.find("Pay now")


@pytest.mark.parametrize("source", ["loading=lazy src=/counter.html", "src=/hang"])
def test_frames_that_are_not_loaded_are_named_together_once_for_each_look(
    tab: Tab, source: str
) -> None:
    frames = "".join(f"<iframe {source}?{name} title=F{name}></iframe>" for name in range(7))
    page = f"<button>Go</button><div style='height: 9000px'></div>{frames}"

    opened = tab.open(page, wait_for="domcontentloaded")

    start = "The content of 7 frames is left out, 'F0', 'F1', 'F2', 'F3', 'F4' and 2 more: each is "
    assert [notice.startswith(start) for notice in opened["notices"]] == [True]
    assert "notices" not in tab.click("Go")
    assert len(tab.call("observe")["notices"]) == 1
    assert tab.call("find", text="Pay now")[0]["text"].startswith(start)
    assert "notices" not in tab.open("<p>No frame")


@pytest.mark.parametrize("way", ["<a href='{}'>Go</a>", "<form action='{}'><button>Go</button>"])
def test_a_scriptless_page_of_the_site_of_a_frame_is_read_and_used(tab: Tab, way: str) -> None:
    button = "<button onclick='this.textContent = `Pressed`'>Press</button>"
    there = tab.web.url(tab.web.write(f"<h1>Arrived</h1>{button}"), host=OTHER_SITE)
    tab.open(f"<iframe {other_process(tab)}></iframe>{way.format(there)}")

    assert mentions(tab.click("Go"), "Arrived")
    assert "Pressed" in new_texts(tab.click("Press"))
