"""What a click answers holds what the page did with it, however the page does it."""

from collections.abc import Mapping

import pytest

from charlotte.demo.routes import Response
from tests.whole.tabs import Tab
from tests.whole.ways import WAYS, markup
from tests.whole.web import Web

pytestmark = pytest.mark.chromium


@pytest.fixture(scope="module")
def paths(web: Web) -> Mapping[str, str]:
    """What the ways load."""
    types = {"script": "done()", "module": "export const show = (done) => done()",
             "worker": "setTimeout(postMessage, 100, 1)"}  # fmt: skip
    published = {
        name: web.publish(Response(text.encode(), content_type="text/javascript"))
        for name, text in types.items()
    }
    style = web.publish(Response(b"p { color: red }", content_type="text/css"))
    return {**published, "style": style, "done": web.write("<h2>Done</h2>")}


@pytest.mark.req("C-CLK-02")
@pytest.mark.parametrize("way", WAYS)
def test_the_answer_to_the_click_has_it_all(tab: Tab, paths: Mapping[str, str], way: str) -> None:
    tab.open(markup(way, **paths))

    reply = tab.reply("click", element_id=tab.find("Go"))

    assert '"Done"' in reply.text, reply.metadata
    assert reply.metadata["settled"] is True, reply.json["unsettled"]


@pytest.mark.parametrize(
    "activity",
    [
        "setInterval(() => { at.textContent = Math.random() }, 50)",
        "const tick = () => { at.textContent = Math.random(); setTimeout(tick, 50) }; tick()",
        "const tick = () => setTimeout(() => tick(), 20); tick()",
        "setInterval(() => fetch('/echo'), 50)",
        "new EventSource('/hang')",
        "at.animate({opacity: [0, 1]}, {duration: 1000, iterations: Infinity})",
        "const spin = () => { at.title = Math.random(); requestAnimationFrame(spin) }; spin()",
    ],
)
def test_what_goes_on_for_ever_holds_nobody(tab: Tab, activity: str) -> None:
    tab.open(f"<button onclick='document.title = 1'>Go</button><p id=at></p>"
             f"<script>{activity}</script>")  # fmt: skip

    reply = tab.reply("click", element_id=tab.find("Go"))

    assert reply.json["title"] == "1"
    assert reply.seconds < 3


@pytest.mark.parametrize(
    "activity",
    [
        "",
        "setInterval(() => {}, 50)",
        "const tick = () => setTimeout(tick, 50); tick()",
        "new Worker(URL.createObjectURL(new Blob(['setInterval(postMessage, 50, 1)'])))",
    ],
)
def test_an_action_that_begins_nothing_waits_for_nothing(tab: Tab, activity: str) -> None:
    tab.open(f"<button>Go</button><script>{activity}</script>")
    tab.js("new Promise((resolve) => setTimeout(resolve, 300))")

    assert tab.reply("click", element_id=tab.find("Go")).metadata["waited_for"] == []


def test_a_worker_that_does_not_answer_is_waited_for_only_once(tab: Tab) -> None:
    tab.open("""<button onclick="worker.postMessage(1)">Go</button>
      <script>const worker = new Worker(URL.createObjectURL(new Blob(['0'])))</script>""")
    button = tab.find("Go")

    tab.call("click", element_id=button)

    assert tab.reply("click", element_id=button).metadata["waited_for"] == []


def test_what_waits_for_timers_looks_native(tab: Tab) -> None:
    tab.open("/counter.html")

    for name in ("setTimeout", "clearTimeout", "setInterval", "requestIdleCallback", "Worker",
                 "Function.prototype.toString", "EventTarget.prototype.addEventListener",
                 "Worker.prototype.postMessage"):  # fmt: skip
        last = name.rpartition(".")[2]
        assert tab.js(f"Function.prototype.toString.call({name})") == (
            f"function {last}() {{ [native code] }}"
        )
        assert tab.js(f"{name}.name") == last
    assert tab.js("setTimeout.length") == 1
    assert tab.js("const w = new Worker('data:,'); w instanceof Worker && w.constructor === Worker")
    assert tab.js("Object.keys(window).filter((key) => /overhear|pending/.test(key))") == []
