"""A limit of open tabs that several sessions share."""

import attrs

from charlotte.base.errors import BudgetExceeded


@attrs.frozen
class TabBudget:
    """A limit of open tabs, and the tabs that the other sessions with the same limit have open."""

    limit: int
    others: int

    def find_refusal(self, own: int) -> BudgetExceeded | None:
        """Return the refusal of one more tab for a session with ``own`` tabs; None if it may open.

        Tabs that are being opened count.
        """
        used = own + self.others
        if used < self.limit:
            return None
        return BudgetExceeded(
            f"The budget of {self.limit} open tabs is used up: this session has {own}, "
            f"your other sessions have {self.others}.",
            "Close tabs that are no longer needed with tab_close, or load the page in an open tab "
            "with navigate.",
            {"budget": "tabs", "limit": self.limit, "used": used},
        )
