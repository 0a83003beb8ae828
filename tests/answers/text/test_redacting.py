"""Secrets are hidden before texts are cut."""

from charlotte.answers.text.outline import redact_outline
from tests.answers.text.outlines import changes, control, head, outline, row

HIDDEN = "correct horse battery staple"


def redact(text: str) -> str:
    return text.replace(HIDDEN, "<secret>")


def test_every_text_of_an_outline_is_redacted() -> None:
    page = outline(
        head(f'[group "{HIDDEN}"]'),
        f"It is {HIDDEN}.",
        row(HIDDEN, control("btn-1", f"Copy {HIDDEN}", title=HIDDEN)),
        control("inp-1", "Key", value=HIDDEN),
    )
    redacted = redact_outline(page, redact)
    assert [line.text for line in redacted.lines] == [
        '[group "<secret>"]',
        "It is <secret>.",
        '| <secret> | btn-1 "Copy <secret>" [title "<secret>"]',
        'inp-1 "Key" [= "<secret>"]',
    ]


def test_no_part_of_a_secret_is_in_a_change_that_is_cut() -> None:
    start = "The words of this text are many, and the longest of them all are in its middle: "
    for length in range(len(start)):
        text = f"{start[length:]}{HIDDEN}{start * 2}"
        pages = (
            outline("Start", control("inp-1", "Key")),
            outline("Start", text, control("inp-1", "Key", value=text)),
        )
        old, new = (redact_outline(page, redact) for page in pages)
        written = "\n".join([*changes(old, new), *changes(new, old)])
        assert not any(word in written for word in HIDDEN.split())
