"""Surveys of documents that are written as nested elements."""

import itertools
from typing import Any

from charlotte.page.modes.survey import Survey, parse_survey

Element = tuple[str, dict[str, Any], tuple[Any, ...]]

URL = "https://example.com/page"


def el(tag: str, *inside: "Element | str", **facts: Any) -> Element:
    """Return an element; an underscore at the end of a fact's name is removed."""
    return tag, {key.rstrip("_"): value for key, value in facts.items()}, inside


def link(name: str, **facts: Any) -> Element:
    return el("a", name, role="link", name=name, href=f"https://example.com/{name}", **facts)


def button(name: str, **facts: Any) -> Element:
    return el("button", name, role="button", name=name, **facts)


def heading(level: int, text: str, **facts: Any) -> Element:
    return el(f"h{level}", text, role="heading", name=text, level=level, **facts)


def document(*inside: "Element | str", **facts: Any) -> Survey:
    """Return the survey of a page with this body; ``facts`` replace those of the page."""
    return parse_survey(answer(el("body", *inside)) | facts)


def part_of(root: Element, **facts: Any) -> Survey:
    return parse_survey(answer(root) | facts)


def answer(root: Element) -> dict[str, Any]:
    """Return the answer of the probe."""
    return {
        "url": URL,
        "title": "Example Page",
        "ready": "complete",
        "viewport": [1920, 1080],
        "cells": _cells(root),
        "controls": 0,
        "cut": 0,
        "steps": [],
    }


def _cells(root: Element) -> list[Any]:
    numbers = itertools.count(1)
    cells: list[Any] = []

    def add(element: "Element | str", depth: int, nth: int) -> None:
        if isinstance(element, str):
            cells.extend([depth, element, 0, 0])
            return
        tag, facts, inside = element
        cells.extend([depth, tag, next(numbers), {**facts, **({"nth": nth} if nth else {})}])
        tags = [child[0] for child in inside if not isinstance(child, str)]
        passed = dict.fromkeys(tags, 0)
        for child in inside:
            position = 0
            if not isinstance(child, str):
                passed[child[0]] += 1
                position = passed[child[0]] if tags.count(child[0]) > 1 else 0
            add(child, depth + 1, position)

    add(root, 0, 0)
    return cells
