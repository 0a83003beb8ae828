"""Command line of Chromium: launch options and the switches that implement them."""

import re
from collections.abc import Mapping

import attrs

from charlotte.config import SandboxChoice

# A mouse that hovers, whatever devices the machine has: kHoverTypeHover is 2, kPointerTypeFine 4.
_MOUSE = (
    "--blink-settings=primaryHoverType=2,availableHoverTypes=2,"
    "primaryPointerType=4,availablePointerTypes=4"
)

# An automated browser must not ask questions, report, update or sleep.
SWITCHES = (
    "--enable-blink-features=ComputedAccessibilityInfo",  # computed roles and names for the probe
    "--site-per-process",  # isolates hangs of cross-site frames; not the default of every build
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-search-engine-choice-screen",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-background-networking",
    "--disable-component-update",
    "--component-updater=url-source=http://127.0.0.1:1/",  # also components requested on demand
    "--disable-sync",
    "--metrics-recording-only",
    "--disable-breakpad",
    "--password-store=basic",
    "--use-mock-keychain",
    "--mute-audio",
    "--force-color-profile=srgb",
    "--disable-popup-blocking",
    "--disable-prompt-on-repost",
    "--hide-crash-restore-bubble",
    "--disable-hang-monitor",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-background-timer-throttling",
    "--disable-back-forward-cache",  # a page restored from it fires no load event
    "--hide-scrollbars",
    "--window-size=1280,720",
    _MOUSE,
)

DISABLED_FEATURES = (
    "WebUIOmniboxPopup",  # each of the two costs a hidden page and a renderer per window
    "WebUIOmniboxAimPopup",
    "AutofillServerCommunication",  # sends data about forms to a server
    "OptimizationHints",
    "NetworkTimeServiceQuerying",
    "MediaRouter",  # searches the local network for displays
    "DialMediaRouteProvider",
    "Translate",
    "SpareRendererForSitePerProcess",  # saves one unused process per page with many contexts
    "PaintHolding",  # would show the previous page for a while after a navigation
)

# The default of six connections per host delays eight tabs of one site.
ENABLED_FEATURES = ("HappyEyeballsV3:max_stream_per_group/32",)

# Chromium uses only the last of repeated switches, so lists are merged.
LISTS = (
    "--enable-features",
    "--disable-features",
    "--enable-blink-features",
    "--disable-blink-features",
    "--blink-settings",
    "--host-resolver-rules",
    "--ignore-certificate-errors-spki-list",
)

NO_SANDBOX = ("--no-sandbox", "--disable-setuid-sandbox")

SANDBOX_REFUSALS = re.compile(
    r"without --no-sandbox"
    r"|no usable sandbox"
    r"|suid sandbox helper"
    r"|failed to move to new namespace"
    r"|services/(credentials|namespace_sandbox)\.cc"
    r"|zygote_host_impl_linux\.cc",
    re.IGNORECASE,
)


@attrs.frozen(kw_only=True)
class LaunchOptions:
    """Options with which Chromium is started.

    ``executable``: a path or a name in PATH; None: the first Chromium or Chrome in PATH.
    ``user_data_dir``: a profile to use and keep; None: a temporary profile.
    ``resolver_rules``: hosts that Chromium must not resolve, in its own syntax.
    ``sandbox``: "auto" starts without a sandbox if Chromium cannot have one, "on" fails then.
    """

    executable: str | None = None
    headed: bool = False
    sandbox: SandboxChoice = "auto"
    extra_args: tuple[str, ...] = ()
    user_data_dir: str | None = None
    proxy_server: str | None = None
    ignore_https_errors: bool = False
    resolver_rules: str = ""

    @property
    def has_windows(self) -> bool:
        """Whether the browser has windows now or had them with this profile."""
        return self.headed or self.user_data_dir is not None


def switches(options: LaunchOptions, *, sandboxed: bool) -> list[str]:
    """Return the arguments of Chromium, without the profile directory (C-BRW-01)."""
    arguments = ["--remote-debugging-port=0", *SWITCHES]
    arguments.append("--enable-features=" + ",".join(ENABLED_FEATURES))
    arguments.append("--disable-features=" + ",".join(DISABLED_FEATURES))
    if not options.headed:
        arguments += ["--headless=new", "--no-startup-window"]
    if not sandboxed:
        arguments += NO_SANDBOX
    if options.proxy_server is not None:
        arguments.append(f"--proxy-server={options.proxy_server}")
    if options.ignore_https_errors:
        arguments.append("--ignore-certificate-errors")
    if options.resolver_rules:
        arguments.append(f"--host-resolver-rules={options.resolver_rules}")
    return merged([*arguments, *options.extra_args])


def merged(arguments: list[str]) -> list[str]:
    """Join repeated switches whose value is a list; other switches are unchanged."""
    values: dict[str, list[str]] = {}
    others: list[str] = []
    for argument in arguments:
        name, _, value = argument.partition("=")
        if name in LISTS:
            values.setdefault(name, []).append(value)
        else:
            others.append(argument)
    return [f"{name}={','.join(joined)}" for name, joined in values.items()] + others


def wants_sandbox(choice: SandboxChoice, *, root: bool) -> bool:
    """Return whether to try with the sandbox first; as root, Chromium always refuses it."""
    return choice == "on" or (choice == "auto" and not root)


def lacks_sandbox(errors: str) -> bool:
    """Return whether Chromium exited because it could not create its sandbox."""
    return SANDBOX_REFUSALS.search(errors) is not None


def environment(ours: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of Chromium, without Charlotte's settings, which include secrets."""
    return {name: value for name, value in ours.items() if not name.startswith("CHARLOTTE_")}
