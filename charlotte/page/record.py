"""The decorator for records of which a page has thousands.

For type checkers it is ``attrs.frozen``. At run time it does not enforce that: making a record
that is frozen takes attrs four times as long.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from attrs import frozen as record
else:
    from attrs import define as record

__all__ = ["record"]
