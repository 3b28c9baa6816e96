import pytest

from pathfinder.errors import ProviderError
from pathfinder.models.gguf_chat import GgufFile, read_gguf
from tests.models.gguf import ENTRIES, model_file


def refusal(path):
    with pytest.raises(ProviderError) as raised:
        read_gguf(path)
    return str(raised.value)


def test_the_head_of_a_model_file_says_what_it_is(tmp_path):
    path = model_file(tmp_path)
    assert read_gguf(path) == GgufFile(path, path.stat().st_size, "llama", 8192)


def test_a_model_that_does_not_say_how_much_it_reads_is_read(tmp_path):
    path = model_file(tmp_path, entries={"general.architecture": "llama"})
    assert read_gguf(path).context_tokens is None


def test_a_missing_file_a_folder_and_a_file_of_another_kind_are_refused_by_name(tmp_path):
    other = tmp_path / "paper.pdf"
    other.write_bytes(b"%PDF-1.7")
    assert refusal(tmp_path / "none.gguf").startswith(
        f"there is no model file {tmp_path / 'none.gguf'}: check the path"
    )
    assert refusal(tmp_path).startswith(f"{tmp_path} is a folder: set PATHFINDER_CHAT_MODEL")
    assert refusal(other).startswith(f"{other} is no GGUF file")
    other.write_bytes(b"")
    assert "is no GGUF file" in refusal(other)


def test_a_file_of_the_first_version_is_refused_with_the_versions_that_are_read(tmp_path):
    assert "is in version 1 of GGUF, but only versions 2 and 3 can be read" in refusal(model_file(tmp_path, version=1))


def test_a_file_that_is_cut_off_in_its_head_is_refused_wherever_it_is_cut(tmp_path):
    path = model_file(tmp_path, n_data=0)
    whole = path.read_bytes()
    for n_bytes in range(4, len(whole) - 1, 7):
        path.write_bytes(whole[:n_bytes])
        assert f"cut off or damaged: its {n_bytes:,} bytes end before its list of tensors" in refusal(path)


def test_a_file_that_is_cut_off_before_its_last_tensor_is_refused_with_both_places(tmp_path):
    # The tensor begins 32 bytes behind the head, and 10 are there.
    path = model_file(tmp_path, n_data=10)
    n_bytes = path.stat().st_size
    assert refusal(path).startswith(
        f"{path} is cut off: it has {n_bytes} bytes, and its last tensor begins at byte {n_bytes - 10 + 32} or later"
    )


def test_a_length_beyond_reason_is_damage_and_is_not_read(tmp_path):
    path = model_file(tmp_path, entries={"general.name": "x", **ENTRIES})
    content = bytearray(path.read_bytes())
    content[24:32] = (2**60).to_bytes(8, "little")
    path.write_bytes(content)
    assert "cut off or damaged" in refusal(path)
