"""``charlotte completion``: what shells complete."""

import subprocess

import pytest

from charlotte.cli.completion import script


def completed(*words: str) -> list[str]:
    """Return what bash offers for the last word."""
    line = " ".join(f"'{word}'" for word in ("charlotte", *words))
    asked = f"COMP_WORDS=({line}); COMP_CWORD={len(words)}; _shtab_charlotte"
    asked += "; echo ${COMPREPLY[@]}"
    done = subprocess.run(  # noqa: S603 - it is our own script
        ["bash", "--norc", "-uc", f"{script('bash')}\n{asked}"],  # noqa: S607
        capture_output=True,
        text=True,
        timeout=100,
        check=True,
    )
    return done.stdout.split()


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["se"], ["serve"]),
        (["--prof"], ["--profile"]),
        (["serve", "--profile", "b"], ["browse"]),
        (["--sandbox", ""], ["auto", "on", "off"]),
        (["--root", "x"], []),
        (["call", "tab_"], ["tab_close", "tab_open", "tab_switch"]),
        (["completion", "f"], ["fish"]),
        (["--auth"], []),
    ],
)
def test_bash_offers_commands_flags_values_and_tools(words: list[str], offered: list[str]) -> None:
    assert completed(*words) == offered


def test_zsh_is_given_the_flags_values_and_tools_with_their_meaning() -> None:
    lines = script("zsh").splitlines()
    assert lines[0] == "#compdef charlotte"
    assert any("compinit" in line for line in lines)
    [sandbox] = {line.strip() for line in lines if line.strip().startswith('"--sandbox[')}
    assert sandbox.endswith(':(auto on off)"')
    assert any(line.strip().startswith("serve:'Serve MCP on stdin") for line in lines)
    assert any("tab_open" in line for line in lines)
    assert not any("auth-token" in line for line in lines)


def test_fish_is_given_each_flag_with_its_values() -> None:
    lines = script("fish").splitlines()
    begins = "complete -c charlotte -n _shtab_charlotte_using -l "
    for flag in ('sandbox -xka "auto on off"', "headed -d", 'root -xka "(__fish_complete_path'):
        assert any(line.startswith(begins + flag) for line in lines)
    for words in ("-a serve", "tab_open", "bash zsh fish"):
        assert any(line.startswith("complete") and words in line for line in lines)
    assert not any("auth-token" in line for line in lines)
