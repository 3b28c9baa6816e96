"""Corpora of visitors to a public page: who finds them again, and when they are deleted."""

import os
import re
from pathlib import Path

import pytest

from pathfinder.corpus.manifest import MANIFEST_NAME
from pathfinder.errors import UsageError
from pathfinder.ui.shared import visitors

DAY = 24 * 3600.0


def plant_corpus(home: Path, key: str, name: str = "stars") -> Path:
    corpus = visitors.new_place(name, key, home)
    corpus.mkdir(parents=True)
    (corpus / MANIFEST_NAME).write_text("{}", encoding="utf-8")
    return corpus


def test_a_key_finds_the_corpora_that_were_built_with_it_and_no_others(tmp_path: Path) -> None:
    mine, theirs = visitors.new_key(), visitors.new_key()
    first, second = plant_corpus(tmp_path, mine, "b"), plant_corpus(tmp_path, mine, "a")
    other = plant_corpus(tmp_path, theirs)
    assert visitors.corpora_in(visitors.folder_of(mine, tmp_path)) == (second, first)
    assert set(visitors.all_corpora(tmp_path)) == {first, second, other}
    assert mine not in str(first)


@pytest.mark.parametrize("key", ["../..", "/etc", "a/b", "", "x" * 10_000, "\x00"])
def test_no_key_leads_out_of_the_folder(key: str, tmp_path: Path) -> None:
    folder = visitors.folder_of(key, tmp_path)
    assert folder.parent == tmp_path / visitors.FOLDER
    assert re.fullmatch("[0-9a-f]{32}", folder.name)


def test_a_visitor_has_so_many_corpora_and_all_visitors_so_much_space(tmp_path: Path) -> None:
    plant_corpus(tmp_path, "mine", "a")
    visitors.check_number("mine", tmp_path, 2)
    corpus = plant_corpus(tmp_path, "mine", "b")
    with pytest.raises(UsageError, match="you have 2 libraries here, and a visitor may have at most 2: add to one"):
        visitors.check_number("mine", tmp_path, 2)
    visitors.check_number("theirs", tmp_path, 2)
    (corpus / "papers").write_bytes(b"x" * 1000)
    visitors.check_space(tmp_path, 1.0)
    with pytest.raises(UsageError, match=r"0\.0.*1e-06"):
        visitors.check_space(tmp_path, 1e-6)


def test_a_link_names_a_corpus_by_what_nobody_can_guess(tmp_path: Path) -> None:
    corpus = plant_corpus(tmp_path, "key")
    name = visitors.link_name(corpus, tmp_path)
    assert name is not None
    assert re.fullmatch("stars-[0-9a-f]{32}", name)
    assert visitors.corpus_at(name, tmp_path) == corpus
    for guess in ("stars", f"stars-{'0' * 32}", f"stars-{'*' * 32}", f"../stars-{corpus.parent.name}"):
        assert visitors.corpus_at(guess, tmp_path) is None
    assert visitors.link_name(tmp_path / "of-the-owner", tmp_path) is None


def test_a_corpus_that_nobody_opens_is_deleted_with_its_sources(tmp_path: Path) -> None:
    old, used = plant_corpus(tmp_path, "mine", "old"), plant_corpus(tmp_path, "mine", "used")
    (old.parent / ".old.sources").mkdir()
    now = old.parent.stat().st_mtime
    for path in (old, old.parent / ".old.sources", old.parent, used, used.parent):
        os.utime(path, (now - 31 * DAY, now - 31 * DAY))
    visitors.note_use(used, tmp_path)
    assert set(visitors.remove_unused(tmp_path, 30, now)) == {old, old.parent / ".old.sources"}
    assert (old.parent.exists(), used.is_dir()) == (False, True)
    assert visitors.remove_unused(tmp_path / "nowhere", 30, now) == ()
