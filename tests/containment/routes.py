"""The routes: pages of which each tries to reach another origin in a way of its own.

In a page, ``SINK`` is the host of the other origin. Scripts run after the page has loaded.
"""

from collections.abc import Mapping
from types import MappingProxyType

import attrs

from tests.containment.network import page

_SW = "await navigator.serviceWorker.register('/PATH.js'); await navigator.serviceWorker.ready"


@attrs.frozen
class Route:
    """A way to another origin: markup, script, headers of the page, and further files by ending.

    An ``unreached`` origin is not reached without a limit either: the browser delays the request,
    requires a page over TLS, or has abandoned the feature.
    """

    name: str
    body: str = ""
    script: str = ""
    headers: tuple[str, ...] = ()
    files: Mapping[str, str] = MappingProxyType({})
    unreached: bool = False

    def pages(self, path: str, sink: str) -> dict[str, bytes]:

        def fill(text: str) -> str:
            return text.replace("SINK", sink).replace("PATH", path.removeprefix("/"))

        script = f"<script type=module>{self.script}</script>" if self.script else ""
        body = f"<!DOCTYPE html><title>{self.name}</title><h1>{self.name}</h1>{self.body}{script}"
        if self.body.startswith("<?xml"):
            body = self.body
        found = {path: page(fill(body), *map(fill, self.headers), kind=_kind(body))}
        for ending, text in self.files.items():
            found[path + ending] = page(fill(text), kind=_KINDS[ending])
        return found


_KINDS = {".js": "text/javascript", ".css": "text/css", ".html": "text/html", ".xml": "text/xml"}


def _kind(body: str) -> str:
    return "text/xml" if body.startswith("<?xml") else "text/html"


def _js(name: str, script: str, *, unreached: bool = False) -> Route:
    return Route(name, script=script, unreached=unreached)


def _html(name: str, body: str, *, unreached: bool = False) -> Route:
    return Route(name, body, unreached=unreached)


_SPECULATION = (
    '<script type=speculationrules>{%s:[{"source":"list","urls":["https://SINK/a"]}]}</script>'
)

_PEER = """const peer = new RTCPeerConnection({iceServers: [%s]});
peer.createDataChannel('a'); await peer.setLocalDescription()"""

_REMOTE = """const [a, b] = [new RTCPeerConnection(), new RTCPeerConnection()];
a.createDataChannel('a'); await a.setLocalDescription();
await b.setRemoteDescription(a.localDescription); await b.setLocalDescription();
await a.setRemoteDescription(b.localDescription);
for (const kind of ['udp 1 SINK 5000 typ host', 'tcp 1 SINK 443 typ host tcptype passive'])
  await a.addIceCandidate({candidate: `candidate:1 1 ${kind}`, sdpMid: '0'}).catch(() => 0)"""

_TREE = "http://www.w3.org/2000/svg"

