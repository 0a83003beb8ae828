"""Charlotte inside a trio program."""

import json
import subprocess
import sys

import pytest

import charlotte
from charlotte import CharlotteError, Config, Text, open_charlotte

PAGE = "data:text/html,<title>{0}</title><button onclick='document.title=1'>Press</button>"


def test_everything_that_is_promised_can_be_imported() -> None:
    for name in charlotte.__all__:
        assert getattr(charlotte, name) is not None
    with pytest.raises(AttributeError, match="nonsense"):
        charlotte.nonsense  # noqa: B018


def test_importing_the_package_loads_nothing_of_it() -> None:
    asked = "import sys, charlotte; print('trio' in sys.modules)"

    said = subprocess.run(  # noqa: S603 - ourselves
        [sys.executable, "-c", asked], capture_output=True, text=True, check=True, timeout=20
    )

    assert said.stdout.strip() == "False"


@pytest.mark.chromium
async def test_two_sessions_work_side_by_side_and_know_nothing_of_each_other() -> None:
    titles: list[str] = []
    async with (
        open_charlotte(Config(viewport="800x600")) as running,
        running.open_session() as one,
        running.open_session() as other,
    ):
        for number, session in enumerate((one, other)):
            await session.call("navigate", {"url": PAGE.format(number)})
        for session in (one, other):
            [block] = (await session.call("tabs")).blocks
            assert isinstance(block, Text)
            titles += [row["title"] for row in json.loads(block.text)]
        with pytest.raises(CharlotteError) as raised:
            await other.call("click", {"element_id": "btn-0000"})

    assert titles == ["0", "1"]
    assert raised.value.code == "ELEMENT_NOT_FOUND"
