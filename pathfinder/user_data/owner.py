"""The owner's token: whoever holds it is the person at this machine.

A proxy on this machine may name the page as its owner's browser does (`Host: 127.0.0.1`) and say nothing of the callers
that it stands for, so neither an address nor a header shows who is calling. A secret does: it is in a file that only
this user may read, and in the link that the server prints.
"""

import os
import secrets
import sys
import tempfile
import threading
import time
import webbrowser
from contextlib import suppress
from functools import cache
from hmac import compare_digest
from http.client import HTTPConnection
from pathlib import Path

from pathfinder.errors import StoreError

FILE = "owner-token"
"""File in the folder for readers' work; without it, the next start makes a new token, and old links lead nowhere."""
PARAMETER = "owner"
"""Parameter of the link that the server prints."""
_START_SECONDS, _PAUSE_SECONDS = 60.0, 0.2


@cache
def owner_token(folder: Path) -> str:
    """Return the token of the owner of the readers' work in `folder`, made on the first call. Raises `StoreError` if
    the folder can be neither read nor written.
    """
    path = folder / FILE
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not path.exists():
            with tempfile.NamedTemporaryFile("w", dir=folder, encoding="ascii") as file:  # its mode is 0600
                file.write(secrets.token_urlsafe(24))
                file.flush()
                with suppress(FileExistsError):  # another process was faster
                    os.link(file.name, path)
        token = path.read_text(encoding="ascii").strip()
    except (OSError, ValueError) as error:
        raise StoreError(
            f"{path}, which says who is at this machine, cannot be used ({error}): name a folder of your own with "
            "PATHFINDER_DATA"
        ) from error
    if len(token) < 16:
        raise StoreError(f"{path} holds no token: delete it, and start again")
    return token


def is_owner_token(text: str, folder: Path) -> bool:
    """Return whether `text` is the token; false if there is none to compare with."""
    try:
        return compare_digest(text.encode(), owner_token(folder).encode())
    except StoreError:
        return False


def owner_link(address: str, port: int, folder: Path) -> str:
    """Return the link that makes a browser the owner's. Raises `StoreError` like `owner_token`."""
    host = f"[{address}]" if ":" in address else address
    return f"http://{host}:{port}/?{PARAMETER}={owner_token(folder)}"


@cache
def print_link(link: str) -> None:
    """Write the link to standard error, once for each process."""
    sys.stderr.write(f"This page is yours to change in a browser that has opened {link}\n")


def open_when_ready(link: str, address: str, port: int) -> None:
    """Open the link in the browser of this machine as soon as the page answers; do nothing without a screen."""
    if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return
    threading.Thread(target=_open, args=(link, address, port), daemon=True).start()


def _open(link: str, address: str, port: int) -> None:
    for _ in range(round(_START_SECONDS / _PAUSE_SECONDS)):
        connection = HTTPConnection(address, port, timeout=_PAUSE_SECONDS)
        try:
            connection.connect()
        except OSError:
            time.sleep(_PAUSE_SECONDS)
        else:
            webbrowser.open(link)
            return
        finally:
            connection.close()
