"""What a page holds, as counts per landmark and as text."""

from collections import Counter
from collections.abc import Iterator

from charlotte.page.model import Element, Form, Heading, Landmark, PageView

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
    """C-PR-06: ``main: 2 headings, 3 links; navigation "Main": 4 links``.

    Everything counts once, in the innermost landmark around it; what is zero is left out.
    """
    counts = [Counter(landmark.counts) for landmark in view.landmarks]
    counts.append(Counter(view.counts))  # of the page root, which has index -1
    for heading in view.headings:
        counts[heading.landmark]["headings"] += 1
    elements = Counter((element.landmark, element.type) for element in view.interactive)
    elements.update(view.uncaptured)
    for (landmark, element_type), count in elements.items():
        counts[landmark][_KIND_OF_TYPE.get(element_type, "inputs")] += count
    for form in view.forms:
        counts[form.landmark]["forms"] += 1
    names = [PAGE_ROOT, *(landmark_title(landmark) for landmark in view.landmarks)]
    told = (
        (name, format_counts(count)) for name, count in zip(names, _root_first(counts), strict=True)
    )
    return SEPARATOR.join(f"{name}: {text}" for name, text in told if text)


def shorten_summary(summary: str, limit: int) -> str:
    """A content summary of at most ``limit`` characters and a note, cut between landmarks."""
    if len(summary) <= limit:
        return summary
    kept = summary[:limit].rpartition(SEPARATOR)[0]
    left_out = summary.count(SEPARATOR) + 1 - (kept.count(SEPARATOR) + 1 if kept else 0)
    return f"{kept}{SEPARATOR if kept else ''}… {left_out} more landmarks"


def _root_first(counts: list[Counter[str]]) -> list[Counter[str]]:
    return counts[-1:] + counts[:-1]


def landmark_title(landmark: Landmark) -> str:
    """``navigation "Main"``, or the role alone where there is no name."""
    return f'{landmark.role} "{_name(landmark)}"' if landmark.name else landmark.role


def _name(landmark: Landmark) -> str:
    name = landmark.name
    return name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}…"


def counted_kind(item: Landmark | Heading | Element | Form) -> str:
    """As what a thing is counted."""
    match item:
        case Element():
            return _KIND_OF_TYPE.get(item.type, "inputs")
        case Heading():
            return "headings"
        case Form():
            return "forms"
        case Landmark():
            return "landmarks"


def format_counts(count: Counter[str]) -> str:
    """``2 headings, 3 links``: what there is of each kind, without what is zero."""
    return ", ".join(
        f"{many} {kind if many > 1 else kind[:-1]}"
        for kind in _KINDS
        if (many := count.get(kind, 0))
    )


def interactive_summary(view: PageView, most: int = 60) -> dict[str, object]:
    """C-PR-34; landmarks that read the same are added up, and all after the first ``most``."""
    names = [_group(landmark) for landmark in view.landmarks]
    names.append(PAGE_ROOT)
    counts = Counter((element.landmark, element.type) for element in view.interactive)
    counts.update(view.uncaptured)
    per_place: dict[str, dict[str, int]] = {}
    for (landmark, element_type), count in counts.items():
        name = names[landmark]
        if name not in per_place and len(per_place) >= most:
            name = "(other landmarks)"
        group = per_place.setdefault(name, {})
        group[element_type] = group.get(element_type, 0) + count
    return {"total": counts.total(), "by_landmark": per_place}


def _group(landmark: Landmark) -> str:
    return f"{landmark.role} ({_name(landmark)})" if landmark.name else landmark.role


def text_lines(view: PageView) -> Iterator[str]:
    """C-PR-07: all visible text in reading order, very long runs broken at a space."""
    for line in view.lines:
        text = line.text
        while len(text) > _LONGEST_LINE:
            cut = text.rfind(" ", 1, _LONGEST_LINE) + 1 or _LONGEST_LINE
            yield text[:cut].rstrip()
            text = text[cut:]
        yield text
