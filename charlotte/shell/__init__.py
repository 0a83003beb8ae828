"""The client of the background server.

Each command pays for the imports, so they are the standard library and the version of Charlotte.

Protocol: a client connects to the Unix socket and sends one message, which is JSON behind its
length (four bytes, big endian). The server answers ``{"accepted": true}`` and, when the work is
done, one more message. A connection that ends before the first answer has changed nothing. Closing
the connection cancels the work.
"""

COMMANDS = {"do", "ps", "stop"}


def before_dashes(words: list[str]) -> list[str]:
    """Return the words before ``--``, after which no word is an option."""
    return words[: words.index("--")] if "--" in words else words


def is_command(words: list[str]) -> bool:
    """Return whether a command line is for the server, and not a request for help."""
    given = before_dashes(words)
    is_help = given == ["do"] or not {"-h", "--help"}.isdisjoint(given)
    return bool(given) and given[0] in COMMANDS and not is_help
