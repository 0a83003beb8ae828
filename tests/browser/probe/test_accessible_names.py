"""A browser without computed roles and names says the same of every page.

Its console's functions take the place of the elements' properties, and for what has no box of its
own (``display: contents``) the probe works role and name out by itself.
"""

import json
from collections.abc import AsyncGenerator, Awaitable, Callable
from functools import partial

import pytest

from tests.browser.probe.markup import FILES, markup_in
from tests.browser.raw_cdp import Json, RawPage
from tests.sampling import one_in
from tests.site.server import PAGES, Site, open_site

pytestmark = pytest.mark.chromium

PATIENCE = 60  # frames
CONTENTS = 'style="display: contents"'
IMAGE = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'/>"
BOXLESS = [
    f"<a href=x {CONTENTS}>two <b>words</b></a>",
    f"<a href=x {CONTENTS} aria-label=label>text</a>",
    f"<a href=x {CONTENTS}><img alt=picture src=data:,></a>",
    f"<a href=x {CONTENTS}><svg><title>drawn</title></svg></a>",
    f"<a href=x {CONTENTS}><input type=image alt=image></a>",
    f"<a href=x {CONTENTS} title=tip></a>",
    f"<a href=x {CONTENTS} title=text>text</a>",
    f"<a href=x {CONTENTS}><i style='display: none'>unseen</i><i aria-hidden=true>x</i>seen</a>",
    f"<a href=x {CONTENTS}><div>one</div><div>two</div><style>i {{}}</style></a>",
    f"<button {CONTENTS} aria-labelledby='q r none'>b</button><p id=q>Q</p><p id=r hidden>R</p>",
    f"<header {CONTENTS}>h</header><footer {CONTENTS}>f</footer><aside {CONTENTS}>a</aside>",
    f"<article><header {CONTENTS}>h</header><aside {CONTENTS}>a</aside></article>",
    f"<article><aside {CONTENTS} aria-label=named>a</aside></article>",
    f"<main><header {CONTENTS}>h</header><aside {CONTENTS} title=named>a</aside></main>",
    f"<section {CONTENTS} aria-label=named>s</section><section {CONTENTS}>s</section>",
    f"<nav {CONTENTS} aria-label=n><a href=x>l</a></nav><main {CONTENTS}>m</main>",
    f"<form {CONTENTS} aria-label=named><input></form><form {CONTENTS} role=search></form>",
    f"<fieldset {CONTENTS}><legend>Legend</legend><input></fieldset>",
    f"<table {CONTENTS}><caption>Caption</caption><tr><td>1</table>",
    f"<ul {CONTENTS} aria-label=list><li>1</ul><dialog open {CONTENTS}>d</dialog>",
    f"<details {CONTENTS} open><summary {CONTENTS}>sum</summary>text</details>",
    f"<h2 {CONTENTS}>a<br>b<span>c</span> <a href=x>link</a></h2>",
    f"<div role='unknown button' {CONTENTS} tabindex=0>role</div>",
    f"<div role=checkbox {CONTENTS} aria-checked=true>c</div><b role=img {CONTENTS}>i</b>",
    f"<div role=presentation tabindex=0 {CONTENTS}>p</div>",
    f"<label {CONTENTS}>Label <input type=file hidden></label>",
    f"""<div id=h></div><script>h.attachShadow({{mode: 'open'}}).innerHTML = `
    <button {CONTENTS} aria-labelledby=in></button><p id=in>inside</p><header {CONTENTS}>h`
    </script>""",
]
UNRENDERED = [
    "<p style='height: 5000px'><div style='content-visibility: auto'><a href=x>far</a></div>",
    """<dialog id=d aria-label=modal><button>in</button></dialog><button>out</button>
    <script>d.showModal()</script>""",
    *(
        f'<img usemap=#m width=90 height=80 src="{src}"><map name=m><area href=/a {named}></map>'
        for src in ("data:,", IMAGE)
        for named in ("alt=Here", "alt=Here aria-label=Label", "alt=Here title=Tip", "title=Tip")
    ),
    "<div onclick=f()><img alt=Cart src=data:, width=9 height=9></div>",
    "<label for=f>Label</label><input type=file id=f style='display: none' title=tip>",
]


@pytest.fixture
async def pages(page: RawPage, plain_page: RawPage) -> list[RawPage]:
    return [page, plain_page]


async def seen_by(page: RawPage) -> Json:
    """All that is seen, without the names of the document and of the answer."""
    seen = await page.ask("capture")
    return {key: value for key, value in seen.items() if key not in {"document", "answer"}}


async def differ(pages: list[RawPage], show: Callable[[RawPage], Awaitable[None]]) -> bool:
    """Whether the two browsers see different things once each has finished in its own time."""
    for page in pages:
        await show(page)
    for _ in range(PATIENCE):
        first, second = [await seen_by(page) for page in pages]
        if first == second:
            return False
        await pages[0].run("new Promise(requestAnimationFrame)")
    return True


async def write(page: RawPage, html: str) -> None:
    """Put markup into the document that is there, which takes a tenth of a navigation's time."""
    text = json.dumps(f"<!doctype html>{html}")
    await page.run(f"document.open(); document.write({text}); document.close()")


async def those_that_differ(pages: list[RawPage], texts: list[str]) -> list[str]:
    """The texts of which the two browsers see different things."""
    for page in pages:
        await page.load("")
    return [html for html in texts if await _differ_for_good(pages, html)]


async def _differ_for_good(pages: list[RawPage], html: str) -> bool:
    """Whether they do in a new document too: in one that is written again and again, what one has
    seen at some moment and the other has not stays in the numbers of all that follows.
    """
    if not await differ(pages, partial(write, html=html)):
        return False
    return await differ(pages, partial(RawPage.load, html=html))


async def test_one_has_the_properties_and_the_other_has_not(pages: list[RawPage]) -> None:
    for page in pages:
        await page.load("a")
    asked = [await page.run_beside("'computedName' in Element.prototype") for page in pages]
    assert asked == [True, False]


@pytest.mark.parametrize("name", one_in(4, FILES))
async def test_the_pages_of_the_tests_look_the_same(pages: list[RawPage], name: str) -> None:
    assert await those_that_differ(pages, markup_in(name)) == []


async def test_elements_without_a_box_look_the_same(pages: list[RawPage]) -> None:
    assert await those_that_differ(pages, BOXLESS + UNRENDERED) == []


@pytest.fixture
async def site() -> AsyncGenerator[Site]:
    async with open_site() as running:
        yield running


async def visit(page: RawPage, url: str) -> None:
    """Load a page, and let it finish what it says to be busy with."""
    await page.show(url)
    await page.run("""(async () => {
        while (document.querySelector('[aria-busy=true]')) await new Promise(requestAnimationFrame);
    })()""")


@pytest.mark.parametrize("file", one_in(3, sorted(file.name for file in PAGES.glob("*.html"))))
async def test_the_pages_of_the_test_site_look_the_same(
    pages: list[RawPage], site: Site, file: str
) -> None:
    assert not await differ(pages, partial(visit, url=site.url(f"/{file}")))