ROUTES: dict[int, Route] = dict(
    enumerate(
        (
            # documents
            _js("a navigation by script", "location.href = 'http://SINK/a'"),
            _html("a refresh", "<meta http-equiv=refresh content='0;url=http://SINK/a'>"),
            Route("the header Refresh", headers=("Refresh: 0;url=http://SINK/a",)),
            _js("a redirect", "location.href = '/to/http://SINK/a'"),
            _html("a frame", "<iframe src=http://SINK/a></iframe>"),
            _html("a frame of a document", "<iframe srcdoc='<img src=http://SINK/a>'></iframe>"),
            _html(
                "a frame of data", "<iframe src='data:text/html,<img src=http://SINK/a>'></iframe>"
            ),
            _html("an object", "<object data=http://SINK/a></object>"),
            _html("an embedded file", "<embed src=http://SINK/a>"),
            _js("a popup", "open('http://SINK/a')"),
            _js("a popup that is navigated", "open('about:blank').location = 'http://SINK/a'"),
            Route(
                "a link", "<a id=a href=http://SINK/a>a</a>", "document.querySelector('#a').click()"
            ),
            Route(
                "a download",
                "<a id=a href=http://SINK/a download>a</a>",
                "document.querySelector('#a').click()",
            ),
            _js("a redirect to a download", "location.href = '/to/http://SINK/a.zip'"),
            Route(
                "the ping of a link",
                "<a id=a href=#b ping=http://SINK/a>a</a>",
                "document.querySelector('#a').click()",
            ),
            Route(
                "a form",
                "<form action=http://SINK/a><input name=a value=1></form>",
                "document.forms[0].submit()",
            ),
            Route(
                "a form in a new window",
                "<form action=http://SINK/a method=post target=_blank><input name=a></form>",
                "document.forms[0].submit()",
            ),
            # requests of scripts
            _js("fetch", "await fetch('http://SINK/a', {mode: 'no-cors'})"),
            _js("fetch over TLS", "await fetch('https://SINK/a', {mode: 'no-cors'})"),
            _js("fetch with a redirect", "await fetch('/to/http://SINK/a', {mode: 'no-cors'})"),
            _js(
                "fetch that outlives its page",
                "fetch('http://SINK/a', {mode: 'no-cors', keepalive: true}); location.href = '/'",
            ),
            _js(
                "fetchLater",
                "fetchLater('https://SINK/a', {activateAfter: 0}); location.href = '/'",
            ),
            _js(
                "XMLHttpRequest",
                "const x = new XMLHttpRequest(); x.open('GET', 'http://SINK/a'); x.send()",
            ),
            _js("a beacon", "navigator.sendBeacon('http://SINK/a', 'a')"),
            _js(
                "a beacon of a page that ends",
                "addEventListener('pagehide', () => navigator.sendBeacon('http://SINK/a')); location.href = '/'",
            ),
            _js(
                "a cache",
                "await (await caches.open('a')).add(new Request('http://SINK/a', {mode: 'no-cors'}))",
            ),
            _js("an event stream", "new EventSource('http://SINK/a')"),
            _js("a WebSocket", "new WebSocket('ws://SINK/a')"),
            _js("a WebSocket over TLS", "new WebSocket('wss://SINK/a')"),
            _js("WebTransport", "await new WebTransport('https://SINK/a').ready"),
            _js("STUN", _PEER % "{urls: 'stun:SINK:3478'}"),
            _js(
                "TURN over UDP", _PEER % "{urls: 'turn:SINK:3478', username: 'a', credential: 'a'}"
            ),
            _js(
                "TURN over TCP",
                _PEER % "{urls: 'turn:SINK:3478?transport=tcp', username: 'a', credential: 'a'}",
            ),
            _js(
                "TURN over TLS",
                _PEER % "{urls: 'turns:SINK:443?transport=tcp', username: 'a', credential: 'a'}",
            ),
            _js("a peer", _REMOTE),
            # workers
            Route(
                "a worker",
                script="new Worker('/PATH.js')",
                files={".js": "fetch('http://SINK/a', {mode: 'no-cors'})"},
            ),
            Route(
                "a script of a worker",
                script="new Worker('/PATH.js')",
                files={".js": "importScripts('http://SINK/a')"},
            ),
            Route(
                "a module of a worker",
                script="new Worker('/PATH.js', {type: 'module'})",
                files={".js": "import 'http://SINK/a'"},
            ),
            Route(
                "a WebSocket of a worker",
                script="new Worker('/PATH.js')",
                files={".js": "new WebSocket('ws://SINK/a')"},
            ),
            Route(
                "a worker of a blob",
                script="new Worker(URL.createObjectURL(new Blob([`fetch('http://SINK/a', {mode: 'no-cors'})`])))",
            ),
            Route(
                "a shared worker",
                script="new SharedWorker('/PATH.js')",
                files={".js": "fetch('http://SINK/a', {mode: 'no-cors'})"},
            ),
            Route(
                "a service worker",
                script=_SW,
                files={".js": "fetch('http://SINK/a', {mode: 'no-cors'})"},
            ),
            Route(
                "a script of a service worker",
                script=_SW,
                files={".js": "importScripts('http://SINK/a')"},
            ),
            Route(
                "a WebSocket of a service worker",
                script=_SW,
                files={".js": "new WebSocket('ws://SINK/a')"},
            ),
            Route(
                "a page of a service worker",
                script="await navigator.serviceWorker.register('/PATH.js', {scope: '/PATH'}); navigator.serviceWorker.oncontrollerchange = () => fetch('/PATH/b')",
                files={
                    ".js": "oninstall = () => skipWaiting(); onactivate = event => event.waitUntil(clients.claim()); onfetch = event => event.respondWith(fetch('http://SINK/a', {mode: 'no-cors'}))"
                },
            ),
            _js(
                "an audio worklet",
                "await new OfflineAudioContext(1, 1, 44100).audioWorklet.addModule('http://SINK/a')",
            ),
            _js("a paint worklet", "await CSS.paintWorklet.addModule('http://SINK/a')"),
            # hints
            _html("prefetch", "<link rel=prefetch href=http://SINK/a>"),
            _html("preload", "<link rel=preload as=image href=http://SINK/a>"),
            _html("modulepreload", "<link rel=modulepreload href=http://SINK/a>"),
            _html("preconnect", "<link rel=preconnect href=http://SINK/>"),
            _html("dns-prefetch", "<link rel=dns-prefetch href=https://SINK/>"),
            Route("the header Link", headers=("Link: <http://SINK/a>; rel=preload; as=image",)),
            Route("the header Link: preconnect", headers=("Link: <http://SINK/>; rel=preconnect",)),
            _html("a speculative prefetch", _SPECULATION % '"prefetch"', unreached=True),
            _html("a speculative page", _SPECULATION % '"prerender"', unreached=True),
            Route("the header Speculation-Rules", headers=('Speculation-Rules: "http://SINK/a"',)),
            # resources
            _html("a script", "<script src=http://SINK/a></script>"),
            _js("an import", "await import('http://SINK/a')"),
            _html(
                "an import map",
                '<script type=importmap>{"imports":{"a":"http://SINK/a"}}</script><script type=module>import \'a\'</script>',
            ),
            _html("a style sheet", "<link rel=stylesheet href=http://SINK/a>"),
            _html("an imported style sheet", "<style>@import 'http://SINK/a'</style>"),
            _html("a background", "<p style='background: url(http://SINK/a)'>a</p>"),
            _html("a cursor", "<style>h1 { cursor: url(http://SINK/a), auto }</style>"),
            _html(
                "a font",
                "<style>@font-face { font-family: a; src: url(http://SINK/a) } h1 { font-family: a }</style>",
            ),
            _html("an image", "<img src=http://SINK/a>"),
            _html("an image of a set", "<img srcset='http://SINK/a 1x'>"),
            _html("an image button", "<input type=image src=http://SINK/a>"),
            _html("a video", "<video src=http://SINK/a autoplay muted></video>"),
            _html("the poster of a video", "<video poster=http://SINK/a></video>"),
            _html("a sound", "<audio src=http://SINK/a preload=auto></audio>"),
            _html(
                "a track",
                "<video crossorigin><track default kind=captions src=http://SINK/a></video>",
            ),
            _html(
                "an image in SVG",
                f"<svg xmlns='{_TREE}'><image href=http://SINK/a width=9 height=9 /></svg>",
            ),
            _html(
                "a filter in SVG",
                f"<svg xmlns='{_TREE}'><filter id=f><feImage href=http://SINK/a /></filter><rect width=9 height=9 filter=url(#f) /></svg>",
            ),
            Route(
                "a style sheet of XML",
                f"<?xml version='1.0'?><?xml-stylesheet href='http://SINK/a' type='text/css'?><svg xmlns='{_TREE}'/>",
            ),
            Route(
                "a transformation of XML",
                "<?xml version='1.0'?><?xml-stylesheet href='http://SINK/a' type='text/xsl'?><a/>",
                unreached=True,
            ),
            _html("an icon", "<link rel=icon href=http://SINK/a>", unreached=True),
            Route("a manifest", "<link rel=manifest href=http://SINK/a>", unreached=True),
            # reports and services of the browser
            Route(
                "a report of a policy",
                "<img src=/b>",
                headers=(
                    "Content-Security-Policy-Report-Only: img-src 'none'; report-uri http://SINK/a",
                ),
            ),
            Route(
                "an endpoint for reports",
                "<img src=/b>",
                headers=(
                    "Content-Security-Policy-Report-Only: img-src 'none'; report-to a",
                    'Reporting-Endpoints: a="https://SINK/a"',
                ),
            ),
            Route(
                "reports of failures",
                headers=(
                    'NEL: {"report_to":"a","max_age":9999,"success_fraction":1}',
                    'Report-To: {"group":"a","max_age":9999,"endpoints":[{"url":"https://SINK/a"}]}',
                ),
                unreached=True,
            ),
            _js(
                "a login of another site",
                "await navigator.credentials.get({identity: {providers: [{configURL: 'https://SINK/a.json', clientId: 'a', nonce: 'a'}]}})",
            ),
            _js(
                "a passkey of another site",
                "await navigator.credentials.get({publicKey: {challenge: new Uint8Array(16), rpId: 'SINK'}})",
                unreached=True,
            ),
            _js(
                "a payment",
                "await new PaymentRequest([{supportedMethods: 'https://SINK/a'}], {total: {label: 'a', amount: {currency: 'EUR', value: '1'}}}).canMakePayment()",
            ),
        ),
        start=1,
    )
)
