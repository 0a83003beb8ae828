"""The client of the background server.

Each command pays for the imports, so they are the standard library and the version of Charlotte.

The server is an HTTP server on a Unix socket. A command is a POST with a JSON object to
`charlotte.shell.place.COMMANDS`, with ``Expect: 100-continue``: a connection that ends before the
server asks for the object has changed nothing. Closing the connection cancels the work.
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
