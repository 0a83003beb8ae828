"""Points in what the monitors of a tab write down."""

import attrs


@attrs.frozen
class Moment:
    """How many messages, and how many requests that failed, a tab's monitors had written down."""

    messages: int = 0
    failures: int = 0

    def later(self, other: "Moment") -> "Moment":
        """Return the later of two moments."""
        return Moment(max(self.messages, other.messages), max(self.failures, other.failures))
