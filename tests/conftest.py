"""What holds for all tests: a slow machine is no failure, so Hypothesis sets no deadlines."""

from hypothesis import settings

settings.register_profile("charlotte", deadline=None)
settings.load_profile("charlotte")
