"""The run of a script in a session; it stops at the first failure."""

import json
from collections.abc import Awaitable, Callable, Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import attrs
import trio

from charlotte.browser.evaluate import ScriptValue
from charlotte.cli.arguments import Words, with_absolute_paths
from charlotte.cli.call import answer_of
from charlotte.cli.scripts.checking import build_words, read_rows
from charlotte.cli.scripts.descriptions import Described
from charlotte.cli.scripts.elements import TEXT_OF_ELEMENT, find_all, wait_for_element
from charlotte.cli.scripts.language import (
    Block,
    Call,
    ExpectElement,
    ExpectText,
    ExpectValue,
    Let,
    Loop,
    Parallel,
    Print,
    Read,
    Statement,
)
from charlotte.cli.scripts.words import Problem, Word
from charlotte.errors import (
    CharlotteError,
    DeadlineExceeded,
    ElementNotFound,
    InvalidArgument,
    SessionProblem,
    ellipsize,
)
from charlotte.page.model import Element, compact_json
from charlotte.patterns import NotAPattern, compiled
from charlotte.session import Session
from charlotte.tools.answer import Answer, Page
from charlotte.tools.answer_format import ARGUMENT
from charlotte.tools.schema.tool import Toolbox
from charlotte.tools.toolkit import PageMethods

AT_ONCE = 8
"""Rows of a parallel loop that run at the same time."""

_PAUSE = 0.1
_CLOSE_WAIT = 5.0
_VIEW_WAIT = 5.0
_LONGEST_VIEW = 1000
_LONGEST_SHOWN = 200


class NotMet(CharlotteError):
    """An expectation of a script is not met."""

    code = "EXPECTATION_NOT_MET"
    what_to_do = "Compare the page with the script."


class Failed(Exception):
    """A statement failed; ``page`` has the URL, the title and the beginning of the page.

    ``rows`` are the numbers of the rows of the loops around it, the outermost first.
    """

    def __init__(
        self, statement: Statement, error: CharlotteError, page: Mapping[str, str]
    ) -> None:
        super().__init__(error.message)
        self.statement, self.error, self.page = statement, error, page
        self.rows = list[int]()


Output = Callable[[str | None], Awaitable[None]]
"""Gets each printed line, and None after the other lines."""


@attrs.define
class Counts:
    """The number of statements that ran, over all tabs."""

    statements: int = 0


