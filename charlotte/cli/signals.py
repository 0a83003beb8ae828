"""Signals that end the process."""

import signal

import trio


async def cancel_on_signal(
    scope: trio.CancelScope, stop: trio.Event | None = None, *, task_status: trio.TaskStatus[None]
) -> None:
    """Cancel at a signal; with ``stop``, the first signal sets it, and the second cancels.

    trio delivers signals to the newest receiver only.
    """
    with trio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
        task_status.started()
        async for _ in signals:
            if stop is None or stop.is_set():
                scope.cancel("signalled")
            else:
                stop.set()
