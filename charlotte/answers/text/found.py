"""Lines of what ``find`` found: controls with their destinations, and other nodes."""

import re
from collections.abc import Callable, Sequence

import attrs

from charlotte.answers.text.redacting import Redact
from charlotte.page.identity.references import Match
from charlotte.page.model import Element
from charlotte.page.plain import write_address
from charlotte.page.tokens import quote, write_control

_TAG = re.compile("[a-z][a-z0-9-]*")
"""A usual name of a tag; others may contain brackets and commas."""


def write_found(
    found: Sequence[Element | Match],
    identify: Callable[[Match], str],
    page_url: str,
    redact: Redact = str,
) -> list[str]:
    """Return a line for each element or node; ``identify`` returns the id of a node.

    The text near an element is written if another element of the page has the same name.
    """
    lines: list[str] = []
    for one in found:
        element = one if isinstance(one, Element) else one.element
        if element is not None:
            if isinstance(one, Match) and one.row:
                element = attrs.evolve(element, row=one.row)
            lines.append(_write_element(element, page_url, redact))
        elif isinstance(one, Match):
            lines.append(_write_node(one, identify(one)))
    return lines


def _write_element(element: Element, page_url: str, redact: Redact) -> str:
    more: list[str] = []
    if element.row:
        more.append(f"in row {quote(element.row)}")
    elif element.label and element.near:
        more.append(f"near {quote(element.near)}")
    if element.href:
        more.append(f"-> {write_address(redact(element.href), page_url)}")
    return write_control(element, more=", ".join(more))


def _write_node(match: Match, node_id: str) -> str:
    """Return a node as ``dom-12ab "text" [td, under "Heading"]``; a sought role, not the tag."""
    is_by_role = bool(match.role and match.excerpt)
    name = match.role if is_by_role else match.tag
    facts = [name if _TAG.fullmatch(name) else quote(name)]
    if match.row:
        facts.append(f"in row {quote(match.row)}")
    if match.landmark:
        facts.append(f"in {quote(match.landmark)}")
    if match.heading:
        facts.append(f"under {quote(match.heading)}")
    return f"{node_id} {quote(match.excerpt or match.text)} [{', '.join(facts)}]"
