"""Adds files to a corpus as the full texts of its papers: read in another process -> matched to a paper -> stored."""

from pathfinder.fulltext.adding.files import add_files, files_in
from pathfinder.fulltext.adding.matching import PaperMatch, match_paper
from pathfinder.fulltext.adding.outcomes import FileOutcome, outcomes_record

__all__ = ["FileOutcome", "PaperMatch", "add_files", "files_in", "match_paper", "outcomes_record"]
