#!/usr/bin/env python3
"""Find words and phrases that scripts/language.toml bans, in all text of the repository."""

import re
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

MOST_EXCEPTIONS = 20
RULES = Path(__file__).with_name("language.toml")
SUFFIXES = {
    "",
    ".py",
    ".js",
    ".mjs",
    ".md",
    ".html",
    ".css",
    ".toml",
    ".txt",
    ".cfg",
    ".yml",
    ".sh",
}
# Texts of others, and pages that are generated from checked text.
SKIPPED = re.compile(
    r"(^|/)(LICENSE[^/]*|docs/requirements\.md|bundle[^/]*\.js|[^/]*\.(bundle|min)\.js)$"
)
WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
# What may separate the words of a phrase: nothing (camel case), space, or the end of a line with
# the quotes and comment signs around it.
GAP = re.compile(r"[\s_]*|\s*[\"']?\s*\n[\s#*/<>!fr\"'-]*")


@dataclass(frozen=True)
class Finding:
    """A banned phrase and its position."""

    path: str
    line: int
    phrase: str
    text: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line} {self.phrase}: {self.text[:120]}"


@dataclass(frozen=True)
class Rules:
    """The banned phrases, by first word, patterns, and exceptions as pairs of path and phrase."""

    phrases: Mapping[str, tuple[tuple[str, ...], ...]]
    patterns: re.Pattern[str]
    allowed: frozenset[tuple[str, str]]

    def is_allowed(self, finding: Finding) -> bool:
        """Return whether an exception covers the finding."""
        return bool(self.allowed & exceptions_for(finding))


def exceptions_for(finding: Finding) -> set[tuple[str, str]]:
    """Return the exceptions that would allow a finding."""
    return {(finding.path, finding.phrase), (finding.path, "*")}


def load_rules() -> Rules:
    """Read the word list and check its exceptions."""
    content = tomllib.loads(RULES.read_text())
    exceptions = content["allowed"]
    if len(exceptions) > MOST_EXCEPTIONS:
        sys.exit(f"{RULES.name}: {len(exceptions)} exceptions, at most {MOST_EXCEPTIONS} allowed")
    if not all(exception["reason"] for exception in exceptions):
        sys.exit(f"{RULES.name}: an exception has no reason")
    phrases: dict[str, tuple[tuple[str, ...], ...]] = {}
    for phrase in content["banned"]:
        first, *rest = phrase.split()
        phrases[first] = (*phrases.get(first, ()), tuple(rest))
    patterns = re.compile("|".join(content["patterns"]))
    return Rules(
        phrases, patterns, frozenset((each["path"], each["phrase"]) for each in exceptions)
    )


def is_checked(path: str) -> bool:
    """Return whether a tracked file is text of the project."""
    return Path(path).suffix in SUFFIXES and not SKIPPED.search(path)


def find_phrases(rules: Rules, text: str) -> Iterator[tuple[int, str]]:
    """Yield position and words of each banned phrase."""
    matches = [*WORD.finditer(text)]
    # `None` is a value of Python, not a word of a banned phrase.
    words = [word if word == "None" else word.lower() for word in (m[0] for m in matches)]
    for first, word in enumerate(words):
        for rest in rules.phrases.get(word, ()):
            last = first + len(rest)
            pairs = zip(matches[first:last], matches[first + 1 : last + 1], strict=False)
            if tuple(words[first + 1 : last + 1]) == rest and all(
                GAP.fullmatch(text, before.end(), after.start()) for before, after in pairs
            ):
                yield matches[first].start(), " ".join((word, *rest))


def find_banned(rules: Rules, path: str, text: str) -> Iterator[Finding]:
    """Yield the banned phrases and patterns of one file, allowed ones included."""
    lines = text.split("\n")
    patterns = ((match.start(), match.group()) for match in rules.patterns.finditer(text))
    for position, phrase in (*patterns, *find_phrases(rules, text)):
        line = text.count("\n", 0, position)
        yield Finding(path, line + 1, phrase, lines[line].strip())


def check_texts(rules: Rules, texts: Mapping[str, str]) -> Iterator[Finding]:
    """Yield the banned phrases of all files, allowed ones included."""
    for path, text in texts.items():
        if is_checked(path):
            yield from find_banned(rules, path, text)


def read_tracked(root: Path) -> dict[str, str]:
    """Return the text of each tracked file of a working tree, by path."""
    command = ["git", "-C", str(root), "ls-files", "-z"]
    names = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("\0")
    texts: dict[str, str] = {}
    for name in filter(None, names):
        try:
            texts[name] = (root / name).read_text(encoding="utf-8")
        except (FileNotFoundError, IsADirectoryError, UnicodeDecodeError):
            continue
    return texts


def main() -> None:
    """Print every finding that no exception covers; fail if there is one."""
    rules = load_rules()
    findings = [*check_texts(rules, read_tracked(Path.cwd()))]
    refused = [finding for finding in findings if not rules.is_allowed(finding)]
    needed = {exception for finding in findings for exception in exceptions_for(finding)}
    for path, phrase in sorted(rules.allowed - needed):
        print(f"{RULES.name}: the exception for {phrase!r} in {path} is not needed")
    for finding in refused:
        print(finding)
    if refused:
        counts = Counter(finding.phrase for finding in refused)
        print(", ".join(f"{phrase} {count}" for phrase, count in counts.most_common()))
    if refused or rules.allowed - needed:
        sys.exit(f"{len(refused)} banned words or phrases")


if __name__ == "__main__":
    main()
