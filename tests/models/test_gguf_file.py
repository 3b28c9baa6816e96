import pytest

from pathfinder.errors import ProviderError
from pathfinder.models.gguf_chat import read_context
from tests.models.gguf import ENTRIES, entry, model_file


def test_the_head_of_a_model_file_says_how_much_the_model_reads(tmp_path):
    assert read_context(model_file(tmp_path)) == 8192
    assert read_context(model_file(tmp_path, entries={"general.architecture": "llama"})) is None


def test_a_length_of_64_bits_is_read_as_one(tmp_path):
    path = model_file(tmp_path)
    of_32, value = entry("llama.context_length", 8192), (8192).to_bytes(8, "little")
    path.write_bytes(path.read_bytes().replace(of_32, of_32[:-8] + b"\x0a\0\0\0" + value))
    assert read_context(path) == 8192


def test_a_file_that_is_damaged_after_its_beginning_is_left_to_llama_cpp(tmp_path):
    path = model_file(tmp_path, entries={"general.name": "x", **ENTRIES})
    path.write_bytes(path.read_bytes()[:40])
    assert read_context(path) is None


def test_a_missing_file_a_folder_and_a_file_of_another_kind_are_refused_by_name(tmp_path):
    other = tmp_path / "paper.pdf"
    for content in (b"%PDF-1.7", b""):
        other.write_bytes(content)
        for path in (tmp_path / "none.gguf", tmp_path, other):
            with pytest.raises(ProviderError, match=path.name):
                read_context(path)
