"""The settings of a process: read when they are first needed, and again when the operator changes them."""

from pathlib import Path

import pytest

from pathfinder.errors import UsageError
from pathfinder.settings import EnvironmentSettings, Settings, read_settings


class BearSettings(EnvironmentSettings):
    bear_paws: int = 4


def test_settings_are_read_again_only_when_the_environment_has_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATHFINDER_CHAT_TIMEOUT_SECONDS", "5")
    first = read_settings()
    assert read_settings() is first
    monkeypatch.setenv("PATHFINDER_CHAT_TIMEOUT_SECONDS", "7")
    assert (first.chat_timeout_seconds, read_settings().chat_timeout_seconds) == (5.0, 7.0)


def test_settings_follow_the_env_file_as_it_is_written_changed_and_deleted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PATHFINDER_CHAT_TIMEOUT_SECONDS", raising=False)
    monkeypatch.chdir(tmp_path)
    usual, file = read_settings().chat_timeout_seconds, tmp_path / ".env"
    file.write_text("PATHFINDER_CHAT_TIMEOUT_SECONDS=5")
    assert read_settings().chat_timeout_seconds == 5.0
    file.write_text("PATHFINDER_CHAT_TIMEOUT_SECONDS=17")
    assert read_settings().chat_timeout_seconds == 17.0
    file.unlink()
    assert read_settings().chat_timeout_seconds == usual != 17.0


def test_a_package_has_settings_of_its_own_in_the_same_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert read_settings(BearSettings).bear_paws == 4
    (tmp_path / ".env").write_text("PATHFINDER_BEAR_PAWS=2")
    assert read_settings(BearSettings).bear_paws == 2
    monkeypatch.setenv("PATHFINDER_BEAR_PAWS", "many")
    with pytest.raises(UsageError, match="bear_paws"):
        read_settings(BearSettings)
    assert read_settings().plugins == "on"


def test_an_invalid_setting_is_refused_each_time_with_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATHFINDER_CHAT_TIMEOUT_SECONDS", "soon")
    for _ in range(2):
        with pytest.raises(UsageError, match="chat_timeout_seconds"):
            read_settings()


@pytest.mark.parametrize(
    "raw", ["# é\n".encode("latin-1"), "PATHFINDER_CHAT_MODEL=x".encode("utf-16"), b'PATHFINDER_CONTACT="\xff"']
)
def test_an_env_file_that_is_not_utf8_is_refused_in_a_line(
    raw: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".env").write_bytes(raw)
    with pytest.raises(UsageError, match=r"\.env"):
        read_settings()


def test_an_env_file_that_leads_nowhere_counts_as_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".env").symlink_to(".env")
    assert read_settings().calls_per_minute == 60


def test_an_empty_setting_counts_as_not_given_and_hides_the_env_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".env").write_text("PATHFINDER_DATA=there\nHF_TOKEN=secret\nPATHFINDER_CALLS_PER_MINUTE=5\n")
    for name in ("PATHFINDER_DATA", "PATHFINDER_CORPUS", "HF_TOKEN", "PATHFINDER_CALLS_PER_MINUTE"):
        monkeypatch.setenv(name, "")
    settings = read_settings()
    assert (settings.data, settings.corpus, settings.hf_token, settings.calls_per_minute) == (None, None, None, 60)


def test_the_home_folder_in_a_path_is_the_users(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATHFINDER_DATA", "~/papers")
    monkeypatch.setenv("PATHFINDER_CORPORA", "~/a:/b")
    assert (read_settings().data, read_settings().corpora) == (Path.home() / "papers", (Path.home() / "a", Path("/b")))
    monkeypatch.setenv("PATHFINDER_DATA", "~nobody-of-this-name/papers")
    with pytest.raises(UsageError, match="nobody-of-this-name"):
        read_settings()


@pytest.mark.parametrize(
    "name", ["BUILD_MEMORY_GB", "UNPACKED_GB", "VISITORS_MAX_GB", "CHAT_TIMEOUT_SECONDS", "CHAT_PRICE_IN"]
)
@pytest.mark.parametrize("value", ["inf", "nan", "1e400"])
def test_numbers_without_end_are_refused(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(f"PATHFINDER_{name}", value)
    with pytest.raises(UsageError, match=name.lower()):
        read_settings()


@pytest.mark.parametrize(("name", "variable"), [("milvus_token", "PATHFINDER_MILVUS_TOKEN"), ("EXA_URL", "EXA_URL")])
def test_a_setting_of_an_add_on_is_not_taken_in_python_where_nobody_would_read_it(name: str, variable: str) -> None:
    with pytest.raises(UsageError, match=rf"'{name}'.* \.env, as {variable}$"):
        Settings(**{name: "x"})
    assert Settings(_env_file=None, EXA_API_KEY="x", corpus=Path("c")).corpus == Path("c")
