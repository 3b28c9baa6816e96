"""Categories and flags of questions (arXiv:2408.01556, section 4)."""

from enum import StrEnum


class Category(StrEnum):
    """Kind of question, by what is needed to answer it."""

    SINGLE_PAPER = "single-paper"
    """A fact stated in a single paper."""
    MULTI_PAPER = "multi-paper"
    """A summary of what several papers say."""
    CONSENSUS = "consensus"
    """A statement that papers support, refute or leave open."""
    COMPOSITIONAL = "compositional"
    """Several questions in one, whose answers have to be combined."""
    WHAT_IF = "what-if"
    """A hypothetical: how things would be under other conditions."""
    UNCLASSIFIED = "unclassified"


class Flag(StrEnum):
    """Property that a question can have in any category."""

    NAMED_ENTITY = "named entity"
    """It names an object, a telescope, a survey or a person."""
    JARGON = "jargon"
    """It uses technical terms, or words with several meanings."""
    BIBLIOMETRIC = "bibliometric"
    """It asks about papers, authors or counts."""
    TIME_SENSITIVE = "time-sensitive"
    """Its answer depends on when the papers were written."""
