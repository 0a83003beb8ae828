"""Facts that an agent reads from a screenshot: the box of a text, the value of a slider."""

import json
import re
from collections.abc import Callable
from typing import Final

import attrs

from tests.libraries.calls import ToolFailed

_TEXT: Final = """() => {
  const wanted = %s;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const letters = [];
  while (walker.nextNode()) {
    const node = walker.currentNode;
    for (let at = 0; at < node.length; at += 1) letters.push([node, at]);
  }
  const text = letters.map(([node, at]) => node.data[at]).join("").replaceAll("\u00a0", " ");
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const range = document.createRange();
    range.setStart(...letters[at]);
    const [node, last] = letters[at + wanted.length - 1];
    range.setEnd(node, last + 1);
    const box = range.getBoundingClientRect();
    if (box.width) return [box.left, box.top, box.width, box.height].map(Math.round).join();
  }
}"""
_SLIDER: Final = """() => {
  const all = (root) => [...root.querySelectorAll("*")].flatMap(
    (one) => [one, ...(one.shadowRoot ? all(one.shadowRoot) : [])]);
  const found = all(document).filter(
    (one) => one.matches("[role=slider], [role=separator], input[type=range]"));
  const named = (one) => `${one.getAttribute("aria-label")}`;
  const one = found.find((one) => named(one) === %s) ?? found[%s];
  if (one?.type === "range") return `range ${one.value},${one.min || 0},${one.max || 100}`;
  if (one) return ["now", "min", "max"].map((key) => one.getAttribute(`aria-value${key}`)).join();
}"""

Evaluate = Callable[[str], str]


@attrs.frozen
class Box:
    """A rectangle in CSS pixels."""

    left: float
    top: float
    width: float
    height: float


@attrs.frozen
class SliderState:
    """A slider; ``is_native``: an input of the browser."""

    value: float
    least: float
    most: float
    is_native: bool


def box_of_text(text: str, evaluate: Evaluate) -> Box:
    """Return where the page shows a text. Raises `ToolFailed`."""
    found = re.search(r"(-?\d+),(-?\d+),(\d+),(\d+)", evaluate(_TEXT % json.dumps(text)))
    if found is None:
        raise ToolFailed(f"{text!r} is not on the page")
    return Box(*map(float, found.groups()))


def slider_state(name: str, place: int, evaluate: Evaluate) -> SliderState:
    """Return the state of the slider of a name, or at a place in the order of all sliders.

    Raises `ToolFailed`.
    """
    answer = evaluate(_SLIDER % (json.dumps(name), place))
    found = re.search(r"(-?[\d.]+),(-?[\d.]+),(-?[\d.]+)", answer)
    if found is None:
        raise ToolFailed(f"no slider {name!r} has a value")
    value, least, most = map(float, found.groups())
    return SliderState(value, least, most, is_native="range " in answer)
