"""The page as text: its header, an excerpt of its outline, and remarks."""

from collections.abc import Callable, Collection, Iterator, Sequence

import attrs

from charlotte.answers.render import AUTO_CHARS, RenderedText
from charlotte.answers.text.cut import (
    clip_lines,
    count_characters,
    excerpt,
    fold_known,
    split_margins,
    summarize,
    write_section,
)
from charlotte.answers.text.lines import Line, Piece
from charlotte.answers.text.outline import Outline, Redact
from charlotte.base.errors import ellipsize
from charlotte.page.model import PageDetail, PageView, clip_element
from charlotte.page.tokens import LONGEST_URL, plural, quote, write_address, write_place_behind

_LEAST_ROOM = 500
_CUT_REMARK = 80
"""Characters reserved for the remark about lines that are cut."""

OK = 200

USUAL_VIEWPORT = 1280, 720
"""The default of ``--viewport``, in CSS pixels, which is not written."""


def write_header(
    tab_id: str,
    view: PageView,
    known: PageView | None,
    status: int | None = None,
    *,
    redact: Redact = str,
    requested: str = "",
) -> str:
    """Return the first line: the tab, and what of title, URL and viewport ``known`` does not have.

    Of another document everything is new; the viewport is that of the tab, and `USUAL_VIEWPORT` at
    first. A URL that is the ``requested`` one is not repeated, and neither is the origin of the
    known URL. Title and URL are redacted before they are cut.
    """
    is_same = known is not None and known.document == view.document
    parts = [tab_id]
    if not is_same or known is None or known.title != view.title:
        parts.append(quote(ellipsize(redact(view.title), 300)))
    is_requested = view.url in {requested, f"{requested}/"}
    if not is_requested and (not is_same or known is None or known.url != view.url):
        parts.append(write_address(redact(view.url), known.url if known else "", LONGEST_URL))
    if view.viewport != (known.viewport if known else USUAL_VIEWPORT):
        parts.append(f"{view.viewport[0]}x{view.viewport[1]}")
    if status not in {None, OK}:
        parts.append(f"status {status}")
    return " ".join(parts)


def render_page(
    outline: Outline,
    detail: PageDetail,
    header: str,
    remarks: Sequence[str],
    *,
    keep: Callable[[Sequence[Line]], str],
    known: Collection[str] = (),
    max_chars: int,
) -> RenderedText:
    """Return the page with its remarks; ``keep`` stores lines for a cursor, which it returns.

    ``auto`` cuts a page to 4,000 characters, and long values. Sections whose text is in ``known``
    take one line.
    """
    ends = [*_describe_missing(outline.view), *remarks]
    if detail == "minimal":
        return RenderedText("\n".join([header, *summarize(outline), *ends]))
    max_chars -= _CUT_REMARK
    room = max(max_chars - len(header) - sum(len(text) + 1 for text in ends), _LEAST_ROOM)
    sections = [*split_margins(outline.lines)]
    if detail == "auto":
        room = max(min(AUTO_CHARS - _CUT_REMARK + room - max_chars, room), _LEAST_ROOM)
        lines = clip_lines(fold_known(outline.lines, sections, known), _clip_value)
        outline = attrs.evolve(outline, lines=lines)
    part = excerpt(outline, room)
    texts = [header, *part.texts, *ends]
    if part.rest:
        size, cursor = count_characters(part.rest), quote(keep(part.rest))
        texts.append(f"! {size} characters are cut: find{{text}} or observe{{cursor: {cursor}}}")
    rest = {*map(id, part.rest)}
    complete = [write_section(section) for section in sections if rest.isdisjoint(map(id, section))]
    shown = [element.id for element in part.controls]
    return RenderedText("\n".join(texts), shown, not part.rest, complete)


def _clip_value(piece: Piece) -> Piece:
    """Return a piece with the long value of an editor cut."""
    return piece if isinstance(piece, str) else clip_element(piece, names=["value"])


def _describe_missing(view: PageView) -> Iterator[str]:
    """Return remarks on the controls above the limit of a capture, and on those behind a dialog."""
    if count := sum(view.uncaptured.values()):
        yield f"… {count:,} more controls: find lists them"
    if (behind := view.unreachable) and (count := len(behind.interactive)):
        yield f"! {count} {plural(count, 'control')} {write_place_behind(behind.covered_by)}"
