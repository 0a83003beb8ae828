"""The routes: pages of which each tries to reach another origin in a way of its own.

In a page, ``SINK`` is the host of the other origin. Scripts run after the page has loaded.
"""

import attrs

from tests.containment.network import page

_SW = "await navigator.serviceWorker.register('/PATH.js'); await navigator.serviceWorker.ready"


@attrs.frozen
class Route:
    """A way to another origin: markup, script, headers of the page, and a worker at PATH.js.

    An ``unreached`` origin is not reached without a limit either: the browser delays the request,
    requires a page over TLS, or has abandoned the feature.
    """

    name: str
    body: str = ""
    script: str = ""
    headers: tuple[str, ...] = ()
    worker: str = ""

    @property
    def unreached(self) -> bool:
        return self.name in _UNREACHED

    def pages(self, path: str, sink: str) -> dict[str, bytes]:

        def fill(text: str) -> str:
            return text.replace("SINK", sink).replace("PATH", path.removeprefix("/"))

        script = f"<script type=module>{self.script}</script>" if self.script else ""
        body = f"<!DOCTYPE html><title>{self.name}</title><h1>{self.name}</h1>{self.body}{script}"
        if self.body.startswith("<?xml"):
            body = self.body
        found = {path: page(fill(body), *map(fill, self.headers), kind=_kind(body))}
        if self.worker:
            found[f"{path}.js"] = page(fill(self.worker), kind="text/javascript")
        return found


def _kind(body: str) -> str:
    return "text/xml" if body.startswith("<?xml") else "text/html"


_SPECULATION = (
    '<script type=speculationrules>{%s:[{"source":"list","urls":["https://SINK/a"]}]}</script>'
)

_PEER = """const peer = new RTCPeerConnection({iceServers: [%s]});
peer.createDataChannel('a'); await peer.setLocalDescription()"""
_TURN = _PEER % "{urls: '%s', username: 'a', credential: 'a'}"

_REMOTE = """const [a, b] = [new RTCPeerConnection(), new RTCPeerConnection()];
a.createDataChannel('a'); await a.setLocalDescription();
await b.setRemoteDescription(a.localDescription); await b.setLocalDescription();
await a.setRemoteDescription(b.localDescription);
for (const kind of ['udp 1 SINK 5000 typ host', 'tcp 1 SINK 443 typ host tcptype passive'])
  await a.addIceCandidate({candidate: `candidate:1 1 ${kind}`, sdpMid: '0'}).catch(() => 0)"""

_SCRIPTS = {
    "a navigation by script": "location.href = 'http://SINK/a'",
    "a redirect": "location.href = '/to/http://SINK/a'",
    "a popup": "open('http://SINK/a')",
    "a popup that is navigated": "open('about:blank').location = 'http://SINK/a'",
    "a redirect to a download": "location.href = '/to/http://SINK/a.zip'",
    "fetch": "await fetch('http://SINK/a', {mode: 'no-cors'})",
    "fetch over TLS": "await fetch('https://SINK/a', {mode: 'no-cors'})",
    "fetch with a redirect": "await fetch('/to/http://SINK/a', {mode: 'no-cors'})",
    "fetch that outlives its page": "fetch('http://SINK/a', {mode: 'no-cors', keepalive: true}); location.href = '/'",
    "fetchLater": "fetchLater('https://SINK/a', {activateAfter: 0}); location.href = '/'",
    "XMLHttpRequest": "const x = new XMLHttpRequest(); x.open('GET', 'http://SINK/a'); x.send()",
    "a beacon": "navigator.sendBeacon('http://SINK/a', 'a')",
    "a beacon of a page that ends": "addEventListener('pagehide', () => navigator.sendBeacon('http://SINK/a')); location.href = '/'",
    "a cache": "await (await caches.open('a')).add(new Request('http://SINK/a', {mode: 'no-cors'}))",
    "an event stream": "new EventSource('http://SINK/a')",
    "a WebSocket": "new WebSocket('ws://SINK/a')",
    "a WebSocket over TLS": "new WebSocket('wss://SINK/a')",
    "WebTransport": "await new WebTransport('https://SINK/a').ready",
    "STUN": _PEER % "{urls: 'stun:SINK:3478'}",
    "TURN over UDP": _TURN % "turn:SINK:3478",
    "TURN over TCP": _TURN % "turn:SINK:3478?transport=tcp",
    "TURN over TLS": _TURN % "turns:SINK:443?transport=tcp",
    "a peer": _REMOTE,
    "a worker of a blob": "new Worker(URL.createObjectURL(new Blob([`fetch('http://SINK/a', {mode: 'no-cors'})`])))",
    "an audio worklet": "await new OfflineAudioContext(1, 1, 44100).audioWorklet.addModule('http://SINK/a')",
    "a paint worklet": "await CSS.paintWorklet.addModule('http://SINK/a')",
    "an import": "await import('http://SINK/a')",
    "a login of another site": "await navigator.credentials.get({identity: {providers: [{configURL: 'https://SINK/a.json', clientId: 'a', nonce: 'a'}]}})",
    "a passkey of another site": "await navigator.credentials.get({publicKey: {challenge: new Uint8Array(16), rpId: 'SINK'}})",
    "a payment": "await new PaymentRequest([{supportedMethods: 'https://SINK/a'}], {total: {label: 'a', amount: {currency: 'EUR', value: '1'}}}).canMakePayment()",
}

