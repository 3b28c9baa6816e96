"""The hash of code, which changes with the code and with nothing else."""

import pytest

from pathfinder.corpus import source_hash as hashing
from pathfinder.corpus.source_hash import source_hash

CODE = "from made.up import LIMIT\n\n\ndef f(x):\n    return x < LIMIT\n"
UP = "LIMIT = 3\n"
OUTSIDE = "from elsewhere import BIG\n"


@pytest.fixture
def hash_of(monkeypatch):
    """Hash the module `made.it`, which imports `made.up`; both are invented."""

    def make(code, up=UP):
        sources = {"made.it": code, "made.up": up, "elsewhere": "BIG = 1\n"}
        monkeypatch.setattr(hashing, "import_module", lambda name: name)
        monkeypatch.setattr(hashing, "getsource", sources.__getitem__)
        for function in (source_hash, hashing._parse):
            function.cache_clear()
        return source_hash("made.it", ("made",))

    yield make
    for function in (source_hash, hashing._parse):
        function.cache_clear()


@pytest.mark.parametrize(
    "same",
    [
        '"""A module."""\n' + CODE,
        CODE.replace("    return", '    """Compare."""\n    # why\n    return'),
        CODE.replace("x < LIMIT", "(x<LIMIT)"),
    ],
)
def test_comments_docstrings_and_layout_do_not_count(hash_of, same):
    assert hash_of(same) == hash_of(CODE)


def test_code_counts_also_where_it_is_imported_from(hash_of):
    assert len({hash_of(CODE), hash_of(CODE.replace("<", "<=")), hash_of(CODE, "LIMIT = 4\n")}) == 3


def test_modules_of_other_rooms_do_not_count_but_for_their_names(hash_of):
    assert hash_of(OUTSIDE + CODE) != hash_of(CODE)
    assert hash_of(OUTSIDE + CODE, UP) == hash_of(OUTSIDE + CODE, UP)
