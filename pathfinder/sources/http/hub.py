"""The Hugging Face hub: its address, its key, and the names of its files, which cannot be trusted."""

from pathlib import PurePosixPath

from pathfinder.settings import Settings
from pathfinder.sources.http.host import Credential, Host


def hub(settings: Settings) -> Host:
    """Return the hub, at the address that `settings` have for it."""
    return Host(
        "Hugging Face",
        settings.hf_url or "https://huggingface.co",
        "PATHFINDER_HF_URL",
        pace_seconds=0.2,
        credential=Credential("HF_TOKEN", settings.hf_token, header="Authorization", prefix="Bearer "),
        file_servers=(".hf.co", ".huggingface.co"),
    )


def is_safe(name: str) -> bool:
    """Return whether a path cannot lead out of its folder."""
    path = PurePosixPath(name)
    return not path.is_absolute() and ".." not in path.parts and "\\" not in name and name.isprintable()
