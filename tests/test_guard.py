import asyncio
import contextlib
import socket
import subprocess
import sys
import threading
import urllib.request
from pathlib import Path

import pytest

from pathfinder.settings import read_settings
from pathfinder.user_data import data_folder
from tests import guard
from tests.guard import NetworkBlocked, expected_attempts
from tests.wire import Replies, Wire

# Addresses and names that are kept for documentation (RFC 5737, RFC 3849, RFC 2606): nobody answers there anyway.
FAR_4, FAR_6, FAR_NAME = "192.0.2.1", "2001:db8::1", "pathfinder.example"


def connect(address, family=socket.AF_INET, kind=socket.SOCK_STREAM, method="connect"):
    with socket.socket(family, kind) as connection:
        connection.settimeout(0.1)
        getattr(connection, method)(address)


@pytest.mark.parametrize(
    "call",
    [
        lambda: connect((FAR_4, 80)),
        lambda: connect((FAR_4, 80), method="connect_ex"),
        lambda: connect((FAR_6, 80, 0, 0), socket.AF_INET6),
        lambda: connect((FAR_4, 53), kind=socket.SOCK_DGRAM),
        lambda: connect(("0.0.0.0", 80)),
        lambda: socket.create_connection((FAR_NAME, 80), timeout=0.1),
        lambda: socket.getaddrinfo(FAR_NAME, 443),
        lambda: socket.getaddrinfo(FAR_NAME.encode(), 443),
        lambda: socket.gethostbyname(FAR_NAME),
        lambda: socket.gethostbyaddr(FAR_4),
        lambda: socket.getnameinfo((FAR_4, 80), 0),
        lambda: urllib.request.urlopen(f"http://{FAR_NAME}/", timeout=0.1),
        lambda: asyncio.run(asyncio.open_connection(FAR_4, 80)),
    ],
)
def test_nothing_leaves_this_machine(call):
    with expected_attempts() as attempts, pytest.raises(NetworkBlocked, match="tests stay on loopback"):
        call()
    assert len(attempts) == 1


def test_no_datagram_leaves_this_machine():
    with expected_attempts(), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as connection:
        with pytest.raises(NetworkBlocked):
            connection.sendto(b"x", (FAR_4, 53))
        with pytest.raises(NetworkBlocked):
            connection.sendmsg([b"x"], [], 0, (FAR_4, 53))


def test_an_attempt_that_a_library_swallows_is_kept():
    def swallow():
        with contextlib.suppress(RuntimeError):
            connect((FAR_4, 80))

    with expected_attempts() as attempts:
        thread = threading.Thread(target=swallow)
        thread.start()
        thread.join()
    assert attempts == [f"socket.connect {FAR_4}"]
    assert guard.attempts == []


def test_loopback_is_free():
    with Wire(Replies("hello")) as wire:
        request = urllib.request.Request(wire.url, data=b"{}", method="POST")
        with urllib.request.urlopen(request, timeout=10) as reply:
            assert reply.read() == b"hello"
    assert socket.getaddrinfo("localhost", 80)
    assert socket.getaddrinfo("::1", 80)
    assert socket.getaddrinfo(None, 80)


def test_sockets_that_are_files_are_free(tmp_path):
    path = str(tmp_path / "socket")
    with socket.socket(socket.AF_UNIX) as server, socket.socket(socket.AF_UNIX) as client:
        server.bind(path)
        server.listen()
        client.connect(path)


def test_what_tests_and_their_processes_store_lies_in_a_folder_of_this_run(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    program = "import pathfinder.user_data as a, pathfinder.settings as b; print(a.data_folder(b.read_settings()))"
    process = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert data_folder(read_settings()) == Path(process.stdout.strip())
    assert data_folder(read_settings()).is_relative_to(tmp_path_factory.getbasetemp())
