"""The full texts of a corpus: a file for each text, in a folder next to the parts, and a part that lists them.

A text belongs to a paper, not to a version of the corpus: an update keeps it, and so does a rollback. The text of a
removed paper is kept, hidden, as long as the earlier version has the paper, so that a rollback brings it back too.
"""

from pathfinder.fulltext.store.changes import NewText, add, remove, sweep
from pathfinder.fulltext.store.full_texts import FullTexts, full_texts_record
from pathfinder.fulltext.store.list_file import ROLE, StoredText

__all__ = ["ROLE", "FullTexts", "NewText", "StoredText", "add", "full_texts_record", "remove", "sweep"]
