"""Ways in which pages react to a click, and the time of each: each ends with the heading "Done".

No other text or URL of such a page contains "Done", so an answer with it reports the end.
"""

from typing import Final

PAGE: Final = """<!DOCTYPE html><html lang="en"><title>Way</title><body>
<button id="Go" onclick="go()">Go</button><div id="at"></div>
<p id="box" style="transition: opacity .3s">Box</p>
<a id="Link" href="/slow?ms=200&name=%44one">Link</a><script>
const done = () => { at.innerHTML = '<h2>Done</h2>' };
const after = (ms, then = done) => setTimeout(then, ms);
const get = (ms) => fetch('/slow?name=x&ms=' + ms).then((reply) => reply.text());
const go = () => { WAY };
</script></body></html>"""

WAYS: Final = {
    "at once": ("done()", 0),
    "microtask": ("Promise.resolve().then(done)", 0),
    "two frames": ("requestAnimationFrame(() => requestAnimationFrame(done))", 33),
    "timer 30": ("after(30)", 30),
    "timer 150": ("after(150)", 150),
    "timer 400": ("after(400)", 400),
    "fetch 100": ("get(100).then(done)", 100),
    "fetch 700": ("get(700).then(done)", 700),
    "three fetches": ("get(100).then(() => get(101)).then(() => get(102)).then(done)", 303),
    "debounce": ("clearTimeout(globalThis.t); globalThis.t = after(250)", 250),
    "transition": ("box.style.opacity = 0; box.ontransitionend = done", 300),
    "push and fetch": ("history.pushState(0, '', '?next'); get(200).then(done)", 200),
    "timer and page": ("after(150, () => { location = '/slow?ms=200&name=Done' })", 350),
    "form": ("""const form = document.createElement('form'); form.action = '/slow';
      form.innerHTML = '<input name=ms value=200><input name=name value=Done>';
      document.body.append(form); form.submit()""", 200),
}  # fmt: skip
"""The script of each way, and the ms that it takes."""


def page(way: str) -> bytes:
    """Return the markup of the page for a way."""
    script, _ = WAYS[way]
    return PAGE.replace("WAY", script).encode()
