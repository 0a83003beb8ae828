"""The forms of a page that agents read: Charlotte's answers, and Playwright MCP's snapshot."""

import json
import re
import tempfile
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from subprocess import DEVNULL
from typing import Any, Final, cast

import attrs

from bench.ours import Server, open_server
from bench.peers import PLAYWRIGHT, commands
from bench.peers import Playwright as Peer
from tests.stdio_client import open_client

VISIBLE: Final = "visible text"
SNAPSHOT: Final = "Playwright MCP"
FULL: Final = "text, full"
DEFAULT: Final = "text, default"
JSON_FULL: Final = "JSON, full"
JSON_DEFAULT: Final = "JSON, default"

_MOST: Final = 400_000
"""Characters: the largest answer that can be requested."""

_LINES: Final = "document.body.innerText.split('\\n').map((line) => line.trimEnd())"
_VISIBLE: Final = f"{_LINES}.filter(Boolean).join('\\n')"
"""The text without empty lines; the indentation of code stays."""
_WORDS: Final = """(() => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), words = new Set();
  while (texts.nextNode()) {
    const parent = texts.currentNode.parentElement;
    if (!parent.checkVisibility() || parent.closest('option, [aria-hidden=true]')) continue;
    for (const word of texts.currentNode.data.match(/[\\p{L}\\p{N}]+/gu) ?? []) words.add(word);
  }
  return [...words].join(' ');
})()"""
_SLICE: Final = 20_000
"""Characters of a text that one call returns."""

_AGENT: Final = "navigator.userAgent"
_CUT: Final = re.compile(r'^[!…] .*observe\{cursor: ("(?:[^"\\]|\\.)*")\}', re.MULTILINE)
_ID: Final = re.compile(
    r"(?<![\w-])(?:btn|lnk|inp|sel|chk|rad|tog|clk)-[0-9a-f]{4}(?:-\d+)?(?![\w-])"
)


@attrs.frozen
class PageForms:
    """The texts of a page by form, its visible words, and the ids of its controls in JSON."""

    texts: Mapping[str, str]
    words: frozenset[str]
    ids: frozenset[str]

    @property
    def ids_in_text(self) -> frozenset[str]:
        """The ids of controls in the full text form."""
        return frozenset(_ID.findall(self.texts[FULL]))

    @property
    def missing_words(self) -> frozenset[str]:
        """The visible words that the full text form does not contain."""
        text = self.texts[FULL].replace(r"\n", " ").casefold()
        return frozenset(word for word in self.words if word.casefold() not in text)


@attrs.frozen
class Readers:
    """Both servers, each with its own browser of the same build, ``agent``."""

    agent: str
    _ours: Server
    _peer: Peer

    async def read(self, url: str) -> PageForms:
        """Load a page in both browsers and return its forms."""
        texts: dict[str, str] = {}
        words: Sequence[str] = ()
        ids: set[str] = set()
        for answers, default, full in (("text", DEFAULT, FULL), ("json", JSON_DEFAULT, JSON_FULL)):
            tab = {"tab_id": await self._open_tab()}
            texts[default] = await self._ours.call("navigate", url=url, answers=answers, **tab)
            parts = await self._observe(answers, tab)
            texts[full] = "\n".join(parts)
            if answers == "json":
                bodies = [json.loads(part) for part in parts]
                ids = {one["id"] for body in bodies for one in body.get("interactive", ())}
            else:
                texts[VISIBLE] = await self._evaluate_long(_VISIBLE, tab)
                words = (await self._evaluate_long(_WORDS, tab)).split()
            await self._ours.call("tab_close", **tab)
        await self._peer.navigate(url)
        texts[SNAPSHOT] = await self._peer.call("browser_snapshot")
        return PageForms(texts, frozenset(words), frozenset(ids))

    async def _open_tab(self) -> str:
        tab_id: str = json.loads(await self._ours.call("tab_open", answers="json"))["tab_id"]
        return tab_id

    async def _evaluate_long(self, expression: str, tab: Mapping[str, str]) -> str:
        """Return the text that an expression yields, however long it is."""
        text = ""
        while True:
            part = f"({expression}).slice({len(text)}, {len(text) + _SLICE})"
            text += (more := await _evaluate(self._ours, part, **tab))
            if len(more) < _SLICE:
                return text

    async def _observe(self, answers: str, tab: Mapping[str, str]) -> list[str]:
        """Return the parts of the whole page."""
        options: dict[str, Any] = {"answers": answers, "max_chars": _MOST, **tab}
        parts = await self._ours.texts("observe", detail="full", **options)
        cursors = find_cursors(parts)
        while cursors:
            more = await self._ours.texts("observe", cursor=cursors.pop(0), **options)
            cursors += find_cursors(more)
            parts += more
        return parts


def find_cursors(texts: Sequence[str]) -> list[str]:
    """Return the cursors for what the texts of an answer leave out, in either format."""
    found: list[str] = []
    for text in texts:
        if text.startswith("{"):
            cut: Any = json.loads(text).get("truncation", [])
            cuts = cast("Sequence[Any]", cut) if isinstance(cut, list) else [cut]
            found += [one["next_cursor"] for one in cuts]
        else:
            found += map(json.loads, _CUT.findall(text))
    return found


@asynccontextmanager
async def open_readers() -> AsyncGenerator[Readers]:
    """Start both servers. Raises `bench.peers.NoPeers`."""
    with tempfile.TemporaryDirectory(prefix="bench-", ignore_cleanup_errors=True) as scratch:
        command = (await commands(Path(scratch)))[PLAYWRIGHT]
        async with open_server() as ours, open_client(command, stderr=DEVNULL) as client:
            await ours.initialize()
            await client.initialize()
            peer = Peer(PLAYWRIGHT, client)
            agent = await _evaluate(ours, _AGENT)
            theirs = await peer.call("browser_evaluate", function=f"() => {_AGENT}")
            if agent not in theirs:
                raise RuntimeError(f"the browsers differ: {agent} and {theirs}")
            yield Readers(agent, ours, peer)


async def _evaluate(server: Server, expression: str, **tab: str) -> str:
    answer = json.loads(await server.call("evaluate", expression=expression, answers="json", **tab))
    value: str = answer["value"]
    return value
