"""PDF documents open as text, with the file saved."""

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfWriter
from starlette.responses import Response

from tests.pdf import write_pdf
from tests.site.routes import Request
from tests.whole.cases import case
from tests.whole.client import Message, open_server
from tests.whole.tabs import Tab, eventually
from tests.whole.web import Web

pytestmark = pytest.mark.chromium

PAGES = ["Invoice 4711\nTotal: 12 EUR", "Terms & <b>conditions</b>", ""]
PDF = write_pdf(PAGES, title="Invoice")
TEXTS = [
    "PDF document with 3 pages.",
    *("Page 1", "Invoice 4711", "Total: 12 EUR"),
    *("Page 2", "Terms & <b>conditions</b>"),
    *("Page 3", "(no text: the page may be scanned)"),
]
ATTACHED = {"content-disposition": 'attachment; filename="in voice.pdf"'}


def publish(web: Web, data: bytes = PDF, **headers: str) -> str:
    return web.publish(Response(data, media_type="application/pdf", headers=headers))


def is_pdf_text(tab: Tab) -> bool:
    return all(text in tab.js("document.body.innerText") for text in TEXTS)


def test_a_pdf_document_opens_as_text_with_pages_as_sections(tab: Tab, shots: Path) -> None:
    path = publish(tab.web)

    answer = tab.open(path)

    assert (answer["title"], answer["status"]) == ("Invoice", 200)
    assert answer["url"] == tab.web.url(path)
    assert [each["text"] for each in answer["structure"]["headings"]] == [
        *("Page 1", "Page 2", "Page 3")
    ]
    assert tab.js("document.body.innerText").split("\n\n") == TEXTS
    [download] = answer["downloads"]
    assert Path(download["path"]).parent == shots
    assert Path(download["path"]).read_bytes() == PDF


def test_grep_selector_and_cursor_work_on_a_pdf_document(tab: Tab) -> None:
    tab.open(publish(tab.web, write_pdf([f"Line {page}" for page in range(1, 200)])))

    found = tab.reply("observe", mode="content", format="markdown", grep="Line 150").text
    page = tab.reply("observe", mode="content", selector="#page-7").text
    cut = tab.reply("observe", mode="content", max_chars=2000)
    about = json.loads(cut.result["content"][1]["text"])
    rest = tab.reply("observe", cursor=about["truncation"]["next_cursor"], max_chars=100_000)

    assert "section#page-150" in found
    assert "Line 150" in found
    assert "Line 15\n" not in found
    assert "Line 7" in page
    assert "Line 8" not in page
    assert "Line 199" not in cut.text
    assert "Line 199" in rest.text


def test_a_click_on_a_link_opens_a_pdf_document(tab: Tab) -> None:
    tab.open(f"<a href='{publish(tab.web)}'>Invoice</a>")

    tab.click("Invoice")

    assert is_pdf_text(tab)
    assert tab.call("back")["title"] == "Written"
    tab.call("forward")
    assert is_pdf_text(tab)


def test_a_pdf_document_opens_in_a_new_window_and_in_a_frame(tab: Tab) -> None:
    path = publish(tab.web)
    tab.open(f"<a href='{path}' target=_blank>Invoice</a>")

    tab.click("Invoice")
    new = next(row["id"] for row in tab.server.call("tabs").json if row["id"] != tab.id)
    popup = Tab(tab.server, tab.web, new)
    eventually(lambda: popup.row["title"] == "Invoice")
    tab.open(f"<iframe src='{path}'></iframe>")

    assert is_pdf_text(popup)
    assert "Total: 12 EUR" in tab.reply("observe", mode="tree").text


def test_a_pdf_document_is_loaded_with_the_cookies_of_the_browser(tab: Tab) -> None:
    async def only_with_cookie(request: Request) -> Response:
        if "id=ada" in request.headers.get("cookie", ""):
            return Response(PDF, media_type="application/pdf", headers={"set-cookie": "seen=1"})
        return Response("no", status_code=403)

    path = tab.web.handle(only_with_cookie)
    tab.open("/index.html")
    tab.js("document.cookie = 'id=ada; path=/'")

    tab.open(path)

    assert is_pdf_text(tab)
    assert set(tab.js("document.cookie").split("; ")) == {"id=ada", "seen=1"}


def test_an_attachment_is_text_for_navigate_and_a_download_for_a_click(tab: Tab) -> None:
    path = publish(tab.web, PDF + b"\n", **ATTACHED)
    page = f"<a href='{path}'>Invoice</a>"
    tab.open(page)

    tab.click("Invoice")
    assert tab.js("document.title") == "Written"
    answer = tab.open(path)

    assert is_pdf_text(tab)
    assert answer["downloads"][-1]["name"].startswith("in voice")
    opened = tab.server.call("tab_open", url=tab.web.url(path)).json
    assert opened["title"] == "Invoice"


def test_a_document_is_saved_once(tab: Tab) -> None:
    path = publish(tab.web, PDF + b"\n\n")
    first = tab.open(path)

    assert len(first["downloads"]) == 1
    assert "downloads" not in tab.call("reload")
    assert "downloads" not in tab.open(path)


def encrypted() -> bytes:
    writer, file = PdfWriter(clone_from=io.BytesIO(PDF)), io.BytesIO()
    writer.encrypt("secret", algorithm="AES-256")
    writer.write(file)
    return file.getvalue()


def test_a_pdf_document_without_readable_text_says_why(tab: Tab) -> None:
    cases = [
        (encrypted(), "encrypted"),
        (b"%PDF-1.4 nonsense", "damaged"),
        (write_pdf(["", ""]), "No page has text: the document is probably scanned."),
    ]

    for data, message in cases:
        with case(data, message):
            answer = tab.open(publish(tab.web, data))
            assert message in tab.js("document.body.innerText")
            assert len(answer["downloads"]) == 1


def test_a_pdf_document_runs_no_scripts(tab: Tab) -> None:
    text = "<script>document.title = 'changed'</script><img src=x onerror=alert(1)>"
    tab.open(publish(tab.web, write_pdf([text], title=text)))

    assert tab.js("document.title") == text
    assert tab.js("document.querySelectorAll('script, img').length") == 0


WITHOUT_PYPDF = (
    "import sys; sys.modules['pypdf'] = None; from charlotte.__main__ import main; main()"
)


def test_without_the_extra_an_answer_says_how_to_install_it(web: Web) -> None:
    def notices(answer: Message) -> list[Any]:
        return [each for each in answer.get("notices", []) if "charlotte-mcp[pdf]" in each]

    with open_server(program=(sys.executable, "-c", WITHOUT_PYPDF)) as server:
        tab = Tab(server, web, server.call("tab_open").json["tab_id"])
        path = publish(web)
        answer = tab.call("navigate", url=web.url(path))
        tab.open(f"<a href='{path}'>Invoice</a>")
        clicked = tab.click("Invoice")

    assert len(notices(answer)) == len(notices(clicked)) == 1
    assert answer["downloads"][0]["name"].endswith(".pdf")
