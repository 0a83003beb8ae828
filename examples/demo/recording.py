"""A recording of the demo: an animated SVG of its output, each line at the time it was printed.

``python -m examples.demo.recording FILE`` runs the demo and writes FILE.
"""

import subprocess
import sys
from collections.abc import Sequence
from html import escape
from pathlib import Path
from time import monotonic

import attrs

_COMMAND = "make run"
_PAUSE = 6.0
"""Seconds for which the complete output is shown before the animation starts again."""
_FONT_SIZE, _LINE_HEIGHT, _MARGIN = 13, 18, 16
_CHARACTER_WIDTH = 7.85
_FAINT = "#8b949e"


@attrs.frozen
class Line:
    """A line of output and when it was printed, in seconds since the start."""

    text: str
    seconds: float


def record(command: Sequence[str]) -> list[Line]:
    """Run the demo, which ends by itself, and return its output; raise if a check failed."""
    started = monotonic()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603
        output = process.stdout or ()
        lines = [Line(line.rstrip("\n"), monotonic() - started) for line in output]
    if process.returncode:
        raise SystemExit("The demo failed:\n" + "\n".join(line.text for line in lines))
    return lines


def draw(lines: Sequence[Line]) -> str:
    """Return an SVG in which each line appears at its time; the animation repeats."""
    shown = [Line(f"$ {_COMMAND}", 0), *lines]
    duration = shown[-1].seconds + _PAUSE
    width = round(max(len(line.text) for line in shown) * _CHARACTER_WIDTH) + 2 * _MARGIN
    height = len(shown) * _LINE_HEIGHT + 2 * _MARGIN
    styles = [
        f"text{{font:{_FONT_SIZE}px ui-monospace,Menlo,monospace;fill:#e6edf3;white-space:pre}}",
        *(_appear(number, line.seconds / duration) for number, line in enumerate(shown)),
        # A reader who has asked for less motion sees the complete output.
        "@media (prefers-reduced-motion:reduce){text{animation:none!important}}",
    ]
    texts = [
        f'<text x="{_MARGIN}" y="{_MARGIN + (number + 1) * _LINE_HEIGHT - 5}" xml:space="preserve"'
        f' textLength="{len(line.text) * _CHARACTER_WIDTH:.0f}"'
        f' style="animation:l{number} {duration:.2f}s infinite{_colour(line)}">'
        f"{escape(line.text)}</text>"
        for number, line in enumerate(shown)
    ]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">',
            "<title>Output of make run, at its real speed</title>",
            f"<style>{''.join(styles)}</style>",
            f'<rect width="{width}" height="{height}" rx="8" fill="#0d1117"/>',
            *texts,
            "</svg>\n",
        ]
    )


def _appear(number: int, share: float) -> str:
    """Return the animation of a line that appears after a share of the duration."""
    start, end = f"{100 * share:.2f}%", f"{100 * share + 0.01:.2f}%"
    return f"@keyframes l{number}{{0%,{start}{{opacity:0}}{end},100%{{opacity:1}}}}"


def _colour(line: Line) -> str:
    return f";fill:{_FAINT}" if line.text.startswith(("$", "─", "/")) else ""


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(draw(record([sys.executable, "-m", "examples.demo"])))
