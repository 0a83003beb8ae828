"""Code editors that draw a part of their text only: read the whole text and select in it by keys.

The editor itself is asked for its text: it receives a `copy` event that does not reach the
browser's clipboard. The caret is where it was afterwards.
"""

import json
from collections.abc import Awaitable, Callable

import attrs

from charlotte.actors.tab.actor import TabActor
from charlotte.actors.tab.frames import SeenFrame
from charlotte.browser.input import chord, press_times
from charlotte.errors import ElementNotInteractive, ellipsize
from charlotte.page.identity.references import DocumentNode
from charlotte.page.spans import Span

_MOST_KEYS = 5000
"""Keys that one movement of the caret may take."""

_KEY_TAKES = 0.02
_ATTEMPTS = 12
"""Movements to a place: an editor that wraps lines moves by less than a line at each key."""

_LONGEST_RESELECTED = 500
_LONGEST_SHOWN = 80

_DIFFERENCES = {
    "indented": "{} indents the lines in another way than they were typed.",
    "part": "{} shows {lines} of the {wanted} lines typed; scroll in it to check the others.",
    "other": "The text in {} is not the text that was typed: editors close brackets and complete "
    "words. It shows {lines} lines: {shown}",
}
"""Notes on the text of an editor, by the probe's verdict."""


@attrs.frozen
class EditorText:
    """The whole text of an editor; ``caret`` is the place of the caret, or a selection's anchor."""

    text: str
    caret: int


async def read_editor(tab: TabActor, frame: SeenFrame, *, keep: bool = True) -> EditorText | None:
    """Read the editor that has the focus; with ``keep``, a short selection stays.

    Returns None without a key press if the control does not copy text, as a terminal does not.
    """
    if not (await tab.frames.ask(frame, "answersCopy")).get("answers"):
        return None
    selected = await selected_text(tab, frame) if keep else ""
    before = await _text_up_to(tab, frame, "Control+Shift+Home", "ArrowRight")
    after = await _text_up_to(tab, frame, "Control+Shift+End", "ArrowLeft")
    if selected and len(selected) <= _LONGEST_RESELECTED:
        key = "Shift+ArrowRight" if after.startswith(selected) else "Shift+ArrowLeft"
        await press_and_wait(tab, frame, key, len(selected))
    return EditorText(before + after, len(before))


async def read_windowed(tab: TabActor, place: DocumentNode) -> str | None:
    """Return the whole text of a code editor that draws a part of its text; None for other nodes.

    The editor has the focus meanwhile.
    """
    answer = await tab.frames.ask_node(place, "selectable")
    frame = tab.frames.frame_of(place)
    if frame is None or "windowed" not in (answer or {}):
        return None
    before = await tab.frames.ask(frame, "typing")
    if "error" in (await tab.frames.ask_node(place, "focusText", None) or {"error": "gone"}):
        return None
    tab.kept_tree = None
    editor = await read_editor(tab, frame)
    await tab.frames.ask(frame, "focusAgain", before.get("nid", before.get("frame", 0)))
    return editor.text if editor else None


async def select_span(
    tab: TabActor, frame: SeenFrame, find: Callable[[str], Span], caret: str | None
) -> str | None:
    """Select a part of the text of the editor that has the focus; return the selected text.

    ``find`` returns the part, given the text. With ``caret`` ("before" or "after"), only the caret
    is moved. Returns None if the control does not return its text. Raises `ElementNotInteractive`
    if the editor does not move the caret there.
    """
    editor = await read_editor(tab, frame, keep=False)
    if editor is None:
        return None
    text = editor.text
    start, end = find(text)
    if caret is None and (start, end) == (0, len(text)):
        await press_and_wait(tab, frame, "Control+a")
        return await selected_text(tab, frame)
    mover = _Mover(tab, frame, text, editor.caret)
    await mover.move_to(end if caret == "after" else start)
    if caret is None:
        await mover.extend_to(end)
    return await selected_text(tab, frame)


async def selected_text(tab: TabActor, frame: SeenFrame) -> str:
    """Return the text that is selected in a frame, as the page would copy it."""
    text: str = (await tab.frames.ask(frame, "selection")).get("text", "")
    return text


async def press_and_wait(tab: TabActor, frame: SeenFrame, name: str, times: int = 1) -> None:
    """Press a key several times, then wait until the page has handled it."""
    key, modifiers = chord(name, ())
    async with tab.page.answering(1 + _KEY_TAKES * times):
        await press_times(tab.page.session, key, modifiers, times)
    await tab.frames.ask(frame, "waitForTyping")


