"""What the tests of activities feed to them."""

from charlotte.browser.world.settle import Activity
from charlotte.protocol import network

MAIN, OTHER = "main", "child"


def begin(activity: Activity, request_id: str, kind: str = "Fetch", frame: str = MAIN) -> None:
    request = network.NetworkRequest(f"http://a.test/{request_id}", "GET")
    event = network.RequestWillBeSent(request_id, "L0", request, 1.0, type=kind, frame_id=frame)
    activity.feed(event)
