"""From what an agent names, by CSS or by any reference, to one node."""

import attrs

from charlotte.actors.tab.actor import Tab
from charlotte.actors.tab.dom_queries import matches_of
from charlotte.errors import ElementNotFound
from charlotte.page.identity.dom_book import DocumentNode
from charlotte.page.identity.references import is_reference


@attrs.frozen
class Scope:
    """The element that a selector names; ``warning`` says if the selector matches others too."""

    root: DocumentNode
    warning: str | None = None


async def scope_of(tab: Tab, selector: str | None) -> Scope:
    """Return the first element that a selector matches, the page for None.

    Raises `ElementNotFound`.
    """
    if selector is None:
        return Scope(tab.place(0))
    if is_reference(selector):
        return Scope(await tab.references.place(selector))
    matches = await matches_of(tab, selector)
    if not matches:
        raise ElementNotFound(
            f"No element matches {selector[:100]!r}.", "Observe the page, or correct the selector."
        )
    others = len(matches) - 1
    warning = None
    if others:
        warning = (
            f"{selector[:100]!r} matches {len(matches)} elements; this is the first. "
            "find{selector} lists them with ids."
        )
    return Scope(matches[0].place, warning)