_MARKUP = {
    # documents
    "a refresh": "<meta http-equiv=refresh content='0;url=http://SINK/a'>",
    "a frame": "<iframe src=http://SINK/a></iframe>",
    "a frame of a document": "<iframe srcdoc='<img src=http://SINK/a>'></iframe>",
    "a frame of data": "<iframe src='data:text/html,<img src=http://SINK/a>'></iframe>",
    "an object": "<object data=http://SINK/a></object>",
    "an embedded file": "<embed src=http://SINK/a>",
    # hints
    "prefetch": "<link rel=prefetch href=http://SINK/a>",
    "preload": "<link rel=preload as=image href=http://SINK/a>",
    "modulepreload": "<link rel=modulepreload href=http://SINK/a>",
    "preconnect": "<link rel=preconnect href=http://SINK/>",
    "dns-prefetch": "<link rel=dns-prefetch href=https://SINK/>",
    "a speculative prefetch": _SPECULATION % '"prefetch"',
    "a speculative page": _SPECULATION % '"prerender"',
    # resources
    "a script": "<script src=http://SINK/a></script>",
    "an import map": '<script type=importmap>{"imports":{"a":"http://SINK/a"}}</script><script type=module>import \'a\'</script>',
    "a style sheet": "<link rel=stylesheet href=http://SINK/a>",
    "an imported style sheet": "<style>@import 'http://SINK/a'</style>",
    "a background": "<p style='background: url(http://SINK/a)'>a</p>",
    "a cursor": "<style>h1 { cursor: url(http://SINK/a), auto }</style>",
    "a font": "<style>@font-face { font-family: a; src: url(http://SINK/a) } h1 { font-family: a }</style>",
    "an image": "<img src=http://SINK/a>",
    "an image of a set": "<img srcset='http://SINK/a 1x'>",
    "an image button": "<input type=image src=http://SINK/a>",
    "a video": "<video src=http://SINK/a autoplay muted></video>",
    "the poster of a video": "<video poster=http://SINK/a></video>",
    "a sound": "<audio src=http://SINK/a preload=auto></audio>",
    "a track": "<video crossorigin><track default kind=captions src=http://SINK/a></video>",
    "an image in SVG": "<svg xmlns='http://www.w3.org/2000/svg'><image href=http://SINK/a width=9 height=9 /></svg>",
    "a filter in SVG": "<svg xmlns='http://www.w3.org/2000/svg'><filter id=f><feImage href=http://SINK/a /></filter><rect width=9 height=9 filter=url(#f) /></svg>",
    "a style sheet of XML": "<?xml version='1.0'?><?xml-stylesheet href='http://SINK/a' type='text/css'?><svg xmlns='http://www.w3.org/2000/svg'/>",
    "a transformation of XML": "<?xml version='1.0'?><?xml-stylesheet href='http://SINK/a' type='text/xsl'?><a/>",
    "an icon": "<link rel=icon href=http://SINK/a>",
    "a manifest": "<link rel=manifest href=http://SINK/a>",
}
_FETCH = "fetch('http://SINK/a', {mode: 'no-cors'})"
_IMPORT = "importScripts('http://SINK/a')"
_WORKER, _SOCKET = "new Worker('/PATH.js')", "new WebSocket('ws://SINK/a')"
_CONTROLLED = "await navigator.serviceWorker.register('/PATH.js', {scope: '/PATH'}); navigator.serviceWorker.oncontrollerchange = () => fetch('/PATH/b')"
_ANSWERING = "oninstall = () => skipWaiting(); onactivate = event => event.waitUntil(clients.claim()); onfetch = event => event.respondWith(fetch('http://SINK/a', {mode: 'no-cors'}))"

