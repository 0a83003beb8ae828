"""Rendering of views and deltas for tests."""

import json
from typing import Any

from charlotte.answers.render import Envelope, RenderedText, render_view
from charlotte.page.diff.views import diff_views
from charlotte.page.identity.id_book import IdBook
from charlotte.page.model import Detail, PageView
from tests.page.pages import Page, view_of


def envelope(**more: Any) -> Envelope:
    stamp = "2026-03-04T05:06:07.890+00:00"
    return Envelope(snapshot_id=3, timestamp=stamp, tab_id="tab-1", **more)


def body(view: PageView, detail: Detail, **more: Any) -> dict[str, Any]:
    sent: dict[str, Any] = json.loads(render_view(view, detail, envelope(**more)).text)
    return sent


def delta_of(
    before: Page, after: Page, *, acted_on: int = 0, detail: Detail = "delta", **more: Any
) -> RenderedText:
    """Return the response to an action that changed one page to the other."""
    book = IdBook()
    old, new = view_of(before.capture(), book), view_of(after.capture(), book)
    acted = book.identify(after.capture()).get(acted_on)
    delta = diff_views(old, new, from_snapshot=2, to_snapshot=3, scope="delta", acted_on=acted)
    return render_view(new, detail, envelope(delta=delta, **more))
