"""Views that agents read: construction from a capture, changes, and summaries of the content."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from unicodedata import normalize

import attrs

from charlotte.base.errors import ellipsize
from charlotte.page.capture import STRUCTURE, Capture, RecordCache, element_type
from charlotte.page.identity.id_book import IdBook
from charlotte.page.model import (
    LONGEST_TEXT,
    NO_STATE,
    NO_UNCAPTURED,
    Element,
    Form,
    Heading,
    Landmark,
    Node,
    PageRecord,
    PageView,
    StateValue,
    TextLine,
    UnreachableContent,
    clip_around,
    clip_element,
    with_landmarks,
)

_CHECKABLE = {"checkbox", "radio", "toggle"}
_WITHOUT_VALUE = {"button", "link", "clickable", *_CHECKABLE}
_WITHOUT_PLACEHOLDER = {*_WITHOUT_VALUE, "range", "color_input", "file_input"}
_NOT_FIELDS = {"button", "link", "clickable"}

_VALUED_STATES = ("checked", "expanded", "selected", "pressed", "sort", "current", "player")
_FLAGS = ("focused", "required", "invalid", "readonly", "aria_hidden")
_STATES = {"disabled", "hidden", *_VALUED_STATES, *_FLAGS}

_WITHOUT_TEXT = {"input", "select", "textarea"}
"""Tags of controls that show their value, which is not text of the page."""


_PAGE_ROOT = "(page root)"
SEPARATOR = "; "

_LONGEST_ICON = 2
"""Characters of a text that is an icon, such as ``i`` or an initial."""

_WORD, _SIGNS = re.compile(r"\w+|\^|~~"), re.compile(r"[\W_]+")
_MARKS = re.compile(r"~~|(?<=\w)[\^_](?=\w)")
"""A word, or a mark of raised or struck text, which names lack; what is in no word; all marks."""

_LONGEST_NAME = 100
_LONGEST_LINE = 2_000

_KINDS = (
    *("headings", "paragraphs", "lists", "tables", "images", "links", "buttons", "inputs"),
    *("clickables", "forms", "landmarks"),
)
_KIND_OF_TYPE = {"link": "links", "button": "buttons", "clickable": "clickables"}


def build_view(
    capture: Capture, book: IdBook, cache: RecordCache | None = None, alive: Collection[int] = ()
) -> PageView:
    """Build the view of a capture with the ids that ``book`` assigns.

    ``alive`` is as in `IdBook.identify`.
    """
    ids = book.identify(capture, alive)
    records, lines, indexes = _read_nodes(capture.nodes, ids, cache or RecordCache())
    uncaptured: Counter[tuple[int, str]] = Counter()
    for landmark, kind, count in capture.uncaptured:
        uncaptured[indexes[landmark], kind] += count
    return PageView(
        document=capture.document,
        url=capture.url,
        title=capture.title,
        viewport=capture.viewport,
        scroll=capture.scroll,
        landmarks=tuple(one for one in records if isinstance(one, Landmark)),
        headings=tuple(one for one in records if isinstance(one, Heading)),
        interactive=tuple(one for one in records if isinstance(one, Element)),
        forms=tuple(_build_forms(capture, ids, indexes)),
        lines=tuple(lines),
        counts=capture.counts,
        uncaptured=uncaptured,
        alerts=capture.alerts,
        scrolls=capture.scrolls,
        nodes=capture.nodes,
        node_ids=tuple(ids.get(node.nid, "") for node in capture.nodes),
    )


def _read_nodes(
    nodes: Sequence[Node], ids: Mapping[int, str], cache: RecordCache
) -> tuple[list[PageRecord], list[TextLine], Mapping[int, int]]:
    """Return the records and lines of nodes, and the indexes of landmarks by their numbers."""
    records: list[PageRecord] = []
    lines: list[tuple[Node, list[str]]] = []
    owners: dict[int, str] = {}
    visible: dict[int, str] = {}
    marked = _marked_names(nodes)
    indexes = {0: -1}
    for node in nodes:
        kind, landmark = node.kind, indexes[node.landmark]
        if kind == "t":
            lines.append((node, []))
            visible |= _visible_texts(node)
            continue
        if kind == STRUCTURE:
            owners[node.nid] = owners.get(node.parent, "")
            continue
        if kind in {"i", "c"}:
            element_id = owners[node.nid] = ids[node.nid]
            text = visible.get(node.nid) or marked.get(node.nid, "")
            known = f"{node.name} {node.extra.get('value', '')}".casefold() if text else ""
            is_known = not node.name or all(one in known for one in _WORD.findall(text.casefold()))
            key = element_id, "" if is_known else text
            records.append(cache.get(_build_element, node, key, landmark))
            if lines:
                lines[-1][1].append(element_id)
        if node.is_landmark:
            indexes[node.nid] = len(indexes) - 1
            landmark_id = ids[node.nid if kind == "l" else -node.nid]
            records.append(cache.get(_build_landmark, node, landmark_id, landmark))
        elif node.is_heading:
            heading_id = ids[node.nid if kind == "h" else -node.nid]
            owners.setdefault(node.nid, heading_id)
            records.append(cache.get(_build_heading, node, heading_id, landmark))
    built: list[TextLine] = []
    for node, followers in lines:
        controls = owners.get(node.parent, ""), *followers
        built.append(cache.get(_build_line, node, controls, indexes[node.landmark]))
    cache.finish()
    return records, built, indexes


def _build_line(node: Node, controls: tuple[str, ...], landmark: int) -> TextLine:
    """Build a line; ``controls`` are the ids of its owner, or "", and of its followers."""
    owner, *followers = controls
    return TextLine(landmark, node.name, owner, tuple(followers), node.extra.get("number", ""))


def _build_landmark(node: Node, element_id: str, _: int) -> Landmark:
    return Landmark(element_id, node.role, node.name, node.box, node.extra.get("counts", {}))


def _build_heading(node: Node, element_id: str, landmark: int) -> Heading:
    return Heading(element_id, node.extra.get("level", 2), node.name, landmark)


def _visible_texts(line: Node) -> dict[int, str]:
    """Return the texts of the controls in a line by their numbers, without icons."""
    texts = {number: line.name[start:end] for number, start, end in line.extra.get("controls", ())}
    return {
        number: text.strip()
        for number, text in texts.items()
        if len(text) > _LONGEST_ICON or any(map(str.isdigit, text))
    }


def _marked_names(nodes: Sequence[Node]) -> Mapping[int, str]:
    """Return the names of controls with the marks of raised and struck text in their lines."""
    marked = [node for node in nodes if node.kind == "t" and _MARKS.search(node.name)]
    owners = {line.parent for line in marked}
    names = {node.nid: node.name for node in nodes if node.nid in owners} if marked else {}
    for line in marked:
        plain, name = _MARKS.sub("", line.name), names.get(line.parent, "")
        names[line.parent] = name.replace(plain, line.name, 1)
    return names


def _build_element(node: Node, key: tuple[str, str], landmark: int) -> Element:
    """Build an element; ``key`` is its id, and its visible text if its name lacks that."""
    (element_id, visible), extra = key, node.extra
    kind = element_type(node)
    is_plain = node.box is not None and kind not in _CHECKABLE and _STATES.isdisjoint(extra)
    return Element(
        id=element_id,
        type=kind,
        role=node.role,
        label=node.name,
        bounds=None if "hidden" in extra else node.box,
        state=NO_STATE if is_plain else _build_state(node, is_checkable=kind in _CHECKABLE),
        href=extra.get("href") if kind == "link" else None,
        placeholder=None if kind in _WITHOUT_PLACEHOLDER else extra.get("placeholder"),
        value=None if kind in _WITHOUT_VALUE else extra.get("value") or None,
        options=tuple(extra["options"]) if kind == "select" and "options" in extra else None,
        landmark=landmark,
        frame=extra.get("frame"),
        group=(node.container or extra.get("set") or None)
        if kind in {"checkbox", "radio"}
        else None,
        icon=extra.get("icon"),
        near=extra.get("near"),
        title=extra.get("title"),
        message=extra.get("message"),
        revision=extra.get("rev", 0),
        formats=tuple(extra.get("formats", ())),
        click_type=extra.get("click"),
        is_password="secret" in extra,
        takes_text=kind == "select" and (extra.get("tag") == "input" or "editable" in extra),
        is_written="unwritten" not in extra and extra.get("tag") not in _WITHOUT_TEXT,
        visible=visible,
    )


def _build_state(node: Node, *, is_checkable: bool) -> Mapping[str, StateValue]:
    """Return the states that differ from enabled, visible and unfocused (C-PR-20…27)."""
    extra = node.extra
    state: dict[str, StateValue] = {}
    if "disabled" in extra:
        state["enabled"] = False
    if "hidden" in extra or node.box is None:
        state["visible"] = False
    if is_checkable and "checkedUnknown" not in extra:
        state["checked"] = False
    for name in _VALUED_STATES:
        if name in extra:
            state[name] = extra[name]
    for name in _FLAGS:
        if extra.get(name):
            state[name] = True
    return state


def _build_forms(
    capture: Capture, ids: Mapping[int, str], indexes: Mapping[int, int]
) -> Iterable[Form]:
    """Build the forms of a page with the controls that they own (C-PR-28, C-PR-29).

    The first submit control counts, preferably a visible and enabled one.
    """
    controls: dict[int, list[Node]] = {node.nid: [] for node in capture.nodes if node.kind == "f"}
    if not controls:
        return
    for node in capture.nodes:
        if (form := node.extra.get("form")) in controls:
            controls[form].append(node)
    for node in capture.nodes:
        if node.kind == "f":
            own = controls[node.nid]
            submits = [control for control in own if "submits" in control.extra]
            submits.sort(key=lambda one: (not one.box, bool(one.box) and "disabled" in one.extra))
            yield Form(
                id=ids[node.nid],
                action=node.extra.get("action"),
                method=node.extra.get("method"),
                fields=tuple(ids[one.nid] for one in own if element_type(one) not in _NOT_FIELDS),
                submit=ids[submits[0].nid] if submits else None,
                landmark=indexes[node.landmark],
            )


def mark_in_viewport(view: PageView) -> PageView:
    """Return the view with ``in_viewport`` set on its interactive elements (S-VIS-01)."""
    elements = (
        attrs.evolve(
            element,
            in_viewport=element.bounds is not None and element.bounds.is_in_viewport(view.viewport),
        )
        for element in view.interactive
    )
    return attrs.evolve(view, interactive=tuple(elements))


def add_styles(view: PageView, ids: IdBook, styles: Mapping[int, Mapping[str, str]]) -> PageView:
    """Return the view with the styles of its interactive elements, by node number (C-OBS-03)."""
    elements = (
        attrs.evolve(element, styles=styles.get(ids.resolve(element.id) or 0))
        for element in view.interactive
    )
    return attrs.evolve(view, interactive=tuple(elements))


def _select_part(view: PageView, numbers: Collection[int], text: str) -> Sequence[int]:
    """Return the indexes of the nodes with these numbers and of the lines of a part with ``text``.

    A line belongs to the part if its text contains it, and if it is between nodes of the part or
    follows them. Quotes and other signs that a style adds are not compared.
    """
    nodes, count = view.nodes, len(view.nodes)
    words = _SIGNS.sub("", normalize("NFKC", text))  # without raised and lowered figures

    def is_line_of_part(index: int) -> bool:
        node = nodes[index]
        if node.token:
            return node.token in numbers
        own = _SIGNS.sub("", normalize("NFKC", node.name))
        return node.kind == "t" and (own in words if own else node.name in text)

    inside = {*numbers}
    for node in nodes:
        if node.nid and node.parent in inside:
            inside.add(node.nid)
    selected = [
        index
        for index, node in enumerate(nodes)
        if node.nid in numbers or node.token in numbers or node.parent in inside
    ]
    if not selected:
        runs = [[*run] for is_run, run in groupby(range(count), is_line_of_part) if is_run]
        return max(runs, key=len, default=list[int]())
    start, end = selected[0], selected[-1] + 1
    while start > 0 and is_line_of_part(start - 1):
        start -= 1
    while end < count and is_line_of_part(end):
        end += 1
    return [
        index
        for index in range(start, end)
        if nodes[index].nid in numbers or is_line_of_part(index)
    ]


def narrow_view(
    view: PageView, ids: IdBook, numbers: Collection[int], texts: Iterable[str]
) -> PageView:
    """Return the part of a view whose nodes have these ``numbers``, with ``texts`` as its lines.

    The lines have the owners and followers of equal lines of the view.
    """
    texts = [*texts]
    part = _select_records(view, lambda element_id: ids.resolve(element_id) in numbers)
    inside = {record.id for records in (part.headings, part.interactive) for record in records}
    known = {
        line.text: line
        for line in view.lines
        if line.owner in inside or not inside.isdisjoint(line.followers)
    }
    lines = (attrs.evolve(known.get(text, TextLine(-1, text)), landmark=-1) for text in texts)
    kept = _select_part(view, numbers, "\n".join(texts))
    return attrs.evolve(
        part,
        lines=tuple(lines),
        counts={},
        uncaptured=NO_UNCAPTURED,
        nodes=tuple(view.nodes[index] for index in kept),
        node_ids=tuple(view.node_ids[index] for index in kept),
    )


def grep_view(
    view: PageView, matches: Callable[[str], bool], redact: Callable[[str], str]
) -> PageView:
    """Return the elements, headings and lines of a view whose texts match, cut around the match."""

    def clip(text: str, limit: int = LONGEST_TEXT) -> str:
        return clip_around(redact(text), limit, matches)

    def is_match(element: Element) -> bool:
        texts = (element.type, element.label, element.value, element.placeholder, element.near)
        return matches(" ".join(filter(None, (*texts, element.href, *(element.options or ())))))

    kept = {element.id for element in view.interactive if is_match(element)}
    kept |= {heading.id for heading in view.headings if matches(heading.text)}
    lines = tuple(
        attrs.evolve(line, landmark=-1, text=clip(line.text))
        for line in view.lines
        if matches(line.text)
    )
    part = _select_records(view, kept.__contains__)
    clipped = tuple(clip_element(each, clip=clip) for each in part.interactive)
    return attrs.evolve(part, interactive=clipped, lines=lines, counts={}, uncaptured=NO_UNCAPTURED)


def _select_records(view: PageView, is_selected: Callable[[str], bool]) -> PageView:
    """Return the view with the records whose ids are selected."""
    kept = [index for index, one in enumerate(view.landmarks) if is_selected(one.id)]
    indexes = {old: new for new, old in enumerate(kept)}
    return attrs.evolve(
        view,
        landmarks=tuple(view.landmarks[index] for index in kept),
        headings=with_landmarks([one for one in view.headings if is_selected(one.id)], indexes),
        interactive=with_landmarks(
            [one for one in view.interactive if is_selected(one.id)], indexes
        ),
        forms=with_landmarks([one for one in view.forms if is_selected(one.id)], indexes),
    )


def iter_ids(content: PageView | UnreachableContent | None) -> Iterator[str]:
    """Return the ids of all records."""
    if content is not None:
        parts = (content.landmarks, content.headings, content.interactive, content.forms)
        yield from (record.id for records in parts for record in records)


def merge_unreachable(view: PageView) -> PageView:
    """Return the view with the content behind a dialog inserted at the start."""
    behind = view.unreachable
    if behind is None:
        return view
    landmarks = (*behind.landmarks, *view.landmarks)
    indexes = {index: len(behind.landmarks) + index for index in range(len(view.landmarks))}
    by_id = {landmark.id: index for index, landmark in reversed([*enumerate(landmarks)])}
    lines = (attrs.evolve(line, landmark=by_id.get(name, -1)) for name, line in behind.lines)
    return attrs.evolve(
        view,
        landmarks=landmarks,
        headings=(*behind.headings, *with_landmarks(view.headings, indexes)),
        interactive=(*behind.interactive, *with_landmarks(view.interactive, indexes)),
        forms=(*behind.forms, *with_landmarks(view.forms, indexes)),
        lines=(*lines, *with_landmarks(view.lines, indexes)),
    )


def find_unreachable(
    old: PageView, new: PageView, ids: Collection[str], covered_by: str
) -> UnreachableContent | None:
    """Return the content of ``old`` with those ``ids``, now unreachable behind ``covered_by``.

    Text has no ids: lines that are gone from landmarks with an id are unreachable too.
    """
    if not ids:
        return None
    page = _select_records(merge_unreachable(old), lambda element_id: element_id in ids)
    return UnreachableContent(
        covered_by=covered_by,
        landmarks=page.landmarks,
        headings=page.headings,
        interactive=tuple(
            attrs.evolve(
                one, state={name: one.state[name] for name in one.state if name != "focused"}
            )
            if "focused" in one.state  # unreachable elements cannot have the focus
            else one
            for one in page.interactive
        ),
        forms=page.forms,
        lines=tuple(_find_lines(old, new, ids)) if covered_by else (),
    )


def _find_lines(
    old: PageView, new: PageView, ids: Collection[str]
) -> Iterator[tuple[str, TextLine]]:
    """Return the lines of ``old`` that are not in ``new``, each with the id of its landmark."""
    if old.unreachable:
        lines = old.unreachable.lines
    else:
        names = [*(landmark.id for landmark in old.landmarks), ""]  # the page root has index -1
        lines = tuple((names[line.landmark], line) for line in old.lines)
    present = Counter(line.text for line in new.lines)
    landmarks = {"", *ids, *(landmark.id for landmark in new.landmarks)}
    for landmark, line in lines:
        if present[line.text] > 0:
            present[line.text] -= 1
        elif landmark in landmarks:
            yield landmark, line


def content_summary(view: PageView) -> str:
    """Return the counts of C-PR-06: ``main: 2 headings, 3 links; navigation "Main": 4 links``.

    Everything counts once, in the innermost landmark around it. Counts of zero are left out.
    """
    counts = [Counter(landmark.counts) for landmark in view.landmarks]
    counts.append(Counter(view.counts))  # of the page root, which has index -1
    for heading in view.headings:
        counts[heading.landmark]["headings"] += 1
    for (landmark, kind), count in _count_elements(view).items():
        counts[landmark][_KIND_OF_TYPE.get(kind, "inputs")] += count
    for form in view.forms:
        counts[form.landmark]["forms"] += 1
    names = [_PAGE_ROOT, *map(landmark_title, view.landmarks)]
    texts = map(format_counts, (counts[-1], *counts[:-1]))
    pairs = zip(names, texts, strict=True)
    return SEPARATOR.join(f"{name}: {text}" for name, text in pairs if text)


def _count_elements(view: PageView) -> Counter[tuple[int, str]]:
    """Count interactive elements by landmark index and type."""
    counts = Counter((element.landmark, element.type) for element in view.interactive)
    counts.update(view.uncaptured)
    return counts


def landmark_title(landmark: Landmark) -> str:
    """Return ``navigation "Main"``, or the role alone for a landmark without a name."""
    if not landmark.name:
        return landmark.role
    return f'{landmark.role} "{ellipsize(landmark.name, _LONGEST_NAME)}"'


def counted_kind(record: PageRecord) -> str:
    """Return the kind under which a record is counted."""
    if isinstance(record, Element):
        return _KIND_OF_TYPE.get(record.type, "inputs")
    return {Heading: "headings", Form: "forms", Landmark: "landmarks"}[type(record)]


def format_counts(counts: Counter[str]) -> str:
    """Return ``2 headings, 3 links``, without counts of zero."""
    return ", ".join(
        f"{count} {kind if count > 1 else kind[:-1]}"
        for kind in _KINDS
        if (count := counts.get(kind, 0))
    )


def interactive_summary(view: PageView, most: int = 60) -> dict[str, object]:
    """Count interactive elements by landmark and type (C-PR-34).

    Landmarks with equal titles share an entry. All after the first ``most`` share one more.
    """
    names = [
        f"{one.role} ({ellipsize(one.name, _LONGEST_NAME)})" if one.name else one.role
        for one in view.landmarks
    ]
    names.append(_PAGE_ROOT)  # has index -1
    counts = _count_elements(view)
    by_landmark: dict[str, dict[str, int]] = {}
    for (landmark, kind), count in counts.items():
        name = names[landmark]
        if name not in by_landmark and len(by_landmark) >= most:
            name = "(other landmarks)"
        types = by_landmark.setdefault(name, {})
        types[kind] = types.get(kind, 0) + count
    return {"total": counts.total(), "by_landmark": by_landmark}


def text_lines(view: PageView) -> Iterator[str]:
    """Return all visible text in reading order (C-PR-07).

    Very long lines are cut, at a space if they have one, with an ellipsis on both sides of the cut.
    """
    for line in view.lines:
        text = f"{line.number} {line.text}" if line.number else line.text
        while len(text) > _LONGEST_LINE:
            space = text.rfind(" ", 2, _LONGEST_LINE - 1)
            end = space + 1 if space > 0 else _LONGEST_LINE - 1
            yield f"{text[:end]}…"
            text = f"…{text[end:]}"
        yield text
