"""Plays random cases in one tab without a server; an id book holds the agent's knowledge."""

import json
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from random import Random
from threading import Thread

import attrs

from charlotte.base.errors import ElementChanged
from charlotte.page.capture import Capture, parse_answer
from charlotte.page.identity.id_book import IdBook
from charlotte.page.identity.references import find_shown_node
from tests.browser.raw_cdp import RawPage
from tests.identity.documents import Document, change_document, make_document
from tests.identity.lists import (
    AROUND,
    CHANGES,
    Look,
    Record,
    change_records,
    make_equal,
    make_look,
    make_records,
)

SCRIPT = """
globalThis.morph = (old, next) => {
  if (old.nodeType === 3) { if (old.data !== next.data) old.data = next.data; return; }
  for (const { name } of [...old.attributes]) {
    if (!next.hasAttribute(name)) old.removeAttribute(name);
  }
  for (const { name, value } of [...next.attributes]) {
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  const [was, now] = [[...old.childNodes], [...next.childNodes]];
  now.forEach((child, at) => {
    if (at >= was.length) old.append(child);
    else if (was[at].nodeName !== child.nodeName) was[at].replaceWith(child);
    else morph(was[at], child);
  });
  for (const gone of was.slice(now.length)) gone.remove();
};
globalThis.keys = new Map();
globalThis.show = (rows, how) => {
  const list = document.getElementById('list');
  const made = list.cloneNode(false);
  made.innerHTML = rows.map(([, html]) => html).join('');
  if (how === 'remade') list.replaceChildren(...made.childNodes);
  else if (how === 'all remade') list.replaceWith(made);
  else if (how === 'recycled') morph(list, made);
  else {
    const before = keys;
    keys = new Map();
    list.replaceChildren(...[...made.children].map((row, at) => {
      const known = before.get(rows[at][0]);
      if (known) morph(known, row);
      return known ?? row;
    }));
  }
  document.getElementById('list').childNodes.forEach((row, at) => keys.set(rows[at][0], row));
};
"""
SAME_RECORD = (": none", ": sorted", ": updated")
"""Changes that keep every record; an additional query parameter keeps them too."""

HOWS = ("remade", "all remade", "recycled", "keyed")


@contextmanager
def open_blank_site() -> Generator[str]:
    """Serve a site with an empty page at every path; yield its origin."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Blank) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


class _Blank(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        body = b"<!doctype html><title>x</title><body>"
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base's name
        """Keep the tests' output free of requests."""


@attrs.define
class Tally:
    """The results: correct actions, correct and false refusals, wrong actions."""

    acted: Counter[str] = attrs.field(factory=Counter[str])
    rightly_refused: Counter[str] = attrs.field(factory=Counter[str])
    wrong: list[str] = attrs.field(factory=list[str])
    refused: Counter[str] = attrs.field(factory=Counter[str])
    examples: dict[str, str] = attrs.field(factory=dict[str, str])

    def false_refusals(self, *changes: str) -> float:
        """Return the share of false refusals among existing elements, of some changes or all."""
        acted, refused = (
            sum(n for case, n in count.items() if not changes or any(map(case.count, changes)))
            for count in (self.acted, self.refused)
        )
        return refused / (acted + refused) if acted + refused else 0.0


@attrs.frozen
class Control:
    """A control as the oracle knows it: record and part, name, link target."""

    mark: str
    name: str
    href: str


