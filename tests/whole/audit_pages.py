"""Pages for the audits: each has one fault, and a correct counterpart."""

import struct
import zlib
from collections.abc import Mapping

import attrs
from starlette.responses import HTMLResponse, Response

from tests.whole.web import Web

HEAD = """<title>Tides</title><meta name="description" content="When the water comes.">
<meta name="viewport" content="width=device-width"><link rel="canonical" href="{origin}/tides">"""
BODY = "<main><h1>Tides</h1>{markup}</main>"
FILLER = "".join(f".unused-{n} {{ color: red; margin: {n}px }}\n" for n in range(100))


@attrs.frozen
class Fault:
    """A fault in ``body`` or ``head``, and correct markup in ``twin``."""

    check: str
    body: str = ""
    twin: str = ""
    head: str | None = None
    lang: str = ' lang="en"'
    main: str = BODY
    several: bool = False

    @property
    def is_only_markup(self) -> bool:
        """Return whether a page can have the fault beside others."""
        return (self.head, self.lang, self.main) == (None, ' lang="en"', BODY) and (
            "setTimeout" not in self.body and not self.several
        )


def png(side: int) -> bytes:
    rows = b"".join(b"\0" + b"\x40" * side for _ in range(side))
    header = struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)
    parts = [(b"IHDR", header), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in parts
    )


def document(
    web: Web, markup: str, head: str | None = None, lang: str = ' lang="en"', main: str = BODY
) -> str:
    filled = (HEAD if head is None else head).format(origin=web.url(""))
    body = main.format(markup=markup)
    text = f"<!DOCTYPE html><html{lang}><head>{filled}</head><body>{body}</body></html>"
    return web.publish(HTMLResponse(text.encode()))


def files(web: Web) -> Mapping[str, str]:
    """Publish the resources of the pages; return their paths by ``%(name)s`` in markup."""
    used = "main { margin: 1px }\n"

    def published(body: bytes, kind: str) -> str:
        return web.publish(Response(body, media_type=kind))

    return {
        "large": published(png(400), "image/png"),
        "fitting": published(png(100), "image/png"),
        "heavy": published(png(100) + bytes(500_000), "image/png"),
        "unused": published((used + FILLER).encode(), "text/css"),
        "used": published(used.encode(), "text/css"),
        "script": published(b"var loaded = 1", "text/javascript"),
        "other": web.url("/echo", host="other.localhost"),
    }


A11Y = (
    Fault("image-alt", "<img src=x width=9 height=9>", "<img src=x alt=Boat><img src=x alt=''>"),
    Fault("svg-img-alt", "<svg role=img width=9 height=9></svg>",
          "<svg role=img aria-label=Boat width=9 height=9></svg><svg width=9 height=9></svg>"),
    Fault("input-image-alt", "<input type=image src=x>", "<input type=image src=x alt=Go>"),
    Fault("button-name", "<button style='width:9px;height:9px'></button>",
          "<button>Go</button><button aria-label=Go></button>"),
    Fault("link-name", "<a href=/a style='display:inline-block;width:9px;height:9px'></a>",
          "<a href=/a>A</a><a href=/a><img src=x alt=A></a>"),
    Fault("label", "<input>", "<label>Name <input></label><input aria-label=Name>"),
    Fault("select-name", "<select><option>1</select>",
          "<label>One <select><option>1</select></label>"),
    Fault("label", "<textarea></textarea>", "<textarea aria-label=Note></textarea>"),
    Fault("label", "<input type=checkbox>", "<label><input type=checkbox> Yes</label>"),
    Fault("label", "<input type=date>", "<label>Day <input type=date></label>"),
    Fault("placeholder-label", "<input placeholder=Town>",
          "<label>Town <input placeholder=Bern></label>"),
    Fault("heading-order", "<h3>Deep</h3>", "<h2>Two</h2><h3>Three</h3><h2>Two</h2>"),
    Fault("empty-heading", "<h2 style='height:9px'></h2>", "<h2>Filled</h2>"),
    Fault("focusable", "<div role=button>Go</div>", "<div role=button tabindex=0>Go</div>"),
    Fault("tabindex", "<button tabindex=3>Go</button>", "<p tabindex=-1>Aim</p>"),
    Fault("aria-hidden-focus", "<div aria-hidden=true><button>Go</button></div>",
          "<div aria-hidden=true>…<button disabled>Go</button></div>"),
    Fault("frame-title", "<iframe srcdoc=x></iframe>", "<iframe srcdoc=x title=X></iframe>"),
    Fault("duplicate-id", "<p id=a>1<p id=a>2", "<p id=b>1<p id=c>2"),
    Fault("landmark-one-main", main="<h1>Tides</h1>{markup}", several=True),
    Fault("landmark-no-duplicate-main", main=f"{BODY}<main>More</main>", several=True),
    Fault("html-has-lang", lang=""),
    Fault("html-lang-valid", lang=' lang="?"'),
    Fault("meta-viewport", head=HEAD.replace("device-width", "device-width,user-scalable=no")),
)  # fmt: skip

