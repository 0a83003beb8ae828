"""Deltas in the text form: what an action changed, and what the page had changed by itself."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import attrs

from charlotte.actors.state.records import TabRecord
from charlotte.actors.tab.actor import Look
from charlotte.answers.text.changes import NOTHING_GIVEN, Changes, compare, without_tickers
from charlotte.answers.text.outline import Outline, build_outline, redact_outline
from charlotte.page.diff.views import DiffScope
from charlotte.page.model import Change, PageView
from charlotte.page.tokens import quote

NO_CHANGES = "no changes"
_EARLIER = "! before this, by itself:"
_OTHER_DOCUMENT = "! since the previous page:"
_USUAL_CHARS, _EARLIER_CHARS, _MINIMAL_CHARS = 4_000, 600, 300
"""Longest changes that are not cut: of an action, before it, and with detail ``minimal``."""

_ENDS = 160
"""Characters reserved for the lines around changes."""

_LEAST_ROOM = 200


@attrs.frozen
class Delta:
    """The changes of an action, and the changes between the last answer and the action.

    ``before`` is the page before the action. ``is_other_document`` is whether that loaded another
    document, ``is_replaced`` whether nearly everything may be new. ``moves`` describe elements that
    are at other places.
    """

    before: PageView
    changes: Changes
    is_other_document: bool
    is_replaced: bool
    earlier: Changes = attrs.field(factory=Changes)
    moves: Sequence[str] = ()


def outline_of(record: TabRecord, view: PageView) -> Outline:
    """Return the outline of a view without secrets; that of the last view is stored."""
    last = record.outline if isinstance(record.outline, Outline) else None
    if last is None or last.view is not view:
        last = record.outline = hide_secrets(record, build_outline(view, last))
    return last


def hide_secrets(record: TabRecord, outline: Outline) -> Outline:
    """Return an outline without the secrets of the session."""
    secrets = record.session.settings.secrets
    return redact_outline(outline, secrets.hidden) if secrets.reach else outline


def find_delta(record: TabRecord, look: Look) -> Delta | None:
    """Compare the page before an action with the page now, and with that of the last answer.

    Returns None if the page before is unknown.
    """
    before, reported = look.before, record.news.current.view
    if before is None:
        return None
    earlier = Changes()
    if reported is not None and reported is not before and not record.error_page:
        known = outline_of(record, reported)
        earlier = compare(known, outline_of(record, before))
    acted_on = look.delta.acted_on if look.delta else None
    given = record.session.settings.secrets.hidden_in(look.given)
    delta = compare_views(record, before, look.snapshot.view, acted_on=acted_on, given=given)
    earlier, changes = without_tickers(earlier, delta.changes)
    return attrs.evolve(
        delta,
        changes=changes,
        earlier=earlier,
        is_replaced=look.delta is None or look.delta.replaced,
        moves=[*_describe_moves(look.delta.changes)] if look.delta else (),
    )


def _describe_moves(changes: Iterable[Change]) -> Iterator[str]:
    for one in changes:
        if one.is_move():
            vector = (str(one.after[axis] - one.before[axis]) for axis in "xy" if not one.detail)
            yield one.detail or f"{one.element} moved by {', '.join(vector)} px"


def compare_views(
    record: TabRecord,
    before: PageView,
    after: PageView,
    *,
    acted_on: str | None = None,
    given: Mapping[str, object] = NOTHING_GIVEN,
    scope: DiffScope = "all",
) -> Delta:
    """Compare two views of a tab; ``acted_on`` and ``given`` are as in `compare`."""
    known, now = outline_of(record, before), outline_of(record, after)
    is_other = before.document != after.document
    changes = compare(known, now, acted_on=acted_on, given=given, scope=scope)
    return Delta(before, changes, is_other, is_replaced=is_other)


def write_delta(
    delta: Delta,
    header: str,
    remarks: Sequence[str],
    *,
    keep: Callable[[Sequence[str]], str],
    max_chars: int,
    is_minimal: bool = False,
) -> tuple[str, bool]:
    """Return the answer to an action, and whether its changes are cut.

    ``keep`` stores lines for a cursor, which it returns.
    """
    others = len(header) + sum(len(line) + 1 for line in remarks) + _ENDS
    room = min(_MINIMAL_CHARS if is_minimal else _USUAL_CHARS, max(max_chars - others, _LEAST_ROOM))
    kept, rest = delta.changes.cut(room)
    lines = [header]
    if delta.is_other_document and kept:
        lines.append(_OTHER_DOCUMENT)
    lines += kept
    if rest:
        lines.append(_describe_rest(rest, keep(rest)))
    if not kept and not rest and " " not in header:
        lines.append(NO_CHANGES)
        lines += [f"! {move}" for move in delta.moves]
    lines += remarks
    left = max_chars - sum(len(line) + 1 for line in lines) - _ENDS
    if delta.earlier and left > 0:
        earlier, more = delta.earlier.cut(min(_EARLIER_CHARS, left))
        lines += [_EARLIER, *earlier]
        if more:
            lines.append(_describe_rest(more, keep(more)))
    return "\n".join(lines), bool(rest)


def _describe_rest(lines: Sequence[str], cursor: str) -> str:
    size = sum(len(line) + 1 for line in lines)
    return f"! {size:,} characters of changes are cut: observe{{cursor: {quote(cursor)}}}"