_WORKERS = {
    "a worker": (_WORKER, _FETCH),
    "a script of a worker": (_WORKER, _IMPORT),
    "a module of a worker": ("new Worker('/PATH.js', {type: 'module'})", "import 'http://SINK/a'"),
    "a WebSocket of a worker": (_WORKER, _SOCKET),
    "a shared worker": ("new SharedWorker('/PATH.js')", _FETCH),
    "a service worker": (_SW, _FETCH),
    "a script of a service worker": (_SW, _IMPORT),
    "a WebSocket of a service worker": (_SW, _SOCKET),
    "a page of a service worker": (_CONTROLLED, _ANSWERING),
}
"""Scripts of pages, and of the workers that they start."""

_CLICK, _SUBMIT = "document.querySelector('#a').click()", "document.forms[0].submit()"
_POST = "<form action=http://SINK/a method=post target=_blank><input name=a></form>"

_USED = {
    "a link": ("<a id=a href=http://SINK/a>a</a>", _CLICK),
    "a download": ("<a id=a href=http://SINK/a download>a</a>", _CLICK),
    "the ping of a link": ("<a id=a href=#b ping=http://SINK/a>a</a>", _CLICK),
    "a form": ("<form action=http://SINK/a><input name=a value=1></form>", _SUBMIT),
    "a form in a new window": (_POST, _SUBMIT),
}
"""Markup, and the script that uses it."""

_POLICY = "Content-Security-Policy-Report-Only: img-src 'none'; "

_HEADERS = {
    "the header Refresh": ("Refresh: 0;url=http://SINK/a",),
    "the header Link": ("Link: <http://SINK/a>; rel=preload; as=image",),
    "the header Link: preconnect": ("Link: <http://SINK/>; rel=preconnect",),
    "the header Speculation-Rules": ('Speculation-Rules: "http://SINK/a"',),
    "a report of a policy": (f"{_POLICY}report-uri http://SINK/a",),
    "an endpoint for reports": (f"{_POLICY}report-to a", 'Reporting-Endpoints: a="https://SINK/a"'),
    "reports of failures": (
        'NEL: {"report_to":"a","max_age":9999,"success_fraction":1}',
        'Report-To: {"group":"a","max_age":9999,"endpoints":[{"url":"https://SINK/a"}]}',
    ),
}
"""Headers of pages with an image of their own origin."""

_UNREACHED = {
    *("a speculative prefetch", "a speculative page", "a transformation of XML", "an icon"),
    *("a manifest", "reports of failures", "a passkey of another site"),
}

_ROUTES = (
    *(Route(name, script=script) for name, script in _SCRIPTS.items()),
    *(Route(name, body) for name, body in _MARKUP.items()),
    *(Route(name, script=run, worker=js) for name, (run, js) in _WORKERS.items()),
    *(Route(name, body, script) for name, (body, script) in _USED.items()),
    *(Route(name, "<img src=/b>", headers=headers) for name, headers in _HEADERS.items()),
)
ROUTES = dict(enumerate(_ROUTES, start=1))
