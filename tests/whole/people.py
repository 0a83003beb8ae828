"""A person on the dashboard, as its page speaks for them."""

import json
import urllib.error
import urllib.request
from collections.abc import Callable
from typing import Any

import attrs

from tests.whole.client import Message, Server
from tests.whole.tabs import eventually
from tests.whole.test_owner_dashboard import address_of


@attrs.frozen
class Person:
    address: str

    @classmethod
    def beside(cls, server: Server) -> "Person":
        return cls(address_of(server))

    def request(self, path: str, body: Any = None) -> Any:
        page, _, token = self.address.partition("#token=")
        headers = {"Authorization": f"Bearer {token}"}
        data = None
        if body is not None:
            headers["Content-Type"] = "application/json"
            data = json.dumps(body).encode()
        request = urllib.request.Request(f"{page}api/{path}", data, headers)  # noqa: S310
        return urllib.request.urlopen(request, timeout=120)  # noqa: S310

    def post(self, path: str, body: Any) -> int:
        try:
            with self.request(path, body) as response:
                return int(response.status)
        except urllib.error.HTTPError as error:
            return error.code

    def asked(self) -> list[Message]:
        """Return what is asked of people now."""
        return self._live("people")

    def questions(self) -> list[Message]:
        return self._live("questions")

    def _live(self, part: str) -> list[Message]:
        with self.request("live") as response:
            for line in response:
                if line.startswith(b"data: "):
                    rows: list[Message] = json.loads(line[6:])[part]
                    return rows
        return []

    def wait_asked(self, tab_id: str = "tab-1") -> Message:
        found: list[Message] = []

        def has_begun() -> bool:
            found[:] = [one for one in self.asked() if one["tab"] == tab_id and one["begun"]]
            return bool(found)

        eventually(has_begun)
        return found[0]

    def send(self, *events: Message, tab_id: str = "tab-1") -> int:
        return self.post(f"turns/{tab_id}/input", {"events": [*events]})

    def click(self, x: float, y: float, tab_id: str = "tab-1") -> None:
        at = {"x": x, "y": y, "button": 0}
        down = {"type": "down", **at, "buttons": 1, "clicks": 1}
        assert 204 == self.send(
            {"type": "move", "x": x, "y": y}, down, {"type": "up", **at, "clicks": 1}, tab_id=tab_id
        )

    def press(self, *keys: str, tab_id: str = "tab-1") -> None:
        for key in keys:
            both = ({"type": "keydown", "key": key}, {"type": "keyup", "key": key})
            assert 204 == self.send(*both, tab_id=tab_id)

    def end(self, ending: str = "done", reason: str = "", tab_id: str = "tab-1") -> int:
        return self.post(f"turns/{tab_id}/end", {"ending": ending, "reason": reason})

    def watch(self, take: Callable[[Message], bool], tab_id: str = "tab-1") -> None:
        """Read pictures until one is taken."""
        with self.request(f"turns/{tab_id}/pictures") as response:
            for line in response:
                if line.startswith(b"data: ") and take(json.loads(line[6:])):
                    return
