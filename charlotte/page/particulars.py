"""Views whose elements say more than usual: whether they are in view, and how they are styled."""

from collections.abc import Iterable, Mapping

import attrs

from charlotte.page.identity.ids import IdBook
from charlotte.page.model import Element, PageView


def placed_in_viewport(view: PageView) -> PageView:
    """The view whose interactive elements say whether they are in the viewport (S-VIS-01)."""
    size = view.viewport
    return _retold(
        view,
        (
            attrs.evolve(one, in_viewport=one.bounds is not None and one.bounds.is_in(size))
            for one in view.interactive
        ),
    )


def styled(view: PageView, ids: IdBook, styles: Mapping[int, Mapping[str, str]]) -> PageView:
    """The view whose interactive elements have the styles of their nodes (C-OBS-03)."""
    return _retold(
        view,
        (
            attrs.evolve(one, styles=styles.get(ids.resolve(one.id) or 0))
            for one in view.interactive
        ),
    )


def _retold(view: PageView, elements: Iterable[Element]) -> PageView:
    return attrs.evolve(view, interactive=tuple(elements))