@attrs.define
class Player:
    page: RawPage
    site: str
    tally: Tally = attrs.field(factory=Tally)
    book: IdBook = attrs.field(factory=IdBook)
    is_open: bool = False

    async def capture(self) -> Capture:
        capture = parse_answer(await self.page.run_beside("charlotte.capture()"))
        contested = self.book.find_contested(capture)
        alive: list[int] = []
        if contested:
            rows = (await self.page.ask("alive", contested))["rows"]
            alive = [nid for nid, row in zip(contested, rows, strict=True) if row]
        self.book.identify(capture, alive)
        return capture

    async def controls(self) -> dict[str, Control]:
        ids = {
            element_id: node.nid
            for node in (await self.capture()).nodes
            if node.kind in {"i", "c"} and (element_id := self.book.get_id(node.nid))
        }
        found = await self.marks(list(ids.values()))
        return {one: control for one, control in zip(ids, found, strict=True) if control}

    async def marks(self, nids: list[int]) -> list[Control | None]:
        rows = (await self.page.ask("selectors", nids))["rows"]
        selectors = json.dumps([row[0] if row else "" for row in rows])
        found: list[list[str] | None] = await self.page.run(
            f"""{selectors}.map((css) => {{ const one = css && document.querySelector(css);
            return one && one.hasAttribute('mark') ? [one.getAttribute('mark'),
            one.getAttribute('aria-label') ?? one.textContent, one.getAttribute('href') ?? '']
            : null }})"""
        )
        return [Control(*one) if one else None for one in found]

    async def play(self, seed: int) -> None:
        random = Random(seed)  # noqa: S311 - not used for secrets
        if random.random() < 0.25:
            await self._play_document(random, seed)
        else:
            await self._play_list(random, seed)

    async def _open(self, url: str, html: str, title: str = "Shop", *, load: bool = False) -> None:
        """Show a page; load another document only if necessary, because loading is slow."""
        if load or not self.is_open:
            await self.page.show(self.site + url)
            await self.page.run(f"{SCRIPT}; 0")
            self.is_open = True
        await self.page.run(
            f"""history.replaceState(0, '', {json.dumps(url)}); keys.clear();
            document.title = {json.dumps(title)}; document.body.innerHTML = {json.dumps(html)}; 0"""
        )

    async def _play_list(self, random: Random, seed: int) -> None:
        here, others = make_records(random)
        look = make_look(random)
        if random.random() < 0.3 and look.key != "generated":
            every = make_equal(random, [*here, *others], look)
            here, others = every[: len(here)], every[len(here) :]
        how, what = random.choice(HOWS), random.choice(CHANGES)
        await self._open("/list?sort=name", _list_page(look, has_head=random.random() < 0.5))
        self.book = IdBook()
        await self._show(look, here, "keyed")
        known = await self._know()
        now = change_records(random, what, here, others, look)
        if random.random() < 0.3:
            look = attrs.evolve(look, query="?tab=2" if look.query else "")
            await self.page.run("history.replaceState(0, '', '/list?sort=age'); 0")
            what += ", query"
        await self._show(look, now, how)
        await self._judge(known, f"{look.layout}: {what}, {how}", seed)

    async def _show(self, look: Look, records: list[Record], how: str) -> None:
        rows = [[one.key, look.row(one, index)] for index, one in enumerate(records)]
        await self.page.run(f"show({json.dumps(rows)}, {how!r}); 0")

    async def _know(self) -> dict[str, Control]:
        known = await self.controls()
        self.book.note_shown(known)
        self.book.note_page_shown()
        return known

    async def _play_document(self, random: Random, seed: int) -> None:
        before = make_document(random)
        after, what = change_document(random, before)
        await self._open(before.url, before.html(), before.title)
        self.book = IdBook()
        known = await self._know()
        await self._become(before, after, what)
        shown = random.random() < 0.3
        if shown:
            await self._know()
        case = f"document: {what}{', shown' if shown else ''}"
        elsewhere = before.address != after.address
        await self._judge(known, case, seed, shown=shown, elsewhere=elsewhere)

    async def _become(self, before: Document, after: Document, what: str) -> None:
        if "loaded" in what:
            await self._open(after.url, after.html(), after.title, load=True)
            return
        if after.url != before.url:
            await self.page.run(f"history.pushState(0, '', {json.dumps(after.url)}); 0")
        html, title = json.dumps(after.html()), json.dumps(after.title)
        made = f"Object.assign(document.createElement('body'), {{innerHTML: {html}}})"
        await self.page.run(f"document.title = {title}; morph(document.body, {made}); 0")

    async def _judge(
        self,
        known: dict[str, Control],
        case: str,
        seed: int,
        *,
        shown: bool = False,
        elsewhere: bool = False,
    ) -> None:
        """Act on all known references, and compare the resolved elements with the intended ones.

        ``elsewhere`` is a document that selects another record: all refusals are correct there.
        """
        now = {one.mark: one for one in (await self.controls()).values()}
        led: dict[str, int] = {}
        for element_id in known:
            try:
                nid, _ = find_shown_node(self.book, element_id)
            except ElementChanged:
                continue
            if nid is not None and self.book.get_node(nid):
                led[element_id] = nid
        hits = dict(zip(led, await self.marks([*led.values()]), strict=True))
        for element_id, meant in known.items():
            hit = hits.get(element_id)
            if hit is None:
                there = None if elsewhere else now.get(meant.mark)
                self._note_refusal(meant, there, case, seed)
            elif hit.mark == meant.mark or shown:
                self.tally.acted[case] += 1
            else:
                self.tally.wrong.append(f"seed {seed}, {case}: {element_id} {meant} -> {hit}")

    def _note_refusal(self, meant: Control, now: Control | None, case: str, seed: int) -> None:
        if now == meant:
            self.tally.refused[case] += 1
            self.tally.examples.setdefault(case, f"seed {seed}: {meant}")
        else:
            self.tally.rightly_refused[case] += 1


def _list_page(look: Look, *, has_head: bool) -> str:
    around = AROUND.get(look.layout, "div")
    head = ""
    if has_head and look.layout == "grid":
        head = "".join(f"<th role=columnheader>{field.title()}</th>" for field in look.fields)
        head = f"<thead><tr role=row>{head}</tr></thead>"
    inner = f"<{around} id=list></{around}>"
    if around == "tbody":
        inner = f"<table {'role=grid' if look.layout == 'grid' else ''}>{head}{inner}</table>"
    return (
        f"<header><a href='/home' mark='page|home'>Home</a></header><main><h1>People</h1>"
        f"<input aria-label=Filter mark='page|filter'>{inner}"
        f"<button mark='page|add'>Add</button></main>"
    )
