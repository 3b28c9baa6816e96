"""A visitor without a browser."""

from collections.abc import Mapping

from pathfinder.user_data import Kind, Records


class MadeVisit:
    """One tab of a visitor."""

    def __init__(self, records: Mapping[str, Records] | None = None) -> None:
        self._records = dict(records or {})

    def records(self, kind: Kind) -> Records:
        return self._records.get(kind.table, Records())

    def keep(self, kind: Kind, records: Records) -> None:
        self._records[kind.table] = records

    def tab(self) -> "MadeVisit":
        """Another tab that knows what this one does."""
        return MadeVisit(self._records)
