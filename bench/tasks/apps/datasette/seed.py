"""Fill the database: 1,200 arrivals in 10 ports."""

import os
import random
import sqlite3

FILE = os.environ["TASKS_DATA"] + "/harbour.db"
PORTS = ("Bergen", "Brest", "Cork", "Genoa", "Gdynia", "Hull", "Kiel", "Lisbon", "Malmo", "Oslo")
KINDS = ("ferry", "tanker", "trawler", "yacht", "tug")
FIRST = ("Silent", "Blue", "Low", "Northern", "Lost", "Winter", "Broken", "Golden")
SECOND = ("Tide", "Lantern", "Harbour", "Compass", "Anchor", "Island", "Signal", "Voyage")
ROWS = 1200
SEED = 19


def fill() -> None:
    """Create the table."""
    choose = random.Random(SEED)  # noqa: S311 - data, not secrets
    with sqlite3.connect(FILE) as db:
        db.execute(
            "create table arrivals (id integer primary key, ship text, kind text, port text,"
            " crew integer, tons integer, day text)"
        )
        for number in range(1, ROWS + 1):
            db.execute(
                "insert into arrivals values (?, ?, ?, ?, ?, ?, ?)",
                (
                    number,
                    f"{choose.choice(FIRST)} {choose.choice(SECOND)} {number}",
                    choose.choice(KINDS),
                    choose.choice(PORTS),
                    choose.randrange(2, 60),
                    choose.randrange(50, 90_000),
                    f"2026-{choose.randrange(1, 13):02}-{choose.randrange(1, 29):02}",
                ),
            )


if __name__ == "__main__":
    fill()
