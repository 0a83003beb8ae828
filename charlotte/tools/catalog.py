"""Every tool there is, in the order in which it is listed."""

from charlotte.tools.aliases import browser_snapshot, page_screenshot, snapshot, validate_refs
from charlotte.tools.auditing import dev_audit
from charlotte.tools.batching import batch
from charlotte.tools.choosing import select, toggle
from charlotte.tools.configuring import configure
from charlotte.tools.cookies import clear_cookies, get_cookies, set_cookies
from charlotte.tools.developing import dev_inject, dev_serve
from charlotte.tools.devices import viewport
from charlotte.tools.dialogs import dialog
from charlotte.tools.filling import fill_form
from charlotte.tools.finding import find
from charlotte.tools.forms import submit
from charlotte.tools.interaction import click, key, type_
from charlotte.tools.monitoring import console, requests
from charlotte.tools.navigation import back, forward, navigate, reload
from charlotte.tools.networking import network, set_headers
from charlotte.tools.observation import diff, observe
from charlotte.tools.pointing import click_at, drag, hover
from charlotte.tools.printing import pdf
from charlotte.tools.screenshots import screenshot
from charlotte.tools.scripting import evaluate
from charlotte.tools.scrolling import scroll
from charlotte.tools.storing import storage
from charlotte.tools.tabs import tab_close, tab_open, tab_switch, tabs
from charlotte.tools.tool import Tool
from charlotte.tools.toolset import tools
from charlotte.tools.uploading import upload
from charlotte.tools.waiting import wait_for

CATALOG: tuple[Tool, ...] = (
    navigate,
    back,
    forward,
    reload,
    observe,
    find,
    screenshot,
    diff,
    click,
    click_at,
    type_,
    select,
    toggle,
    submit,
    fill_form,
    upload,
    scroll,
    hover,
    drag,
    key,
    wait_for,
    dialog,
    evaluate,
    console,
    requests,
    tabs,
    tab_open,
    tab_switch,
    tab_close,
    viewport,
    network,
    set_cookies,
    get_cookies,
    clear_cookies,
    set_headers,
    storage,
    pdf,
    dev_serve,
    dev_inject,
    dev_audit,
    batch,
    configure,
    tools,
    browser_snapshot,
    snapshot,
    validate_refs,
    page_screenshot,
)
