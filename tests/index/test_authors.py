"""Papers found by their authors, however a reader and a corpus write the names."""

import pyarrow as pa
import pytest

from pathfinder.index.authors import AuthorLists

AUTHORS = pa.chunked_array(
    [[["Massimo Della Valle", "Li, Di"], ["della Valle, M."], ["Di Matteo, T."], ["Adam ten Brink"], ["vom Stein, P."]]]
)


WRITTEN = (
    "Owusu P.T.", "Owusu PT", "Owusu, Peter T.", "Peter T. Owusu", "P. T. Owusu", "OWUSU, P", "Owusu, Jr., P. T.",
    "Đorđević, S.", "Djordjevic, S.", "Dordevic S", "Jürgen Müller", "Mueller J.", "Muller, J.", r"M{\"u}ller, J.",
    "Berg, Jan van der", "van der Berg JA", "Al-Said K", "Al Said, K.", "O’Neil, B.", "O'Neil B", "Ørsted, H.",
    "Yıldız A", "King ML Jr", "M. L. King Jr.", "Smith MA",
    "Ana Rodríguez Soler", "Rodríguez Soler, A.", "The Deep Field Collaboration", "Zand, Eva in 't",
    "John M. Poe", "A. B. C. Poe",
)  # fmt: skip


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("Owusu", range(7)),
        ("Peter Owusu", range(7)),
        ("Owusu P.T.", range(7)),
        ("Owusu, Thomas", []),
        ("Thomas Owusu", [0, 1, 2, 3, 4, 6]),
        ("Dordevic", [7, 9]),
        ("Djordjevic", [7, 8]),
        ("Müller", [10, 11, 12, 13]),
        ("Mueller", [10, 11, 13]),
        ("Muller", [10, 12, 13]),
        ("van der Berg", [14, 15]),
        ("Al-Said", [16, 17]),
        ("al said", [16, 17]),
        ("O'Neil", [18, 19]),
        ("ONeil", [18, 19]),
        ("Orsted", [20]),
        ("Yildiz", [21]),
        ("Martin King", [22, 23]),
        ("Ma", []),
        ("Rodríguez Soler", [25, 26]),
        ("Ana Rodríguez Soler", [25, 26]),
        ("Deep Field Collaboration", [27]),
        ("the Deep Field Collaboration", [27]),
        ("in 't Zand", [28]),
        ("King Jr.", [22, 23]),
        ("King, III", [22, 23]),
        ("Soler", [25]),
        ("M. Poe", []),
        ("C. Poe", []),
        ("Poe", [29, 30]),
        ("Owusu Peter", []),
        ("x" * 20_000, []),
        ("(.*", []),
        (",", []),
    ],
)
def test_a_family_name_finds_every_way_of_writing_it(name, found):
    column = pa.chunked_array([[[author] for author in WRITTEN]])
    assert AuthorLists(column).papers_by([name]).mask.nonzero()[0].tolist() == list(found)


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
    assert AuthorLists(AUTHORS).papers_by([name]).mask.nonzero()[0].tolist() == rows
