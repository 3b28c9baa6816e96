"""The outcome of adding a file to a corpus, and the outcomes of many files as JSON."""

from collections.abc import Iterable
from dataclasses import dataclass

from pathfinder.export.plain_json import JsonObject
from pathfinder.fulltext.adding.matching import PaperMatch
from pathfinder.fulltext.document import TextFormat


@dataclass(frozen=True, slots=True)
class FileOutcome:
    """The outcome for a file: its text was added, was already stored, or was rejected."""

    file: str
    """Path of the file, or its address."""
    match: PaperMatch | None = None
    """Paper to which the file belongs; `None` if no such paper was found."""
    format: TextFormat | None = None
    """Format from which the file's text was read; `None` if the text was not added."""
    replaced_format: TextFormat | None = None
    """Format of the earlier text that the file's text replaced; `None` if there was none."""
    reason: str | None = None
    """Reason why the file was rejected; `None` if it was not."""
    warnings: tuple[str, ...] = ()
    """Parts of the added text that could not be read, such as pages or the reference list."""


def outcomes_record(outcomes: Iterable[FileOutcome]) -> JsonObject:
    """Return {"added": [{"file", "paper_id", "road", "replaced", "warnings"}], "matched": [{"file", "paper_id", "by"}],
    "rejected": [{"file", "reason"}]}.

    "matched" lists every file whose paper was found. A file that is neither added nor rejected was already stored.
    """
    outcome_list = list(outcomes)
    return {
        "added": [
            {
                "file": each.file,
                "paper_id": each.match.paper_id,
                "road": each.format,
                "replaced": each.replaced_format,
                "warnings": list(each.warnings),
            }
            for each in outcome_list
            if each.match and each.format
        ],
        "matched": [
            {"file": each.file, "paper_id": each.match.paper_id, "by": each.match.by}
            for each in outcome_list
            if each.match
        ],
        "rejected": [{"file": each.file, "reason": each.reason} for each in outcome_list if each.reason],
    }
