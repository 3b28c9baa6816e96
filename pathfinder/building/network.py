"""The citation network as a part of a corpus."""

import pyarrow as pa

from pathfinder.building.tools import Tools
from pathfinder.corpus.network.writing import has_references, write_network
from pathfinder.corpus.parts import CorpusFile

NO_REFERENCES = (
    "none of its papers lists references: build from a source that lists them, such as openalex:, crossref: or a file "
    "exported from ADS"
)


def network_part(tools: Tools, table: pa.Table) -> CorpusFile | str:
    """Make the citation network of all papers in `table`; return the reason if no paper lists references."""
    if not has_references(table):
        return NO_REFERENCES
    tools.progress.start("linking references", None)
    part = tools.make_part("network", "network", lambda folder: write_network(table, folder))
    tools.progress.finish()
    return part
