"""Ordinals and lists in English."""


def ordinal(rank: int) -> str:
    """Return "1st", "2nd", "3rd", "4th" ... "11th"."""
    suffix = "th" if 10 <= rank % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(rank % 10, "th")
    return f"{rank:,}{suffix}"


def listed(names: tuple[str, ...]) -> str:
    """Return "one, two and three"."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
