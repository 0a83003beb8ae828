"""What a page's session tells that its tab follows."""

from charlotte.browser.page_activity import FEED
from charlotte.protocol import page, runtime
from charlotte.protocol.wire import Event

FOLLOWED: tuple[type[Event], ...] = (
    *FEED,
    runtime.ExecutionContextCreated,
    runtime.ExecutionContextDestroyed,
    runtime.ExecutionContextsCleared,
    runtime.BindingCalled,
    page.JavascriptDialogOpening,
    page.JavascriptDialogClosed,
    page.FileChooserOpened,
)

SIGNS_OF_LIFE = (
    runtime.ExecutionContextCreated,
    runtime.ExecutionContextDestroyed,
    page.LifecycleEvent,
    page.JavascriptDialogOpening,
)
"""What only a renderer tells whose scripts come and go."""
