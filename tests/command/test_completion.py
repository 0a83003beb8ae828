"""``charlotte completion``: what shells complete."""

import subprocess

import pytest

from charlotte.command.completion import USAGE, completion

COMMANDS = ("serve", "call", "completion")


def script(shell: str) -> str:
    said: list[str] = []
    assert completion([shell], COMMANDS, said.append) == 0
    return "\n".join(said)


def completed(*words: str) -> list[str]:
    """What bash offers for the last word."""
    line = " ".join(f"'{word}'" for word in ("charlotte", *words))
    asked = f"COMP_WORDS=({line}); COMP_CWORD={len(words)}; _charlotte; echo ${{COMPREPLY[@]}}"
    done = subprocess.run(  # noqa: S603 - it is our own script
        ["bash", "--norc", "-uc", f"{script('bash')}\n{asked}"],  # noqa: S607
        capture_output=True,
        text=True,
        timeout=10,
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


def test_zsh_takes_the_words_of_bash() -> None:
    first, rest = script("zsh").split("\n", 1)
    assert "bashcompinit" in first
    assert rest == script("bash")


def test_fish_is_told_each_flag_with_what_follows_it() -> None:
    lines = script("fish").splitlines()
    assert "complete -c charlotte -n __fish_use_subcommand -f -a 'serve call completion'" in lines
    assert "complete -c charlotte -l sandbox -x -a 'auto on off'" in lines
    assert "complete -c charlotte -l headed" in lines
    assert "complete -c charlotte -l root -r -F" in lines
    assert not any("auth-token" in line for line in lines)


@pytest.mark.parametrize("words", [[], ["csh"], ["bash", "zsh"]])
def test_another_shell_is_told_which_there_are(words: list[str]) -> None:
    said: list[str] = []
    assert completion(words, COMMANDS, said.append) == 2
    assert said == [USAGE]
