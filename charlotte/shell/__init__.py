"""The client of the background server.

Each command pays for the imports, so they are the standard library and the version of Charlotte.

The server listens on a Unix socket, and takes one request on each connection: a JSON object as a
line. Its answer follows: a JSON object for commands, a pickled outcome for calls of programs, which
both show by themselves whether they are complete. Closing the connection cancels the work.
"""

_COMMANDS = {"do", "ps", "stop"}


def before_dashes(words: list[str]) -> list[str]:
    """Return the words before ``--``, after which no word is an option."""
    return words[: words.index("--")] if "--" in words else words


def is_command(words: list[str]) -> bool:
    """Return whether a command line is for the server, and not a request for help."""
    given = before_dashes(words)
    is_help = given == ["do"] or not {"-h", "--help"}.isdisjoint(given)
    return bool(given) and given[0] in _COMMANDS and not is_help
