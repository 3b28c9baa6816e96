"""The journal keeps all complete records, whatever happened to the last one."""

import pickle

import pytest

from pathfinder.corpus.journal import Journal, journal_key
from pathfinder.errors import CorpusError

A, B, C = (journal_key("embedder", text) for text in "abc")


@pytest.fixture
def path(tmp_path):
    with Journal(tmp_path / "journal") as journal:
        journal.append([(A, b"first"), (B, b"second")])
        journal.append([(C, b"third")])
    return tmp_path / "journal"


def test_what_was_appended_is_read_again_also_before_it_is_closed(path):
    with Journal(path) as journal:
        assert (len(journal), journal[A], journal[B], journal[C]) == (3, b"first", b"second", b"third")
        assert journal_key("embedder", "d") not in journal
        journal.append([(journal_key("d"), b"fourth")])
        assert (journal[B], journal[journal_key("d")]) == (b"second", b"fourth")
        journal.append([(A, b"anew")])
    with Journal(path) as journal:
        assert (journal[A], journal[journal_key("d")], len(journal)) == (b"anew", b"fourth", 4)


def test_wherever_it_is_torn_the_records_before_it_stay(path):
    whole = path.read_bytes()
    # Key, length, payload and checksum of "third" take up 16 + 4 + 5 + 4 bytes.
    start_of_third = len(whole) - 29
    for length in range(start_of_third, len(whole)):
        path.write_bytes(whole[:length])
        with Journal(path) as journal:
            assert (journal[A], journal[B], C in journal) == (b"first", b"second", False)
            journal.append([(C, b"third")])
        assert path.read_bytes() == whole


def test_a_tail_of_zeros_left_by_a_power_cut_is_dropped(path):
    whole = path.read_bytes()
    path.write_bytes(whole + bytes(1000))
    with Journal(path) as journal:
        assert len(journal) == 3
    assert path.read_bytes() == whole


def test_an_altered_record_ends_what_is_believed(path):
    content = bytearray(path.read_bytes())
    content[content.index(b"second")] ^= 1
    path.write_bytes(content)
    with Journal(path) as journal:
        assert (A in journal, B in journal, C in journal) == (True, False, False)


@pytest.mark.parametrize("length", range(22))
def test_a_journal_torn_at_its_birth_begins_again(path, length):
    path.write_bytes(path.read_bytes()[:length])
    with Journal(path) as journal:
        assert len(journal) == 0
        journal.append([(A, b"first")])
    with Journal(path) as journal:
        assert journal[A] == b"first"


@pytest.mark.parametrize("content", [b"someone's notes", pickle.dumps({A: b"first"}), bytes(64)])
def test_another_file_is_not_touched(tmp_path, content):
    (tmp_path / "journal").write_bytes(content)
    with pytest.raises(CorpusError, match="is not a journal of this version of Pathfinder: remove it"):
        Journal(tmp_path / "journal")
    assert (tmp_path / "journal").read_bytes() == content


def test_keys_keep_the_parts_of_a_name_apart():
    assert journal_key("ab", "c") != journal_key("a", "bc")
    assert len(journal_key("a lone surrogate \ud800")) == 16


def test_two_never_write_to_one_journal_at_a_time(tmp_path):
    with Journal(tmp_path / "journal") as first:
        with pytest.raises(CorpusError, match="in use by another run"):
            Journal(tmp_path / "journal")
        first.append([(journal_key("dust"), b"vector")])
    with Journal(tmp_path / "journal") as second:
        assert second[journal_key("dust")] == b"vector"