async def _text_up_to(tab: TabActor, frame: SeenFrame, extend: str, back: str) -> str:
    """Return the text from the caret to the end that ``extend`` selects up to."""
    await press_and_wait(tab, frame, extend)
    text = await selected_text(tab, frame)
    if text:
        await press_and_wait(tab, frame, back)
    return text


@attrs.define
class _Mover:
    """The caret of an editor, moved by arrow keys: each movement is measured."""

    tab: TabActor
    frame: SeenFrame
    text: str
    caret: int

    async def move_to(self, place: int) -> None:
        for key, far in (("Control+Home", 0), ("Control+End", len(self.text))):
            if self._lines_to(place, far) < self._lines_to(place, self.caret):
                await press_and_wait(self.tab, self.frame, key)
                self.caret = far

        async def measure() -> int:
            return len(await _text_up_to(self.tab, self.frame, "Control+Shift+Home", "ArrowRight"))

        await self._approach(place, "", measure)

    async def extend_to(self, place: int) -> None:
        """Extend the selection from the caret to a later place."""
        start = self.caret

        async def measure() -> int:
            return start + len(await selected_text(self.tab, self.frame))

        await self._approach(place, "Shift+", measure)

    def _lines_to(self, place: int, start: int) -> int:
        return self.text.count("\n", min(place, start), max(place, start))

    async def _approach(self, place: int, held: str, measure: Callable[[], Awaitable[int]]) -> None:
        for _ in range(_ATTEMPTS):
            if self.caret == place:
                return
            forward = place > self.caret
            lines = self._lines_to(place, self.caret)
            arrow = (
                ("ArrowDown" if forward else "ArrowUp")
                if lines
                else ("ArrowRight" if forward else "ArrowLeft")
            )
            times = lines or abs(place - self.caret)
            if times > _MOST_KEYS:
                break
            await press_and_wait(self.tab, self.frame, held + arrow, times)
            before, self.caret = self.caret, await measure()
            if self.caret == before:
                break
        if self.caret != place:
            raise ElementNotInteractive(
                "The editor did not move the caret to the text.",
                "Click or drag over the text in the editor, or replace the whole text with type.",
            )


async def note_difference(
    tab: TabActor, place: DocumentNode, name: str, text: str, *, replaced: bool
) -> None:
    """Note if the text in an editor differs from the text typed into it.

    The whole text of an editor that draws a part of it only is read if the drawn part differs.
    """
    answer = await tab.frames.ask_node(place, "typedText", text, replaced) or {}
    verdict = answer.get("verdict", "")
    frame = tab.frames.frame_of(place)
    is_certain = replaced or verdict == "part"  # else the control may be that of a canvas
    if frame and is_certain and "windowed" in answer and verdict in _DIFFERENCES:
        editor = await read_editor(tab, frame)
        if editor and (editor.text or not text) and _is_shown(answer["shown"], editor.text):
            tab.note = _as_sentence(_compare(name, editor.text, text, replaced=replaced))
            return
    if note := _DIFFERENCES.get(verdict):
        shown = json.dumps(answer["shown"], ensure_ascii=False)
        facts = {"lines": answer["lines"], "wanted": answer["wanted"], "shown": shown}
        tab.note = _as_sentence(note.format(name, **facts))
    elif "around" in answer and replaced:  # such a control has no value that an answer could show
        tab.note = _as_sentence(_same(name, text))


def _is_shown(shown: str, whole: str) -> bool:
    """Return whether an editor shows the text that it returned; the last line may be cut."""
    lines = shown.split("\n")[:-1] or [shown]
    return sum(line.strip() in whole for line in lines) >= len(lines) / 2


def _as_sentence(note: str) -> str:
    """Return a note with a capital letter, unless it begins with an id."""
    return f"T{note[1:]}" if note.startswith("the ") else note


def _same(name: str, text: str) -> str:
    return f"{name} {'shows the text typed' if text else 'is empty'}."


def _compare(name: str, whole: str, typed: str, *, replaced: bool) -> str:
    """Return a note on the whole text of an editor, with the first line that was not typed."""
    typed = typed.replace("\r\n", "\n")
    if whole.rstrip("\n") == typed.rstrip("\n") or (not replaced and typed in whole):
        return _same(name, typed)
    if not replaced:
        return f"The text in {name} does not contain the text as it was typed."
    there, wanted = whole.split("\n"), typed.split("\n")
    number = next(
        (at for at, (one, other) in enumerate(zip(there, wanted, strict=False)) if one != other),
        min(len(there), len(wanted)),
    )
    line = repr(ellipsize(there[number], _LONGEST_SHOWN)) if number < len(there) else "its end"
    return (
        f"The text in {name} is not the text that was typed: line {number + 1} is {line}, and it "
        f"has {len(there)} lines instead of {len(wanted)}. Editors close brackets, indent lines "
        "and complete words."
    )
