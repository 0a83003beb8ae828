"""Summaries of what a page contains: counts per landmark, and all text."""

from collections import Counter
from collections.abc import Iterator

from charlotte.page.model import Element, Form, Heading, Landmark, PageRecord, PageView, ellipsize

PAGE_ROOT = "(page root)"
SEPARATOR = "; "

_LONGEST_NAME = 100
_LONGEST_LINE = 2_000

_KINDS = (
    "headings",
    "paragraphs",
    "lists",
    "tables",
    "images",
    "links",
    "buttons",
    "inputs",
    "clickables",
    "forms",
    "landmarks",
)
_KIND_OF_TYPE = {"link": "links", "button": "buttons", "clickable": "clickables"}


def content_summary(view: PageView) -> str:
    """Return the counts of C-PR-06: ``main: 2 headings, 3 links; navigation "Main": 4 links``.

    Everything counts once, in the innermost landmark around it. Counts of zero are left out.
    """
    counts = [Counter(landmark.counts) for landmark in view.landmarks]
    counts.append(Counter(view.counts))  # of the page root, which has index -1
    for heading in view.headings:
        counts[heading.landmark]["headings"] += 1
    for (landmark, element_type), count in _count_elements(view).items():
        counts[landmark][_KIND_OF_TYPE.get(element_type, "inputs")] += count
    for form in view.forms:
        counts[form.landmark]["forms"] += 1
    names = [PAGE_ROOT, *map(landmark_title, view.landmarks)]
    texts = map(format_counts, (counts[-1], *counts[:-1]))
    pairs = zip(names, texts, strict=True)
    return SEPARATOR.join(f"{name}: {text}" for name, text in pairs if text)


def _count_elements(view: PageView) -> Counter[tuple[int, str]]:
    """Count interactive elements by landmark index and type."""
    counts = Counter((element.landmark, element.type) for element in view.interactive)
    counts.update(view.uncaptured)
    return counts


def shorten_summary(summary: str, limit: int) -> str:
    """Cut a content summary between landmarks to ``limit`` characters and a note."""
    if len(summary) <= limit:
        return summary
    kept = summary[:limit].rpartition(SEPARATOR)[0]
    left_out = summary.count(SEPARATOR) + 1 - (kept.count(SEPARATOR) + 1 if kept else 0)
    return f"{kept}{SEPARATOR if kept else ''}… {left_out} more landmarks"


def landmark_title(landmark: Landmark) -> str:
    """Return ``navigation "Main"``, or the role alone for a landmark without a name."""
    if not landmark.name:
        return landmark.role
    return f'{landmark.role} "{ellipsize(landmark.name, _LONGEST_NAME)}"'


def counted_kind(record: PageRecord) -> str:
    """Return the kind under which a record is counted."""
    match record:
        case Element():
            return _KIND_OF_TYPE.get(record.type, "inputs")
        case Heading():
            return "headings"
        case Form():
            return "forms"
        case Landmark():
            return "landmarks"


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
        f"{landmark.role} ({ellipsize(landmark.name, _LONGEST_NAME)})"
        if landmark.name
        else landmark.role
        for landmark in view.landmarks
    ]
    names.append(PAGE_ROOT)
    counts = _count_elements(view)
    by_landmark: dict[str, dict[str, int]] = {}
    for (landmark, element_type), count in counts.items():
        name = names[landmark]
        if name not in by_landmark and len(by_landmark) >= most:
            name = "(other landmarks)"
        types = by_landmark.setdefault(name, {})
        types[element_type] = types.get(element_type, 0) + count
    return {"total": counts.total(), "by_landmark": by_landmark}


def text_lines(view: PageView) -> Iterator[str]:
    """Return all visible text in reading order (C-PR-07); very long lines are cut at a space."""
    for line in view.lines:
        text = line.text
        while len(text) > _LONGEST_LINE:
            cut = text.rfind(" ", 1, _LONGEST_LINE) + 1 or _LONGEST_LINE
            yield text[:cut].rstrip()
            text = text[cut:]
        yield text
