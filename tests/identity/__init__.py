"""Random pages and random changes: an id acts on the record it was shown for, or is refused."""
