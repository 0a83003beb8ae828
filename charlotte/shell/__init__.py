"""The client of the background server: only the standard library, because each command pays it.

Nothing here imports the rest of Charlotte but its version. Protocol: a client connects to the Unix
socket and sends one message, which is JSON behind its length (four bytes, big endian). The server
answers ``{"accepted": true}`` and, when the work is done, one more message. A connection that ends
before the first answer has changed nothing. Closing the connection cancels the work.
"""


def is_command(words: list[str]) -> bool:
    """Return whether a command line is for the server, and not a question for help."""
    given = words[: words.index("--")] if "--" in words else words
    is_help = given == ["do"] or not {"-h", "--help"}.isdisjoint(given)
    return bool(given) and given[0] in {"do", "ps", "stop"} and not is_help
