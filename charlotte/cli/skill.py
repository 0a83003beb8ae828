"""``charlotte skill``: a skill for coding agents that use a shell."""

from importlib.resources import files

from charlotte.cli.invocation import ANSWERED, Invocation

FILE = "SKILL.md"


def read_skill() -> str:
    """Return the skill: Markdown with its name and description in front."""
    return files("charlotte.cli").joinpath(FILE).read_text(encoding="utf-8")


async def run(invocation: Invocation) -> int:
    """Print the skill."""
    invocation.write(read_skill().rstrip("\n"))
    return ANSWERED