@attrs.define(eq=False)
class Runner:
    """Runs statements in a session, in the active tab or in ``tab``."""

    session: Session
    toolbox: Toolbox
    output: Output
    cwd: Path
    scope: dict[str, Any]
    tab: str | None = None
    counts: Counts = attrs.field(factory=Counts)

    @property
    def page(self) -> PageMethods:
        """The tools on the tab."""
        return self.session if self.tab is None else self.session.tab(self.tab)

    async def run(self, statements: Sequence[Statement]) -> None:
        """Run statements in order. Raises `Failed` for the first that fails."""
        for statement in statements:
            try:
                await self._run(statement)
            except Problem as problem:
                raise await self._failed(statement, InvalidArgument(f"{problem}.")) from None
            except CharlotteError as error:
                raise await self._failed(statement, error) from error
            self.counts.statements += 1
            await self.output(None)

    async def _failed(self, statement: Statement, error: CharlotteError) -> Failed:
        error.hide(self.session.record.settings.secrets.hidden_in)
        return Failed(statement, error, await self._describe_page())

    async def _describe_page(self) -> Mapping[str, str]:
        record = self.session.record
        tab = record.tabs.get(self.tab or record.active or "")
        if tab is None:
            return {}
        url, title = tab.shown[0], tab.row()["title"]
        page = {"tab": tab.id, "url": record.hidden(url), "title": record.hidden(title)}
        with suppress(CharlotteError), trio.move_on_after(_VIEW_WAIT):
            view = {"detail": "auto", "max_chars": _LONGEST_VIEW, "tab_id": tab.id}
            answer = await self.session.call("observe", {**view, ARGUMENT: "text"})
            page["view"] = "\n".join(answer.text.splitlines()[1:])  # the first line is the tab
        return page

    async def _run(self, statement: Statement) -> None:
        match statement:
            case Call():
                await self._call(statement)
            case Read():
                self.scope[statement.name] = await self._read(statement)
            case Let(name=name, text=text):
                self.scope[name] = text.text(self.scope)
            case Print(texts=texts):
                line = " ".join(text.text(self.scope) for text in texts)
                await self.output(self.session.record.hidden(line))
            case ExpectText():
                await self._expect_text(statement)
            case ExpectElement():
                await self._expect_element(statement)
            case ExpectValue():
                self._expect_value(statement)
            case _:
                await self._run_block(statement)

    async def _run_block(self, statement: Statement) -> None:
        match statement:
            case Loop(parallel=False, name=name, body=body):
                for number, row in enumerate(self._rows(statement), 1):
                    self.scope[name] = row
                    with _in_row(number):
                        await self.run(body)
            case Loop():
                await self._run_rows(statement)
            case Parallel(body=branches):
                bodies = [branch.body for branch in branches if isinstance(branch, Block)]
                works = [partial(self._run_in_tab, body, dict(self.scope)) for body in bodies]
                await self._run_at_once(works, len(works))
            case Block(body=body):
                await self._run_in_tab(body, self.scope)
            case _:
                raise TypeError(statement)

    # ------------------------------------------------------------------------ calls

    async def _call(self, call: Call) -> None:
        tool = self.toolbox.find(call.tool)
        ids, page = list[str](), self._page_of(call)
        for argument in call.arguments:
            if isinstance(argument, Described):
                element = await wait_for_element(page, argument.description, self.scope)
                ids.append(element.id)
        found = iter(ids)
        words = build_words(call.arguments, self.scope, lambda _: next(found))
        given = with_absolute_paths(Words(tool).read(words), self.cwd)
        properties = tool.input_schema["properties"]
        if self.tab is not None and "tab_id" in properties and tool.tab:
            given.setdefault("tab_id", self.tab)
        if ARGUMENT not in properties:
            given[ARGUMENT] = "text"
        if "save" in properties:
            given.setdefault("save", "true")
        answer = await answer_of(self.session, tool.name, given)
        if answer.is_error:
            raise SessionProblem(answer.text)
        if call.name:
            self.scope[call.name] = _value_of(tool.name, answer)

    def _page_of(self, call: Call) -> PageMethods:
        """Return the tools on the tab that a call names with ``tab_id``, or else on the tab."""
        words = (word for word in call.arguments if isinstance(word, Word))
        for word in words:
            name, sign, tab = word.text(self.scope).partition("=")
            if (name, sign) == ("tab_id", "=") and not word.begins_quoted:
                return self.session.tab(tab)
        return self.page

    async def _read(self, read: Read) -> str:
        record = self.session.record
        match read.kind:
            case "opened":
                return next(reversed(record.tabs))
            case "tab" | "url" | "title":
                return await self._place(read.kind)
            case "value":
                return (await self._find(read)).value or ""
            case _:
                text = await self._text_of(read)
        if read.pattern is None:
            return text
        pattern = read.pattern.text(self.scope)
        try:
            found = compiled(pattern).first(text)
        except NotAPattern as problem:
            raise InvalidArgument(f"{pattern!r} is no regular expression: {problem}.") from None
        if found is None:
            shown = f" of {read.element.write(self.scope)}" if read.element else ""
            raise NotMet(f"Nothing in the text{shown} matches {pattern!r}.")
        return found

    async def _find(self, read: Read) -> Element:
        assert read.element is not None  # noqa: S101 - by the parser
        return await wait_for_element(self.page, read.element, self.scope)

    async def _text_of(self, read: Read) -> str:
        if read.element is None:
            return (await self.page.observe(detail="minimal")).text
        element = await self._find(read)
        found = await self.page.evaluate(TEXT_OF_ELEMENT, element_id=element.id)
        return str(found.value)

    async def _place(self, kind: str) -> str:
        """Return the id, the URL or the title of the tab."""
        page = await self.page.observe(detail="minimal")
        return {"tab": page.tab_id, "url": page.url, "title": page.title}[kind]

    # ------------------------------------------------------------------------ expectations

    async def _expect_text(self, expect: ExpectText) -> None:
        text = expect.text.text(self.scope)
        if expect.where == "text":
            await self._wait_for_text(text, expect)
            return
        deadline = trio.current_time() + expect.wait
        while (text in (found := await self._place(expect.where))) == expect.is_absent:
            if trio.current_time() >= deadline:
                verb = "still contains" if expect.is_absent else "does not contain"
                raise NotMet(f"The {expect.where} {self._quote(found)} {verb} {text!r}.")
            await trio.sleep(_PAUSE)

    async def _wait_for_text(self, text: str, expect: ExpectText) -> None:
        given: dict[str, Any] = {"text_gone" if expect.is_absent else "text": text}
        try:
            await self.page.wait_for(**given, timeout=int(expect.wait * 1000))
        except DeadlineExceeded:
            state = "is still" if expect.is_absent else "is not"
            raise NotMet(
                f"The text {text!r} {state} on the page after {expect.wait:g} s."
            ) from None

    async def _expect_element(self, expect: ExpectElement) -> None:
        description, wait, last = expect.element, expect.wait, list[Element]()
        wanted = expect.value.text(self.scope) if expect.value is not None else None
        written = description.write(self.scope)

        def is_wanted(element: Element) -> bool:
            last[:] = [element]
            is_in_state = expect.state is None or _is_in_state(element, expect.state)
            return is_in_state and (wanted is None or (element.value or "") == wanted)

        if expect.is_absent:
            await self._wait_for_absence(expect, is_wanted)
            return
        try:
            await wait_for_element(self.page, description, self.scope, wait, is_wanted)
        except ElementNotFound as error:
            if not last:
                raise NotMet(error.message, error.suggestion) from None
            shown = f"is not {expect.state}"
            if expect.state is None or _is_in_state(last[0], expect.state):
                shown = f"has the value {self._quote(last[0].value or '')}"
            raise NotMet(f"{written} {shown} after {wait:g} s.") from None

    async def _wait_for_absence(
        self, expect: ExpectElement, is_wanted: Callable[[Element], bool]
    ) -> None:
        description, number = expect.element, expect.element.number
        deadline = trio.current_time() + expect.wait
        while True:
            items = await find_all(self.page, description, self.scope)
            items = items if number is None else items[number - 1 : number]
            if not any(map(is_wanted, items)):
                return
            if trio.current_time() >= deadline:
                written = description.write(self.scope)
                raise NotMet(f"{written} is still on the page after {expect.wait:g} s.")
            await trio.sleep(_PAUSE)

    def _expect_value(self, expect: ExpectValue) -> None:
        left, right = expect.left.text(self.scope), expect.right.text(self.scope)
        is_met = {"=": left == right, "!=": left != right, "contains": right in left}
        if not is_met[expect.sign]:
            raise NotMet(f"Got {self._quote(left)}, expected {expect.sign} {self._quote(right)}.")

    def _quote(self, text: str) -> str:
        """Return a text of the page for a message; secrets are redacted before it is cut."""
        return repr(ellipsize(self.session.record.hidden(text), _LONGEST_SHOWN))

    # ------------------------------------------------------------------------ blocks

    def _rows(self, loop: Loop) -> Sequence[Mapping[str, str]]:
        roots = self.session.record.settings.files
        [path] = roots.files([str(self.cwd / loop.file.text(self.scope))])
        return read_rows(path)[1]

    async def _run_rows(self, loop: Loop) -> None:
        async def run(number: int, row: Mapping[str, str]) -> None:
            with _in_row(number):
                await self._run_in_tab(loop.body, {**self.scope, loop.name: row})

        works = [partial(run, number, row) for number, row in enumerate(self._rows(loop), 1)]
        await self._run_at_once(works, AT_ONCE)

    async def _run_at_once(self, works: Sequence[Callable[[], Awaitable[None]]], most: int) -> None:
        """Do works that open tabs, ``most`` at the same time; the first failure ends all."""
        limit, failed = trio.CapacityLimiter(max(most, 1)), list[Exception]()
        active = self.session.record.active
        async with trio.open_nursery() as nursery:

            async def run(work: Callable[[], Awaitable[None]]) -> None:
                async with limit:
                    try:
                        await work()
                    except (Failed, CharlotteError) as error:
                        failed.append(error)
                        nursery.cancel_scope.cancel("a block failed")

            for work in works:
                nursery.start_soon(run, work)
        await self._return_to(active)
        if failed:
            raise failed[0]

    async def _run_in_tab(self, body: Sequence[Statement], scope: dict[str, Any]) -> None:
        active = self.session.record.active
        opened = await self.session.tab_open()
        try:
            await attrs.evolve(self, tab=opened.tab_id, scope=scope).run(body)
        finally:
            with trio.move_on_after(_CLOSE_WAIT, shield=True), suppress(CharlotteError):
                await self.session.tab_close(opened.tab_id)
        await self._return_to(active)

    async def _return_to(self, active: str | None) -> None:
        """Make the tab active in which the lines after a block continue."""
        record = self.session.record
        if active is not None and active in record.tabs and record.active != active:
            await self.session.tab_switch(active)


@contextmanager
def _in_row(number: int) -> Generator[None]:
    """Add the number of a row to a failure."""
    try:
        yield
    except Failed as failed:
        failed.rows.insert(0, number)
        raise


def _value_of(tool: str, answer: Answer) -> str:
    """Return what a variable gets: the value of a script, the id of a new tab, or the text."""
    match answer.value:
        case ScriptValue(value=str(text)):
            return text
        case ScriptValue(value=value):
            return compact_json(value)
        case Page(tab_id=tab_id) if tool == "tab_open":
            return tab_id
        case _:
            return answer.text


def _is_in_state(element: Element, state: str) -> bool:
    match state:
        case "enabled" | "disabled":
            return (element.state.get("enabled") is not False) == (state == "enabled")
        case _:
            return (element.state.get("checked") is True) == (state == "checked")


def write_page(page: Mapping[str, str]) -> str:
    """Return the page of a failure as lines."""
    if not page:
        return "no tab"
    lines = [f"page {page['tab']}: {page['url']} {json.dumps(page['title'], ensure_ascii=False)}"]
    lines += [f"  {line}" for line in page.get("view", "").splitlines()]
    return "\n".join(lines)
