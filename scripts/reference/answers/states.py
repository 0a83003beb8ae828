"""What examples of both formats show."""

from charlotte.actors.state.page_tools import PageTool
from charlotte.base.errors import ElementNotFound
from charlotte.page.identity.id_book import IdBook
from charlotte.page.model import PageView
from tests.page.pages import Page, view_of

STAMP = "2026-03-04T05:06:07.890+00:00"

MISSING = ElementNotFound(
    "No element 'btn-0000' on tab-1 now.",
    "Did you mean btn-1ff8 'Join the club'? Otherwise call observe or find.",
)


PAGE_TOOL = PageTool(
    name="add_to_cart",
    origin="http://127.0.0.1:8000",
    description="Adds books to the cart.",
    schema={
        "type": "object",
        "properties": {"book": {"type": "integer"}, "copies": {"type": "integer"}},
        "required": ["book"],
    },
    digest="x",
)


def two_states(before: Page, after: Page) -> tuple[PageView, PageView]:
    """Return both states of a page with the same ids."""
    book = IdBook()
    return view_of(before.capture(), book), view_of(after.capture(), book)
