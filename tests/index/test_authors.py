"""Papers found by their authors, however a reader and a corpus write the names."""

import pyarrow as pa
import pytest

from pathfinder.index.authors import papers_by

AUTHORS = pa.chunked_array(
    [[["Massimo Della Valle", "Li, Di"], ["della Valle, M."], ["Di Matteo, T."], ["Adam ten Brink"], ["vom Stein, P."]]]
)


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("Massimo della Valle", [0, 1]),
        ("Della Valle", [0, 1]),
        ("della Valle", [0, 1]),
        ("Di Matteo", [2]),
        ("Di Li", [0]),
        ("Adam ten Brink", [3]),
        ("ten Brink, A.", [3]),
        ("^Peter vom Stein", [4]),
        ("Stein", []),
    ],
)
def test_a_family_name_begins_at_its_particles(name, rows):
    assert papers_by(AUTHORS, [name]).mask.nonzero()[0].tolist() == rows
