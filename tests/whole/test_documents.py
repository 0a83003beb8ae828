"""Long documents: content is complete and without repetition, overviews are short."""

import json
import re
from collections.abc import Generator
from difflib import SequenceMatcher
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from unicodedata import normalize

import pytest

from tests.whole.documents import SHOWN, Truth, long_document
from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

MANUAL = Path("/usr/share/doc/python3/html")
PAGES = ["tutorial/controlflow.html", "library/stdtypes.html", "glossary.html"]
UNLIMITED = 400_000
SLICE = 20_000
FENCED = re.compile(r"^[ >]*(`{3,})[\w+#-]*\n(.*?)\n[ >]*\1$", re.DOTALL | re.MULTILINE)


class Silent(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base's name
        """Keep the tests' output free of requests."""


@pytest.fixture(scope="module")
def manual() -> Generator[str]:
    """Serve Python's documentation from Debian's python3-doc; yield its URL."""
    if not MANUAL.is_dir():
        pytest.skip("python3-doc is not installed")
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Silent, directory=str(MANUAL))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture(params=["written", *PAGES])
def document(request: pytest.FixtureRequest, tab: Tab) -> Tab:
    page: str = request.param
    if page == "written":
        tab.open(long_document(), detail="minimal")
    else:
        address = request.getfixturevalue("manual") + page
        tab.call("navigate", url=address, detail="minimal")
    return tab


def words(text: str) -> list[str]:
    """Return the words of a text, with exponents and indexes as digits."""
    return re.findall(r"\w+", normalize("NFKC", text))


def flat(text: str) -> str:
    return " ".join(text.split())


def truth(tab: Tab) -> Truth:
    length = tab.js(SHOWN)
    slices = [tab.js(f"shown.slice({at}, {at + SLICE})") for at in range(0, length, SLICE)]
    shown = json.loads("".join(slices))
    texts = [flat(text) for text in shown["headings"]]
    code = [flat(text) for text in shown["code"]]
    return Truth(texts, code, words(shown["text"]), words(shown["again"]))


def markdown(tab: Tab) -> str:
    """Return the whole main landmark, from as many answers as necessary."""
    reply = tab.reply(
        "observe", mode="content", format="markdown", selector="main, [role=main]",
        include_links=False, max_length=10_000_000, max_chars=UNLIMITED,
    )  # fmt: skip
    texts = [reply.texts[0]]
    while cut := json.loads(reply.texts[1]).get("truncation"):
        reply = tab.reply("observe", cursor=cut["next_cursor"], max_chars=UNLIMITED)
        texts.append(reply.texts[0])
    return "\n".join(texts)


def unfenced(text: str) -> str:
    """Remove comments, fences, list numbers and escapes from Markdown."""
    text = re.sub(r"<!--.*?-->", "", text)
    text = re.sub(r"^[ >]*`{3,}[\w+#-]*$", "", text, flags=re.MULTILINE)
    text = re.sub(r"^[ >]*\d+\. ", "", text, flags=re.MULTILINE)
    return re.sub(r"\\(?=[!-/:-@\[-`{-~])", "", text)


@pytest.mark.req("B-MD-03")
def test_content_includes_headings_code_and_words_once_and_in_order(document: Tab) -> None:
    wanted, text = truth(document), markdown(document)
    assert wanted.headings
    assert wanted.code

    code = [flat(block) for _, block in FENCED.findall(text)]
    assert [one for one in wanted.code if one not in code] == []
    headings = re.findall(r"^#{1,6} (.*)$", FENCED.sub("", text), re.MULTILINE)
    plain = [re.sub(r"[*`\\]", "", flat(one)) for one in headings]
    assert plain == [re.sub(r"[*`\\]", "", one) for one in wanted.headings]
    found = words(unfenced(text))
    pairs = SequenceMatcher(None, wanted.words, found).get_matching_blocks()
    kept = sum(pair.size for pair in pairs)
    assert kept >= 0.99 * len(wanted.words)
    assert len(found) - kept - len(wanted.again) <= 0.01 * len(wanted.words)