SEO = (
    Fault("title", head=HEAD.replace("<title>Tides</title>", "")),
    Fault("title", head=HEAD.replace("Tides", " ")),
    Fault("meta-description", head=HEAD.replace('name="description"', 'name="else"')),
    Fault("meta-description", head=HEAD.replace("When the water comes.", "")),
    Fault("meta-viewport", head=HEAD.replace('name="viewport"', 'name="else"')),
    Fault("canonical", head=f"{HEAD}<link rel=canonical href={{origin}}/other>"),
    Fault("canonical", head=HEAD.replace("{origin}", "")),
    Fault("canonical", head=HEAD.replace("{origin}", "https://else.test")),
    Fault("canonical", head=HEAD.replace("{origin}/tides", "")),
    Fault("canonical", head=HEAD.replace("/tides", "/tides#high")),
    Fault("noindex", head=f"{HEAD}<meta name=robots content=noindex>"),
    Fault("h1", main="<main>{markup}</main>"),
    Fault("h1", "<h1>Another</h1>", "<h2>Another</h2>"),
)

CONTRAST = (
    Fault("color-contrast", "<p style='color:#7d7d7d'>4.1", "<p style='color:#757575'>4.6"),
    Fault("color-contrast", "<p style='color:#949494;font-size:23.9px'>3.03",
          "<p style='color:#949494;font-size:24px'>3.03"),
    Fault("color-contrast", "<p style='color:#949494;font-size:18.6px;font-weight:700'>3.03",
          "<p style='color:#949494;font-size:18.7px;font-weight:700'>3.03"),
    Fault("color-contrast", "<div style='background:#777'><b><p style='color:#ddd'>inherited",
          "<div style='background:#333'><b><p style='color:#ddd'>inherited"),
    Fault("color-contrast", "<p style='color:rgba(0,0,0,.4)'>translucent",
          "<p style='color:rgba(0,0,0,.8)'>translucent"),
    Fault("color-contrast", "<div style='background:#000'><p style='background:"
          "rgba(255,255,255,.5);color:#fff'>veil",
          "<div style='background:#000'><p style='background:"
          "rgba(255,255,255,.1);color:#fff'>veil"),
    Fault("color-contrast", "<div style='opacity:.3'>faint", "<div style='opacity:.9'>faint"),
    Fault("color-contrast", "<p style='color:oklch(80% 0 0)'>modern",
          "<p style='color:oklch(30% 0 0)'>modern"),
    Fault("color-contrast", "<label>Name <input value=pale style='color:#ccc'></label>",
          "<label>Name <input value=pale style='color:#ccc' disabled></label>"),
)  # fmt: skip

LINKS = (
    Fault("broken-link", "<a href='http://[bad'>Typo</a>", "<a href=/status/200>There</a>"),
    Fault("broken-link", "<a href=/status/404>Gone</a>", "<a href=/status/200>There</a>"),
    Fault("broken-link", "<a href=/status/500>Broken</a>", "<a href=/status/403>Locked</a>"),
    Fault("broken-link", "<a href=http://127.0.0.1:1/>Dead</a>", "<a href=mailto:a@b.test>M</a>"),
    Fault("redirect-chain", "<a href='/redirect?to=/redirect?to=/echo'>Far</a>",
          "<a href='/redirect?to=/echo'>Near</a>"),
    Fault("missing-href", "<a>Nowhere</a>", "<a name=here>Here</a>"),
    Fault("missing-href", "<a href=''>Nowhere</a>", "<a href=/echo>Somewhere</a>"),
    Fault("missing-href", "<a href='javascript:go()'>Run</a>", "<button>Run</button>"),
    Fault("broken-fragment", "<a href=#none>None</a>",
          "<a href=#some>Some</a><a href=#>Top</a><p id=some>Some"),
    Fault("noopener", "<a href=http://b.localhost:1/ target=_blank>Out</a>",
          "<a href=/echo target=_blank>In</a>"
          "<a href=%(other)s target=_blank rel=noopener>Out</a>", several=True),
)  # fmt: skip

PERFORMANCE = (
    Fault("unused-css", head=f"{HEAD}<link rel=stylesheet href=%(unused)s>", several=True),
    Fault("large-image", "<img src=%(large)s width=100 height=100 alt=''>",
          "<img src=%(fitting)s width=100 height=100 alt=''>"),
    Fault("large-image", "<img src=%(heavy)s width=100 height=100 alt=''>"),
    Fault("render-blocking", head=f"{HEAD}<script src=%(script)s></script>"),
    Fault("layout-thrashing", """<script>onload = () => setTimeout(() => {
      const start = performance.now();
      while (performance.now() - start < 150) {
        document.body.style.paddingTop = `${Math.random()}px`;
        document.body.offsetTop;
      }
      document.body.style.paddingTop = '';
    }, 100)</script>""", "<script>document.body.offsetTop</script>"),
    Fault("layout-shift", """<script>setTimeout(() => {
      document.querySelector('main').insertAdjacentHTML('afterbegin', '<p style="height:300px">ad')
    }, 300)</script><p style='height: 400px'>text</p>""", "<p style='height: 400px'>text</p>"),
    Fault("dom-size", "<i></i>" * 1600, "<i></i>" * 100),
)  # fmt: skip

FAULTS: Mapping[str, tuple[Fault, ...]] = {
    "a11y": A11Y,
    "seo": SEO,
    "contrast": CONTRAST,
    "links": LINKS,
    "performance": PERFORMANCE,
}
