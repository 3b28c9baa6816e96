"""Jobs that are killed: each runs in a process of its own, and says on disk what it has promised."""

import os
import sys
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pyarrow.dataset

import pathfinder.cli.serve
import pathfinder.serving.api
from pathfinder.addons.feedback.judgements import FeedbackStore
from pathfinder.building import build as build_corpus
from pathfinder.cli import main
from pathfinder.models.fake import HashEmbedder
from tests.building.conftest import WordsAsKeywords
from tests.feedback_made import JUDGED

LOADED = (pd, pyarrow.dataset, pathfinder.cli.serve, pathfinder.serving.api)
"""Modules that every job would load again."""


def build(source: str, corpus: str) -> None:
    """Add the papers of a file to a corpus."""
    build_corpus([Path(source)], Path(corpus), HashEmbedder(16), extractor=WordsAsKeywords())


def judge(folder: str, promises: str, first: str) -> None:
    """Add judgements without end, from two processes, and withdraw every fourth.

    The code of each is written to the file `promises` as soon as the store has it, after "-" if it is withdrawn.
    """
    name = "a" if os.fork() else "b"
    store, descriptor = FeedbackStore(Path(folder)), os.open(promises, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    for number in range(int(first), int(first) + 100_000):
        code = f"{name}{number}"
        store.add(replace(JUDGED, code=code))
        os.write(descriptor, f"{code}\n".encode())
        if number % 4 == 0:
            store.withdraw(code)
            os.write(descriptor, f"-{code}\n".encode())


def serve(corpus: str, port: str) -> None:
    """Serve the API until it is killed."""
    sys.exit(main(["serve", "--corpus", corpus, "--port", port]))
