"""What a page says besides its headings and elements, where that can be told in a few words."""

from collections.abc import Iterator

from charlotte.page.lines import stripper, words_in
from charlotte.page.model import PageView

_LONGEST = 500
"""Characters; of a page that says more, only what its live regions say is worth telling unasked."""


def text_besides(view: PageView) -> list[str]:
    """The lines of a page that no heading, label or value tells."""
    told = {text for text in _told(view) if text}
    without = stripper(told)
    lines: list[str] = []
    for line in view.lines:
        if told.issuperset(words_in(without(line.text))):
            continue
        lines.append(line.text)
        if sum(map(len, lines)) > _LONGEST:
            return list(view.alerts)
    return lines


def _told(view: PageView) -> Iterator[str | None]:
    yield from (heading.text for heading in view.headings)
    yield from (landmark.name for landmark in view.landmarks)
    for element in view.interactive:
        yield from (element.label, element.group, element.near)
        yield from (element.value or "").split("\n")
        yield from element.options or ()
