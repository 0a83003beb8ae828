"""Read the text of a PDF file.

A separate program: ``python -P pdf_program.py``. It reads the file from standard input and writes
lines of JSON: ``{"pages": count, "title": text}``, then a string for each page that the limits
allow; or ``{"problem": "encrypted" | "broken"}``. A malicious file can only use up the time and
memory of this process.
"""

import io
import json
import sys
import time
from contextlib import suppress

MEMORY = 1024 * 1024 * 1024
"""Bytes of address space."""
SECONDS = 20.0
CHARACTERS = 2_000_000


def main() -> None:
    """Read the file and write the lines."""
    with suppress(ImportError, OSError, ValueError):  # not every system has this limit
        import resource  # noqa: PLC0415

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    # imported under the limit, and only in this process
    from pypdf import PasswordType, PdfReader  # noqa: PLC0415
    from pypdf.errors import DependencyError  # noqa: PLC0415

    try:
        reader = PdfReader(io.BytesIO(sys.stdin.buffer.read()))
        if reader.is_encrypted and reader.decrypt("") == PasswordType.NOT_DECRYPTED:
            _write({"problem": "encrypted"})
            return
        title = reader.metadata.title if reader.metadata else None
        _write({"pages": len(reader.pages), "title": title or ""})
    except DependencyError:
        _write({"problem": "encrypted"})
        return
    except Exception:  # noqa: BLE001 - pypdf raises exceptions of many types for damaged files
        _write({"problem": "broken"})
        return
    end, room = time.monotonic() + SECONDS, CHARACTERS
    for page in reader.pages:
        if time.monotonic() > end or room <= 0:
            return
        try:
            text = page.extract_text().strip()
            text = text if len(text) <= room else f"{text[:room]}…"
        except Exception:  # noqa: BLE001
            text = ""
        _write(text)
        room -= len(text)


def _write(line: object) -> None:
    sys.stdout.write(f"{json.dumps(line)}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
