"""From what an agent names, by CSS or by any reference, to one node."""

from charlotte.actors.matches import matches_of
from charlotte.actors.tab import Tab
from charlotte.errors import ElementNotFound
from charlotte.page.dom_book import Place
from charlotte.page.references import is_reference


async def root_of(tab: Tab, selector: str | None) -> Place:
    """The node that is meant, without a selector the page; raises `ElementNotFound`."""
    if selector is None:
        return tab.place(0)
    if is_reference(selector):
        return await tab.references.place(selector)
    matches = await matches_of(tab, selector)
    if not matches:
        raise ElementNotFound(
            f"No element matches {selector[:100]!r}.", "Observe the page, or correct the selector."
        )
    return matches[0].place
