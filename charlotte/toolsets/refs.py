"""Refs of vendors' browser tools: ``ref_1``, ``ref_2``, … for elements of the tabs' documents."""

import itertools
from collections.abc import Iterator

import attrs


class ToolsetError(Exception):
    """A failure whose text is for the model: without addresses, paths and names of Charlotte."""


class TabMissing(ToolsetError):
    """The tab of a call is not open."""

    def __init__(self) -> None:
        super().__init__(
            "The tab this call was addressed to is not open; nothing was done. Use list_tabs to "
            "see what is open."
        )


class StaleRef(ToolsetError):
    """A ref belongs to another document or tab, or its element is gone."""

    def __init__(self, ref: str) -> None:
        super().__init__(
            f"{ref[:40]} is stale or not found on the current page. Re-read the page to get fresh "
            "references."
        )


@attrs.define(eq=False)
class _Document:
    """The refs of one document: by Charlotte's id, and back."""

    name: str
    refs: dict[str, str] = attrs.field(factory=dict[str, str])
    ids: dict[str, str] = attrs.field(factory=dict[str, str])


@attrs.define(eq=False)
class RefTable:
    """The refs of the present document of each tab; a number is never used again."""

    _tabs: dict[str, _Document] = attrs.field(factory=dict[str, _Document])
    _numbers: Iterator[int] = attrs.field(factory=lambda: itertools.count(1))

    def enter(self, tab_id: str, document: str) -> None:
        """Forget the refs of a tab's earlier document."""
        known = self._tabs.get(tab_id)
        if known is None or known.name != document:
            self._tabs[tab_id] = _Document(document)

    def drop(self, tab_id: str) -> None:
        """Forget the refs of a tab that navigates or is closed."""
        self._tabs.pop(tab_id, None)

    def name(self, tab_id: str, element_id: str) -> str:
        """Return the ref of an element of the tab's present document, a new one if necessary."""
        document = self._tabs.setdefault(tab_id, _Document(""))
        if (ref := document.refs.get(element_id)) is None:
            ref = document.refs[element_id] = f"ref_{next(self._numbers)}"
            document.ids[ref] = element_id
        return ref

    def resolve(self, tab_id: str, ref: str) -> str:
        """Return Charlotte's id of a ref; raises `StaleRef`."""
        document = self._tabs.get(tab_id)
        if document is None or ref not in document.ids:
            raise StaleRef(ref)
        return document.ids[ref]
