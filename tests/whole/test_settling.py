"""The answer of a click contains all effects of the click, however the page produces them."""

from collections.abc import Mapping

import pytest
from starlette.responses import HTMLResponse, Response

from tests.whole.answers import new_texts
from tests.whole.cases import case
from tests.whole.tabs import Tab
from tests.whole.ways import EXPECTED_TEXTS, WAYS, markup
from tests.whole.web import Web

pytestmark = pytest.mark.chromium


@pytest.fixture(scope="module")
def paths(web: Web) -> Mapping[str, str]:
    """Publish the resources that the pages load; return their paths."""
    types = {"script": "done()", "module": "export const show = (done) => done()",
             "worker": "setTimeout(postMessage, 100, 1)"}  # fmt: skip
    published = {
        name: web.publish(Response(text.encode(), media_type="text/javascript"))
        for name, text in types.items()
    }
    style = web.publish(Response(b"p { color: red }", media_type="text/css"))
    attached = {"Content-Disposition": "attachment; filename=done.txt"}
    file = web.publish(HTMLResponse(b"Done", headers=attached))
    return {**published, "style": style, "file": file, "done": web.write("<h2>Done</h2>")}


@pytest.mark.req("C-CLK-02")
@pytest.mark.parametrize("way", WAYS)
def test_the_answer_of_a_click_contains_all_its_effects(
    tab: Tab, paths: Mapping[str, str], way: str
) -> None:
    tab.open(markup(way, **paths))

    reply = tab.reply("click", element_id=tab.find("Go"))

    assert EXPECTED_TEXTS.get(way, '"Done"') in reply.text, reply.metadata
    if way != "after work in slices":  # on a busy machine the slices can outlast the settling
        assert reply.metadata.get("settled", way == "by a dialog"), reply.json["unsettled"]


def test_a_click_waits_for_effects_inside_frames(tab: Tab, paths: Mapping[str, str]) -> None:
    for way in ("after timers in a row", "after a worker"):
        with case(way):
            inner = tab.web.write(markup(way, **paths))
            tab.open(f"<iframe src='{tab.web.url(inner, host='other.localhost')}'></iframe>")
            reply = tab.reply("click", element_id=tab.find("Go"))
            assert '"Done"' in reply.text, reply.metadata
            assert reply.metadata["settled"] is True


def test_a_click_waits_for_a_frame_that_it_created(tab: Tab) -> None:
    inner = "<p id=p>Soon</p><script>setTimeout(() => { p.textContent = `Done` }, 300)</script>"
    tab.open(f"""<button onclick="at.innerHTML = text.innerHTML">Go</button><div id=at></div>
      <template id=text><iframe srcdoc='{inner}'></iframe></template>""")

    assert "Done" in new_texts(tab.click("Go"))


CONTINUING = {
    "setTimeout(done, 900)": "a timer of 900 ms is pending",
    "setInterval(done, 2000)": "a timer of 2,000 ms is pending",
    "setTimeout(done, 5000); setTimeout(done, 700)": "a timer of 700 ms is pending",
    "scheduler.postTask(done, {delay: 900})": "a timer of 900 ms is pending",
    "at.className = `away`": "an animation of 1,200 ms is running",
    "at.animate({opacity: [0, 1]}, 1500)": "an animation of 1,500 ms is running",
    "setInterval(done, 200)": "a timer repeats every 200 ms",
}


def test_activity_that_continues_long_is_reported_but_not_waited_for(tab: Tab) -> None:
    for script, expected in CONTINUING.items():
        with case(script):
            tab.open(f"""<style>.away {{ rotate: 9deg; transition: rotate .8s .4s }}</style>
              <button onclick='{script}'>Go</button><p id=at>Menu</p>
              <script>const done = () => 0; at.animate({{opacity: [0, 1]}}, 9000)</script>""")
            reply = tab.reply("click", element_id=tab.find("Go"))
            assert reply.json["unsettled"] == expected
            assert reply.metadata["settled"] is False
            assert "pending" not in expected or "timers" not in reply.metadata["waited_for"]


def test_a_click_waits_for_one_long_script(tab: Tab) -> None:
    tab.open("""<button onclick="go(2)">Go</button><script>
      const loop = () => { for (const end = performance.now() + 700; performance.now() < end;); }
      const go = (n) => n > 0 ? requestAnimationFrame(() => go(n - 1))
        : scheduler.postTask(loop, {priority: 'user-blocking'})</script>""")

    assert "unsettled" not in tab.click("Go")


FINISHED = (
    "clearTimeout(setTimeout(done, 900))",
    "setTimeout(done, 60000)",
    "setTimeout(done, 600); get(700).then(done)",
    "const t = new TaskController(); posted(done, 900, t.signal).catch(done); t.abort()",
    "fetch('/echo', {signal: AbortSignal.timeout(5000)})",
    "this.animate({opacity: [0, 1]}, 1500).finish()",
    "this.animate({opacity: [0, 1]}, {duration: 1000, iterations: Infinity})",
    "this.style = `transition: color 5000s; color: red`",
    "open(`/echo`)",
)


