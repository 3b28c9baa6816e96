"""The kinds of question, and what else is said of one (arXiv:2408.01556, section 4)."""

from enum import StrEnum


class Category(StrEnum):
    """What it takes to answer a question."""

    SINGLE_PAPER = "single-paper"
    """A fact that one paper holds."""
    MULTI_PAPER = "multi-paper"
    """A summary of what several papers say."""
    CONSENSUS = "consensus"
    """A statement that each paper supports, refutes or leaves alone."""
    COMPOSITIONAL = "compositional"
    """Several questions in one, whose answers are put together."""
    WHAT_IF = "what-if"
    """What would be, if something were otherwise."""
    UNCLASSIFIED = "unclassified"


class Flag(StrEnum):
    """What holds of a question beside its category."""

    NAMED_ENTITY = "named entity"
    JARGON = "jargon"
    """Terms of the trade, or words that mean more than one thing."""
    BIBLIOMETRIC = "bibliometric"
    """It asks about papers, authors or counts."""
    TIME_SENSITIVE = "time-sensitive"
    """Its answer depends on when the papers were written."""
