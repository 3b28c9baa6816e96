"""`pathfinder search`: finds papers."""

from pathlib import Path

from pathfinder.cli.options import SearchCommand
from pathfinder.cli.output import write_json, write_lines, write_notes
from pathfinder.cli.settings import open_pathfinder
from pathfinder.types import SearchRequest


def _search(request: SearchRequest, folder: Path | None, as_json: bool) -> None:
    """Find the papers that bear on a question, best first."""
    from pathfinder.cli.text import result_lines
    from pathfinder.export.records import search_record
    from pathfinder.retrieval.advice import weighting_advice

    result = open_pathfinder(folder).search(request)
    write_notes((*result.notes, *weighting_advice(result.candidates, request.weighting)))
    write_json(search_record(result)) if as_json else write_lines(result_lines(result))


search = SearchCommand(_search)
