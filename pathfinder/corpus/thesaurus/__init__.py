"""A thesaurus: the concepts of a field, their synonyms, and their broader and narrower concepts."""

from pathfinder.corpus.thesaurus.concepts import Concept, Thesaurus, key_of, open_thesaurus, write_thesaurus
from pathfinder.corpus.thesaurus.thesaurus_file import ThesaurusFile, read_thesaurus

__all__ = [
    "Concept",
    "Thesaurus",
    "ThesaurusFile",
    "key_of",
    "open_thesaurus",
    "read_thesaurus",
    "write_thesaurus",
]
