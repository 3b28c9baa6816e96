"""The owner's token: made once, for one user, and never guessed from what is not there."""

import pytest

from pathfinder.errors import StoreError
from pathfinder.user_data.owner import FILE, is_owner_token, owner_link, owner_token


@pytest.fixture(autouse=True)
def _another_process():
    owner_token.cache_clear()
    yield
    owner_token.cache_clear()


def test_the_token_is_made_once_and_only_its_user_reads_it(tmp_path):
    token = owner_token(tmp_path / "data")
    owner_token.cache_clear()
    assert owner_token(tmp_path / "data") == token
    assert (tmp_path / "data" / FILE).stat().st_mode & 0o777 == 0o600
    assert [path.name for path in (tmp_path / "data").iterdir()] == [FILE]
    assert owner_link("::1", 8501, tmp_path / "data") == f"http://[::1]:8501/?owner={token}"
    assert is_owner_token(token, tmp_path / "data")
    assert not any(is_owner_token(text, tmp_path / "data") for text in ("", token[:-1], "é", f"{token} "))


@pytest.mark.parametrize("content", ["", "short"])
def test_where_there_is_no_token_nobody_is_the_owner(tmp_path, content):
    (tmp_path / FILE).write_text(content)
    with pytest.raises(StoreError, match="holds no token"):
        owner_token(tmp_path)
    assert not is_owner_token(content, tmp_path)
    in_the_way = tmp_path / "file"
    in_the_way.write_text("")
    assert not is_owner_token("", in_the_way)
