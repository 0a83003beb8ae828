"""Run the tasks with one driver: ``python toolset_drivers DRIVER CHROMIUM URL ROUNDS``.

A script remembers the refs of earlier answers about the same page. It reads the page only for a ref
or text that no such answer had. Prints a JSON line with reads, calls and seconds per task.
"""

import asyncio
import json
import re
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from drivers import ANTHROPIC, DRIVERS, Call
from tasks import TASKS, Step

_MOST_READS = 10
_ROLES = (
    "button|link|textbox|searchbox|combobox|select|checkbox|radio|tab|option|listbox|switch"
    "|spinbutton"
)


_FORMS = {
    "charlotte": r'(?:{roles}) "{name}" \[(ref_\d+)\]',
    "browser-use": r'\[(ref_\d+)\] (?:{roles}) "{name}"',
    "stagehand": r"\[(\S+?)\] (?:{roles}): {name}(?=\s*(?:\[|\n|$))",
}
"""How the drivers write a control with its ref."""


def find_ref(form: str, text: str, label: str) -> str | None:
    """Return the ref of the last control with a label."""
    found = re.findall(form.format(roles=_ROLES, name=re.escape(label)), text)
    return found[-1] if found else None


class Script:
    """A scripted model with one driver."""

    def __init__(self, driver: str, call: Call, url: str) -> None:
        self._is_anthropic = DRIVERS[driver][0] == ANTHROPIC
        self._form = next(form for name, form in _FORMS.items() if driver.startswith(name))
        self._call = call
        self._url = url
        self._answers: list[str] = []
        self.reads = self.calls = 0
        self.seconds = 0.0

    async def run(self, steps: Sequence[Step]) -> None:
        for verb, *given in steps:
            await getattr(self, verb)(*given)

    async def _ask(self, name: str, **given: Any) -> str:
        self.calls += 1
        begun = time.perf_counter()
        try:
            return await self._call(name, **given)
        finally:
            self.seconds += time.perf_counter() - begun

    async def _read(self) -> str:
        self.reads += 1
        text = await self._ask("read_page", filter="all")
        self._answers.append(text)
        return text

    async def _ref(self, label: str) -> str:
        for text in reversed(self._answers):
            if (ref := find_ref(self._form, text, label)) is not None:
                return ref
        for _ in range(_MOST_READS):
            if (ref := find_ref(self._form, await self._read(), label)) is not None:
                return ref
        raise RuntimeError(f"no ref for {label!r}: {self._answers[-1][:2000]}")

    async def _act(self, member: str, label: str, **given: Any) -> None:
        ref = await self._ref(label)
        target = {"type": "ref", "ref": ref} if self._is_anthropic else ref
        try:
            answer = await self._ask(member, target=target, **given)
        except RuntimeError:  # the ref of an earlier answer has become stale
            self._answers = []
            ref = await self._ref(label)
            target = {"type": "ref", "ref": ref} if self._is_anthropic else ref
            answer = await self._ask(member, target=target, **given)
        self._answers.append(answer)

    async def open(self, path: str) -> None:
        self._answers = [await self._ask("navigate", url=f"{self._url}{path}")]

    async def click(self, label: str) -> None:
        await self._act("left_click" if self._is_anthropic else "click", label)

    async def go(self, label: str) -> None:
        await self.click(label)
        del self._answers[:-1]

    async def check(self, label: str) -> None:
        await self.click(label)

    async def fill(self, label: str, text: str) -> None:
        if self._is_anthropic:
            await self._act("form_input", label, value=text)
        else:
            await self._act("type", label, text=text)

    async def choose(self, label: str, option: str) -> None:
        if self._is_anthropic:
            await self._act("form_input", label, value=option)
        else:
            await self._act("select_option", label, values=[option])

    async def see(self, text: str) -> None:
        if text in self._answers[-1]:
            return
        for _ in range(_MOST_READS):
            if text in await self._read():
                return
        raise RuntimeError(f"{text!r} is not on the page: {self._answers[-1][:2000]}")


async def main(name: str, chromium: str, url: str, rounds: int) -> None:
    """Run each task ``rounds`` times after one round that is not counted."""
    _, opened = DRIVERS[name]
    async with opened(chromium) as call:
        for number in range(rounds + 1):
            for task, steps in TASKS.items():
                script = Script(name, call, url)
                await script.run(steps)
                if number:
                    row = {"task": task, "reads": script.reads, "calls": script.calls}
                    print(json.dumps({**row, "seconds": round(script.seconds, 4)}), flush=True)


if __name__ == "__main__":
    driver, executable, site, count = sys.argv[1:]
    asyncio.run(main(driver, executable, site, int(count)))