def test_finished_or_distant_activity_is_not_reported_as_unsettled(tab: Tab) -> None:
    buttons = "".join(f'<button onclick="{script}">Go</button>' for script in FINISHED)
    tab.open(f"""{buttons}<script>const done = () => 0;
      const get = (ms) => fetch('/slow?ms=' + ms + '&name=x');
      const posted = (then, delay, signal) => scheduler.postTask(then, {{delay, signal}});
      setInterval(done, 1000)</script>""")

    for script, button in zip(FINISHED, tab.call("find", text="Go"), strict=True):
        with case(script):
            reply = tab.reply("click", element_id=button["id"])
            assert reply.json.get("unsettled") is None
            assert reply.metadata["settled"] is True


def test_each_action_reports_only_the_timer_that_it_started(tab: Tab) -> None:
    cases = [
        ("timer = setTimeout(done, 900)", True),
        ("clearTimeout(timer); timer = setTimeout(done, 900)", True),
        ("timer ??= setTimeout(done, 900)", False),
    ]

    for script, again in cases:
        with case(script, again):
            heard = f"addEventListener('keydown', () => {{ {script} }})"
            tab.open(f"<script>const done = () => 0; var timer; {heard}</script>")
            answers = [tab.call("key", key="a") for _ in range(2)]
            assert ["unsettled" in answer for answer in answers] == [True, again]


def test_a_timer_in_a_frame_is_reported(tab: Tab) -> None:
    inner = tab.web.write("<button onclick='setTimeout(() => 0, 900)'>Go</button>")
    tab.open(f"<iframe src='{inner}'></iframe>")

    assert tab.click("Go")["unsettled"] == "a timer of 900 ms is pending"


def endless(*activities: str) -> str:
    """Return a page on which activities go on, each in a block of its own."""
    blocks = "".join(f"{{ {activity} }}" for activity in activities)
    return (
        f"<button onclick='document.title = 1'>Go</button><p id=at>0</p><script>{blocks}</script>"
    )


def test_endless_activity_does_not_delay_a_click(tab: Tab) -> None:
    tab.open(
        endless(
            "setInterval(() => { at.textContent = Math.random() }, 50)",
            "const tick = () => { at.textContent = Math.random(); setTimeout(tick, 50) }; tick()",
            "setInterval(() => fetch('/echo'), 50)",
            "new EventSource('/hang')",
            "const c = new MessageChannel(); (c.port2.onmessage = () => c.port1.postMessage(0))()",
            "at.animate({opacity: [0, 1]}, {duration: 1000, iterations: Infinity})",
        )
    )

    assert tab.click("Go")["title"] == "1"


def test_a_click_without_effects_does_not_wait(tab: Tab) -> None:
    activities = (
        "setInterval(() => {}, 50)",
        "const tick = () => setTimeout(() => tick(), 20); tick()",
        "setInterval(() => setTimeout(Boolean, 400), 100)",
        "setInterval(() => { document.body.title = Math.random() }, 16)",
        "const tick = () => { at.textContent = Math.random(); setTimeout(tick, 20) }; tick()",
        "const spin = () => { at.title = Math.random(); requestAnimationFrame(spin) }; spin()",
        "new Worker(URL.createObjectURL(new Blob(['setInterval(postMessage, 50, 1)'])))",
    )
    for page in (endless(), endless(*activities)):
        with case(page):
            tab.open(page)
            button = tab.find("Go")
            tab.js("new Promise((resolve) => setTimeout(resolve, 800))")
            reply = tab.reply("click", element_id=button)
            assert reply.metadata["waited_for"] == []
            assert reply.metadata["settled"] is True


def test_a_click_waits_for_its_changes_beside_continuous_ones(tab: Tab) -> None:
    tab.open("""<button onclick="change(9)">Go</button><p id=at>0</p><script>
      setInterval(() => { at.textContent = Math.random() }, 16);
      const change = (left) => { document.querySelector('button').title = left;
        if (left) requestAnimationFrame(() => change(left - 1)); else at.after('Done') }
      </script>""")
    button = tab.find("Go")
    tab.js("new Promise((resolve) => setTimeout(resolve, 800))")

    reply = tab.reply("click", element_id=button)

    assert "Done" in new_texts(reply.json)
    assert {*reply.metadata["waited_for"]} <= {"mutations"}


def test_a_worker_that_does_not_answer_is_waited_for_only_once(tab: Tab) -> None:
    tab.open("""<button onclick="worker.postMessage(1)">Go</button>
      <script>const worker = new Worker(URL.createObjectURL(new Blob(['0'])))</script>""")
    button = tab.find("Go")

    tab.call("click", element_id=button)

    assert tab.reply("click", element_id=button).metadata["waited_for"] == []
