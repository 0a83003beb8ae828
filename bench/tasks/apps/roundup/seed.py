"""Fill the tracker: 60 issues, 6 keywords, 3 users."""

import os
import random
from pathlib import Path

from roundup import instance, password
from roundup.admin import AdminTool

HOME = os.environ["TASKS_DATA"] + "/tracker"
WORDS = ("Crash", "Slow answer", "Wrong total", "Missing page", "Broken link", "Lost mail")
PLACES = ("at the pier", "in the report", "after login", "on the map", "in the search")
KEYWORDS = ("backend", "frontend", "printing", "maps", "mail", "security")
PASSWORD = "harbour-light-9"  # noqa: S105 - no secret
ISSUES = 60
SEED = 19


def install() -> None:
    """Create the tracker from the classic template."""
    options = {
        "tracker_web": "http://127.0.0.1:1/tracker/",
        "mail_domain": "example.org",
        "mail_debug": "mail",
        "mail_host": "127.0.0.1",
    }
    pairs = ",".join(f"{name}={value}" for name, value in options.items())
    AdminTool().do_install(HOME, ["install", "classic", "sqlite", pairs])
    tracker = instance.open(HOME)
    tracker.init(password.Password(PASSWORD, config=tracker.config))


def fill() -> None:
    """Add the records."""
    choose = random.Random(SEED)  # noqa: S311 - data, not secrets
    tracker = instance.open(HOME)
    db = tracker.open("admin")
    for name in ("ada", "bo"):
        secret = password.Password(PASSWORD, config=db.config)
        db.user.create(username=name, password=secret, address=f"{name}@example.org", roles="User")
    for name in KEYWORDS:
        db.keyword.create(name=name)
    for number in range(1, ISSUES + 1):
        db.issue.create(
            title=f"{choose.choice(WORDS)} {choose.choice(PLACES)} ({number})",
            priority=choose.choice(db.priority.list()),
            status=choose.choice(db.status.list()),
            keyword=[choose.choice(db.keyword.list())],
        )
    db.commit()
    db.close()


if __name__ == "__main__":
    Path(HOME).mkdir()
    install()
    fill()
