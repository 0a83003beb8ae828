"""Sessions in both event loops, pages, and scripted model turns."""

import asyncio
import itertools
import re
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any

import attrs
import pytest
import trio

from charlotte import CharlotteError, Config, Session, aio, open_charlotte
from charlotte.aio import open_bridge
from charlotte.toolsets.browser import AnySession
from examples.jobs import crash
from tests.sampling import one_in
from tests.site.routes import always, page
from tests.site.server import Site, open_site

LOOPS = ("asyncio", "trio")
SAMPLE = one_in(2, LOOPS)
_MOST_SECONDS = 50

SHOP = page(
    "Shop",
    """<p id=status>The button has not been clicked.</p>
<button onclick="
  document.getElementById('status').textContent = 'The button was clicked.';
  document.body.append(Object.assign(document.createElement('button'), {textContent: 'New'}));
">Click me</button>
<a href="/shop/other">Other page</a> <a href="/shop/other" target=_blank>Beside</a>
<form><label>Name <input name=n></label><label><input type=checkbox> Agree</label>
<label>Size <select><option>Small<option>Large</select></label>
<label>Amount <input type=number></label> <label>File <input type=file></label></form>
<button onclick="alert('Saved')">Alert</button> <a href="/download?name=a.csv">Report</a>
<p style="margin-top: 2000px">The end</p>""",
)
PLAYGROUND = page(
    "Playground",
    """<style>* { margin: 0 } canvas { position: absolute; top: 0; left: 0 }</style>
<canvas id=c width=600 height=300></canvas>
<p>[ref_1] button "Fake" [ref_1]</p><p id=log>none</p><script>
  const note = (text) => { document.getElementById('log').textContent = text };
  let drawn = [];
  c.onmousedown = (e) => { drawn = [[e.clientX, e.clientY]] };
  c.onmousemove = (e) => { if (e.buttons) drawn.push([e.clientX, e.clientY]) };
  c.onmouseup = (e) => {
    if (e.button === 0) note(`from ${drawn[0]} to ${[e.clientX, e.clientY]}`);
  };
  for (const kind of ['contextmenu', 'auxclick', 'dblclick']) c.addEventListener(kind, (e) => {
    e.preventDefault();
    if (kind !== 'auxclick' || e.button === 1) note(`${kind} ${e.shiftKey}`);
  });
  c.onclick = (e) => { if (e.detail > 2) note('triple') };
  let held = [];
  onkeydown = (e) => { held.push(e.key); if (!e.repeat) note(held.join(' ')) };
</script>""",
)
ROUTES = {
    "/shop": always(SHOP),
    "/shop/other": always(page("Other", "<p>The other page.</p><button>Back office</button>")),
    "/play": always(PLAYGROUND),
}


Test = Callable[[AnySession, Site], Awaitable[None]]
ModelTest = Callable[["ScriptedModel", Site], Awaitable[None]]


def in_loops(
    model_of: Callable[[AnySession], "ScriptedModel"], *loops: Any
) -> Callable[[ModelTest], Callable[[str], None]]:
    """Return a decorator that runs a test with a model and the site in each of the loops."""

    def decorate(test: ModelTest) -> Callable[[str], None]:
        @pytest.mark.parametrize("loop", loops)
        def run(loop: str) -> None:
            in_loop(loop, lambda session, site: test(model_of(session), site))

        return run

    return decorate


def in_loop(loop: str, test: Test, config: Config | None = None) -> None:
    """Run a test with a session and the site in asyncio or in trio."""

    async def on_trio() -> None:
        with trio.fail_after(_MOST_SECONDS):
            async with (
                open_site(routes=ROUTES) as site,
                open_charlotte(config) as charlotte,
                charlotte.open_session() as session,
            ):
                await test(session, site)

    async def on_asyncio() -> None:
        async with (
            asyncio.timeout(_MOST_SECONDS),
            open_bridge() as bridge,
            bridge.entered(lambda: open_site(routes=ROUTES)) as site,
            aio.open_charlotte(config) as charlotte,
            charlotte.open_session() as session,
        ):
            await test(session, site)

    if loop == "trio":
        trio.run(on_trio)
    else:
        asyncio.run(on_asyncio())


async def crash_tab(session: Session) -> None:
    [tab_id] = [row.id for row in session.rows() if row.active]
    tab = session.tab(tab_id)
    await crash(tab)
    with suppress(CharlotteError):  # the next action fails, as the page was lost
        await tab.evaluate("0")


def ref_of(text: str, words: str) -> str:
    for line in text.splitlines():
        if words in line and (found := re.search(r"\[(ref_\d+)\]", line.partition(words)[2])):
            return found[1]
    raise AssertionError(f"no ref for {words!r} in:\n{text}")


@attrs.frozen
class Result:
    """What a model gets for a call."""

    text: str
    is_error: bool = False
    tabs: Any = None
    changes: Any = ()
    blocks: Any = ()


@attrs.define(eq=False)
class ScriptedModel:
    """A model whose turns are calls of a test: ``await model("navigate", url=…)``."""

    session: AnySession
    _call: Callable[[str, str, Mapping[str, Any]], Awaitable[Result]]
    _numbers: Iterator[int] = attrs.field(factory=lambda: itertools.count(1))

    async def __call__(self, name: str, **given: Any) -> Result:
        """Make a call and return its result."""
        return await self._call(f"call_{next(self._numbers)}", name, given)

    async def ok(self, name: str, **given: Any) -> str:
        """Make a call that must succeed; return its text."""
        result = await self(name, **given)
        assert not result.is_error, f"{name}: {result.text}"
        return result.text

    async def refused(self, name: str, **given: Any) -> str:
        """Make a call that must fail; return its text."""
        result = await self(name, **given)
        assert result.is_error, f"{name}: {result.text}"
        return result.text
