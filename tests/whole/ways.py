"""Pages that react to a click in different ways; each ends with the heading "Done"."""

from collections.abc import Mapping
from typing import Final

PAGE: Final = """<button onclick="go()">Go</button><div id=at></div>
<script>const done = () => { at.innerHTML = '<h2>Done</h2>' };
const after = (ms, then = done) => setTimeout(then, ms);
const url = (ms) => 'DONE?ms=' + ms;
const get = (ms) => fetch(url(ms)).then((reply) => reply.text());
function go() { WAY }</script>MORE"""
"""A button that runs WAY; DONE is the path of a page with that heading, MORE further markup."""

WAYS: Final[Mapping[str, tuple[str, str] | str]] = {
    "at once": "done()",
    "in a microtask": "Promise.resolve().then(done)",
    "in a frame": "requestAnimationFrame(() => requestAnimationFrame(done))",
    "after 30 ms": "after(30)",
    "after 150 ms": "after(150)",
    "after 400 ms": "after(400)",
    "after timers in a row": "after(150, () => after(150, () => after(150)))",
    "when idle": "requestIdleCallback(done)",
    "after a delayed task": "scheduler.postTask(done, { delay: 300 })",
    "after a request of 100 ms": "get(100).then(done)",
    "after a request of 700 ms": "get(700).then(done)",
    "after requests in a row": "get(300).then(() => get(301)).then(() => get(302)).then(done)",
    "after a timer and a request": "after(100, () => get(300).then(done))",
    "after a request and a timer": "get(200).then(() => after(200))",
    "after an XMLHttpRequest": """const asked = new XMLHttpRequest(); asked.onload = done;
      asked.open('GET', url(200)); asked.send()""",
    "after a stream": "fetch('/stream?count=4&ms=100').then((reply) => reply.text()).then(done)",
    "after an image": "const image = new Image(); image.onerror = done; image.src = url(200)",
    "after a script": """const script = document.createElement('script');
      script.src = 'SCRIPT?ms=200'; document.body.append(script)""",
    "after a module": "import('MODULE?ms=200').then((module) => module.show(done))",
    "after a style sheet": """const link = document.createElement('link'); link.onload = done;
      link.rel = 'stylesheet'; link.href = 'STYLE?ms=200'; document.body.append(link)""",
    "after a worker": (
        "worker.postMessage(1)",
        """<script>const text = 'onmessage = () => setTimeout(postMessage, 250, 1)';
        const worker = new Worker(URL.createObjectURL(new Blob([text]))); worker.onmessage = done;
        </script>""",
    ),
    "after a new worker": """const text = 'setTimeout(postMessage, 150, 1)';
      new Worker(URL.createObjectURL(new Blob([text]))).onmessage = done""",
    "after a worker from a file": "new Worker('WORKER?ms=100').onmessage = done",
    "after a transition": (
        "getComputedStyle(box).opacity; box.style.opacity = 0; box.ontransitionend = done",
        "<p id=box style='transition: opacity .3s'>Box</p>",
    ),
    "after an animation": (
        "box.animate({opacity: [1, 0]}, 250).finished.then(done)",
        "<p id=box>Box</p>",
    ),
    "after scrolling smoothly": (
        "end.scrollIntoView({behavior: 'smooth'})",
        """<div style='height: 1000px'></div><i id=end>End</i><script>
        new IntersectionObserver(([row]) => row.isIntersecting && get(100).then(done)).observe(end)
        </script>""",
    ),
    "when it comes into view": (
        "spacer.hidden = true",
        """<div id=spacer style='height: 3000px'></div><i id=end>End</i><script>
        new IntersectionObserver(([row]) => row.isIntersecting && get(100).then(done)).observe(end)
        </script>""",
    ),
    "after pushing a state and a request": "history.pushState(0, '', '?next'); get(200).then(done)",
    "on a change of the hash": "window.onhashchange = () => after(50); location.hash = 'next'",
    "by a form that asks": (
        "document.forms[0].submit()",
        "<form action=DONE><input name=ms value=200></form>",
    ),
    "by a form that posts": (
        "document.forms[0].requestSubmit()",
        "<form action=DONE?ms=200 method=post><input name=a value=1></form>",
    ),
    "by another address after a timer": "after(200, () => { location = url(200) })",
    "by redirects": "location = '/redirect?to=' + encodeURIComponent('/redirect?to=DONE')",
    "by reloading": (
        "sessionStorage.again = 1; location.reload()",
        "<script>if (sessionStorage.again) { delete sessionStorage.again; done() }</script>",
    ),
    "by debouncing": (
        "for (let n = 0; n < 3; n += 1) debounced()",
        """<script>let timer; const debounced = () => {
        clearTimeout(timer); timer = after(250) }</script>""",
    ),
    "by upgrading an element": """import('MODULE?ms=100').then(() => customElements.define('x-a',
      class extends HTMLElement { connectedCallback() { after(30, () => {
        this.attachShadow({mode: 'open'}).innerHTML = '<h2>Done</h2>' }) } }));
      at.innerHTML = '<x-a></x-a>'""",
    "by a frame that loads": "at.innerHTML = '<iframe src=DONE?ms=200></iframe>'",
    "by a frame whose address changes after a timer": (
        "after(100, () => { frame.contentWindow.location = url(200) })",
        "<iframe id=frame></iframe>",
    ),
    "by a new tab": "open('DONE')",
    "by a dialog": "alert('Well')",
    "by a download": "location = 'FILE'",
    "after work in slices": """let slices = 20; const slice = () => {
      const until = performance.now() + 10; while (performance.now() < until);
      if (slices -= 1) channel.port1.postMessage(0); else done() };
      const channel = new MessageChannel(); channel.port2.onmessage = slice; slice()""",
    "by a message to itself": "onmessage = done; postMessage(1)",
    "by a check again and again": """let checks = 0; const timer = setInterval(() => {
      checks += 1; if (checks === 4) { clearInterval(timer); done() } }, 100)""",
    "from a database": """const asked = indexedDB.open('db' + Math.random());
      asked.onsuccess = () => { done() }""",
    "after many records of a database": """const asked = indexedDB.open('db' + Math.random());
      asked.onupgradeneeded = () => asked.result.createObjectStore('books');
      asked.onsuccess = () => { const writing = asked.result.transaction('books', 'readwrite');
        for (let n = 0; n < 2000; n += 1) writing.objectStore('books').put({ n }, n);
        writing.oncomplete = () => { done() } }""",
}

EXPECTED_TEXTS: Final[Mapping[str, str]] = {
    "by a new tab": "opened_tabs",
    "by a dialog": "pending_dialog",
    "by a download": '"state":"completed"',
}
"""The text in the answer of the ways that never show the heading in the page itself."""


def markup(way: str, **paths: str) -> str:
    does = WAYS[way]
    script, more = (does, "") if isinstance(does, str) else does
    text = PAGE.replace("WAY", script).replace("MORE", more)
    for name, path in paths.items():
        text = text.replace(name.upper(), path)
    return text
