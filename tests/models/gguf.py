"""Model files of a few bytes, and a stand-in for the program that runs llama.cpp."""

import struct
import sys
from pathlib import Path

KINDS = {int: 4, str: 8}
"""Types of a value in a GGUF file: a whole number of 32 bits, a text."""


def text(words: str) -> bytes:
    return struct.pack("<Q", len(words.encode())) + words.encode()


def entry(key: str, value: object) -> bytes:
    if isinstance(value, list):
        inner = b"".join(map(text, value))
        return text(key) + struct.pack("<IIQ", 9, 8, len(value)) + inner
    if isinstance(value, float):
        return text(key) + struct.pack("<If", 6, value)
    packed = struct.pack("<I", value) if isinstance(value, int) else text(str(value))
    return text(key) + struct.pack("<I", KINDS[type(value)]) + packed


ENTRIES = {
    "general.architecture": "llama",
    "llama.context_length": 8192,
    "llama.rope.freq_base": 10000.0,
    "tokenizer.ggml.tokens": ["a", "b"],
}


def model_file(folder: Path, *, entries: dict[str, object] | None = None, n_data: int = 64, version: int = 3) -> Path:
    """A file with one tensor of 8 numbers, which begins at byte 32 of `n_data` bytes behind the head."""
    entries = ENTRIES if entries is None else entries
    head = b"GGUF" + struct.pack("<IQQ", version, 1, len(entries))
    head += b"".join(entry(key, value) for key, value in entries.items())
    head += text("weights") + struct.pack("<IQIQ", 1, 8, 0, 32)
    path = folder / "tiny.gguf"
    path.write_bytes(head + bytes(n_data))
    return path


def program(body: str) -> tuple[str, ...]:
    """A command like that of `llama_process`, which does `body` with its `options`."""
    lines = ("import json, sys, time", "options = json.loads(sys.stdin.readline())", body)
    return sys.executable, "-I", "-c", "\n".join(lines)


def serving_at(address: str, log: Path | None = None) -> tuple[str, ...]:
    """One that has a model ready at `address`, and waits for the end; it writes its options to `log`."""
    noted = f"open({str(log)!r}, 'a').write(json.dumps(options) + chr(10))\n" if log else ""
    return program(f"{noted}print(json.dumps({{'address': {address!r}}}), flush=True)\nsys.stdin.read()")
