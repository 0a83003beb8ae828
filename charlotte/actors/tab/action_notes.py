"""What a page said or did beside what it answered to an action, and the delta does not show."""

import re
from collections.abc import Iterable, Sequence

import attrs

from charlotte.actors.state.snapshots import Snapshot, delta_of
from charlotte.browser.settle import Settled
from charlotte.page.diff.changes import Change, SnapshotDiff
from charlotte.page.model import PageView

_LONGEST = 300
_NUMBERS = re.compile(r"\d+")
_FOCUS: set[str | None] = {"state.focused"}
_COUNTING = {"text", "label", "title"}


def told_beside(
    settled: Settled, seen: Snapshot | None, before: Snapshot, after: Snapshot
) -> list[str]:
    """Sentences; ``seen`` is the page as it was told last, ``before`` as it was at the action."""
    earlier = _changed_earlier(seen, before) if seen and seen.id else None
    return [*said_meanwhile(settled, before.view, after.view), *([earlier] if earlier else ())]


def restyled(
    delta: SnapshotDiff | None, settled: Settled
) -> tuple[SnapshotDiff | None, str | None]:
    """Return the delta and a note on what looks different, if only the focus changed besides."""
    if delta is None or not settled.restyled or {one.property for one in delta.changes} - _FOCUS:
        return delta, None
    summary = delta.summary if delta.changes else "No changes of text or controls."
    note = f"Looks may have changed: {'; '.join(settled.restyled)}."
    return attrs.evolve(delta, summary=summary), note


def said_meanwhile(settled: Settled, before: PageView, after: PageView) -> list[str]:
    """Sentences about what was said only for a moment, and about what was said once more."""
    passing = _passing(settled.said, before, after)
    again = [text for text in dict.fromkeys(settled.given) if _stands(text, before, after)]
    told = (("Said meanwhile", passing), ("Said again", again))
    return [f"{how}: {_quoted(texts)}" for how, texts in told if texts]


def _changed_earlier(seen: Snapshot, before: Snapshot) -> str | None:
    """What the page did by itself since an agent was told of it, which is in no delta."""
    if seen.view is before.view:
        return None
    delta = delta_of(seen, before)
    if delta is None:
        where = before.view.url[:_LONGEST]
        return f"The page had gone to another document before this, {where}: observe shows it."
    if not any(map(_is_news, delta.changes)):
        return None
    return (
        f"The page had changed before this, since snapshot {seen.id}: "
        f"diff{{snapshot_id: {seen.id}}} tells how."
    )


def _is_news(change: Change) -> bool:
    """Whether it is more than that something moved, or that a clock went on."""
    if change.type == "moved":
        return False
    before, after = change.before, change.after
    return change.property not in _COUNTING or _kind(before or "") != _kind(after or "")


def _passing(said: Sequence[str], before: PageView, after: PageView) -> list[str]:
    """Those that are not on the page now, nor were before.

    Of those that differ in their numbers alone, as what counts down does, the last one is told.
    """
    there = {_kind(text) for view in (before, after) for text in view.alerts}
    there |= {_kind(line.text) for line in after.lines} if said else set()
    last = {_kind(text): text for text in said}
    return [text for kind, text in last.items() if kind not in there]


def _stands(text: str, before: PageView, after: PageView) -> bool:
    """Whether the page says it as it did before."""
    return all(
        text in view.alerts or any(line.text == text for line in view.lines)
        for view in (before, after)
    )


def _quoted(texts: Iterable[str]) -> str:
    told = "; ".join(f'"{text}"' for text in texts)
    return told if len(told) <= _LONGEST else f"{told[:_LONGEST]}…"


def _kind(text: str) -> str:
    return _NUMBERS.sub("", text)
