"""Finds out why what was on a page is not to be seen on it any more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from charlotte.page.diff.hidden import find_unreachable, iter_ids

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from charlotte.actors.tab.actor import Tab
    from charlotte.page.capture import Capture
    from charlotte.page.model import PageView

_FEW = 5
"""Things that go without anybody asking why, as long as no dialog is open."""

_DIALOGS = {"dialog", "alertdialog"}


async def with_absent(tab: Tab, old: PageView | None, new: PageView, capture: Capture) -> PageView:
    """``new`` with what it lacks of ``old`` and of what was behind that, as far as it is there."""
    if old is None or old.document != new.document:
        return new
    if old.unreachable is None and not old.hidden and not tab.record.ids.lost_some:
        return new
    here = set(iter_ids(new))
    went = [one for one in iter_ids(old) if one not in here]
    behind = list(iter_ids(old.unreachable)) if old.unreachable else []
    hidden = old.hidden - here
    if not _is_asked(went, behind, here, capture):
        still = old.unreachable, hidden
        return attrs.evolve(new, unreachable=old.unreachable, hidden=hidden) if any(still) else new
    answer = await _answer(tab, [*went, *(one for one in behind if one not in here)])
    return attrs.evolve(
        new,
        unreachable=find_unreachable(old, new, answer.unreachable, answer.covered_by),
        hidden=hidden | answer.hidden,
    )


def _is_asked(went: Sequence[str], behind: Sequence[str], here: set[str], capture: Capture) -> bool:
    """Whether something may have gone behind a dialog, been hidden with others, or come back."""
    if behind:
        return bool(went) or not here.isdisjoint(behind)
    return len(went) > _FEW or (bool(went) and _has_dialog(capture))


def _has_dialog(capture: Capture) -> bool:
    return any(node.kind == "g" and node.role in _DIALOGS for node in capture.nodes)


@attrs.frozen
class _Answer:
    """Ids of unreachable and of hidden elements; ``covered_by`` as in `UnreachableContent`."""

    unreachable: frozenset[str]
    hidden: frozenset[str]
    covered_by: str


async def _answer(tab: Tab, away: Iterable[str]) -> _Answer:
    by_number: dict[int, list[str]] = {}
    for one in away:
        number = tab.record.ids.hidden(one)
        if number is not None:
            by_number.setdefault(tab.frames.in_main(number), []).append(one)
    found = await tab.on_place(tab.place(0), "whereabouts", [*by_number]) or {}

    def ids(part: str) -> frozenset[str]:
        numbers: Sequence[int] = found.get(part, ())
        return frozenset(one for number in numbers for one in by_number[number])

    front: Any = found.get("front", "")
    return _Answer(ids("behind"), ids("hidden"), front)
