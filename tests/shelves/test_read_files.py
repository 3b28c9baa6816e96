"""Files of papers on their way to a shelf: which paper of the corpus each record is."""

from pathlib import Path

from pathfinder.facade import Pathfinder
from pathfinder.facade.shelves import read_file


def test_a_paper_that_a_readers_note_names_is_not_taken_for_the_paper_of_the_note(pf: Pathfinder, tmp_path: Path):
    noted, named = (pf.corpus.papers[int(row)] for row in pf.corpus.papers.rows_of(["planck-2018-vi", "riess-2022"]))
    path = tmp_path / "papers.ris"
    lines = ["TY  - JOUR", f"TI  - {noted.title}", f"AU  - {noted.authors[0]}", f"PY  - {noted.year}"]
    own = ["N1  - rank 1", "N1  - to read", f"N1  - compare {named.bibcode}", "ER  - "]
    path.write_text("\n".join((*lines, *own)), encoding="utf-8")
    (entry,) = read_file(pf, path, "h0").shelf.papers
    assert (entry.paper_id, entry.note) == ("planck-2018-vi", f"compare {named.bibcode}")
