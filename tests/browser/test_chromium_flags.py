import pytest

from charlotte.browser.process.launch import environment, lacks_sandbox, switches, wants_sandbox
from charlotte.config.config import Config, SandboxChoice


@pytest.mark.parametrize(
    ("choice", "root", "wanted"),
    [
        ("auto", False, True),
        ("auto", True, False),
        ("on", False, True),
        ("on", True, True),
        ("off", False, False),
        ("off", True, False),
    ],
)
def test_the_sandbox_is_tried_unless_it_is_off_or_the_user_is_root(
    choice: SandboxChoice, *, root: bool, wanted: bool
) -> None:
    assert wants_sandbox(choice, root=root) is wanted


@pytest.mark.parametrize(
    "errors",
    [
        "[1:1:ERROR:zygote_host_impl_linux.cc:103] Running as root without --no-sandbox is not…",
        "FATAL: No usable sandbox! If you are running on Ubuntu 23.10+ …",
        "The SUID sandbox helper binary was found, but is not configured correctly.",
        "Failed to move to new namespace: PID namespaces supported, but failed: errno = 1",
        "FATAL:sandbox/linux/services/credentials.cc(131)] Check failed: . : Permission denied",
    ],
)
def test_all_messages_about_a_missing_sandbox_are_recognized(errors: str) -> None:
    assert lacks_sandbox(errors)


@pytest.mark.parametrize(
    "errors",
    [
        "",
        "error while loading shared libraries: libnss3.so: cannot open shared object file",
        "ERROR:dbus/bus.cc:405] Failed to connect to the bus",
    ],
)
def test_other_failures_are_not_sandbox_failures(errors: str) -> None:
    assert not lacks_sandbox(errors)


@pytest.mark.req("C-BRW-01")
def test_without_a_sandbox_chromium_gets_no_sandbox_gpu_or_dev_shm() -> None:
    for flag in ("no-sandbox", "disable-setuid-sandbox", "disable-gpu", "disable-dev-shm-usage"):
        assert f"--{flag}" in switches(Config(), sandboxed=False)


def test_a_headed_browser_has_a_window_from_the_start() -> None:
    arguments = switches(Config(headed=True), sandboxed=True)
    assert "--headless=new" not in arguments
    assert "--no-startup-window" not in arguments


def test_there_is_no_debugging_port() -> None:
    debugging = [each for each in switches(Config(), sandboxed=True) if "debugging" in each]
    assert debugging == ["--remote-debugging-pipe"]


def test_proxy_and_https_errors_become_switches() -> None:
    options = Config(proxy_server="http://proxy.test:3128", ignore_https_errors=True)
    arguments = switches(options, sandboxed=True)
    assert "--proxy-server=http://proxy.test:3128" in arguments
    assert "--ignore-certificate-errors" in arguments


def test_features_disabled_by_the_user_are_added_to_ours() -> None:
    options = Config(chromium_arg=("--disable-features=Theirs", "--lang=de"))
    arguments = switches(options, sandboxed=True)
    (disabled,) = (a for a in arguments if a.startswith("--disable-features="))
    assert "WebUIOmniboxPopup," in disabled
    assert disabled.endswith(",Theirs")
    assert arguments[-1] == "--lang=de"


def test_chromium_does_not_inherit_our_settings() -> None:
    ours = {"PATH": "/bin", "CHARLOTTE_AUTH_TOKEN": "secret"}
    assert environment(ours) == {"PATH": "/bin"}
