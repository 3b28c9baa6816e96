"""References between the papers in a corpus that has none."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pyarrow as pa

from pathfinder.corpus.network import open_network
from pathfinder.corpus.network.writing import write_network
from pathfinder.corpus.paper_columns import PAPER_SCHEMA, batch_of
from pathfinder.facade import Pathfinder
from pathfinder.types import Paper

REFERENCES = {1: (0,), 2: (0, 1), 3: (0, 1), 4: (2, 20), 5: (3, 4)}
"""Rows that a row of the corpus cites; row 5 also cites a work outside, which row 6 cites, too."""
OUTSIDE = {5: ("doi:10.1/elsewhere",), 6: ("doi:10.1/elsewhere",)}


def with_references(pf: Pathfinder, folder: Path, references: Mapping[int, Sequence[int]] = REFERENCES) -> Pathfinder:
    """The same open corpus with a citation network, written to a new folder."""
    ids = pf.corpus.papers.paper_ids()
    papers = [
        Paper(
            paper_id,
            "",
            "",
            references=(*(f"id:{ids[place]}" for place in references.get(row, ())), *OUTSIDE.get(row, ())),
        )
        for row, paper_id in enumerate(ids)
    ]
    write_network(pa.Table.from_batches([batch_of(papers)], schema=PAPER_SCHEMA), folder)
    return Pathfinder(replace(pf.corpus, network=open_network(folder)), pf.embedder, pf.models.extractor)
