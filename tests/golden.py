"""A small real corpus for tests: thirty landmarks, and a few papers that are made to be awkward."""

import json
from pathlib import Path

DEMO = Path(__file__).parents[1] / "data" / "landmarks.jsonl"
"""The demo corpus."""

LANDMARKS = Path(__file__).with_name("golden_landmarks.jsonl")
"""The demo corpus as 0.2.0 had it: tests and marks made by hand keep it when the demo changes."""

N_LANDMARKS = 30

BARE = {
    "id": "bare",
    "title": "Colours of quasars in the southern sky",
    "abstract": "We list colours of quasars found on photographic plates.",
}
"""No date, no count, no authors, and no identifier."""

HOSTILE = {
    "id": "hostile",
    "title": "<svg/onload=document.title='broken'> <img/src=x/onerror=alert(1)> Masers of $10 & [a link](http://x.y)",
    "abstract": "<b>Bold</b> masers <iframe src=x></iframe> ![seen](http://x.y/z.png) at $\\lambda = 18$ cm.",
    "authors": ["<i>Mallory</i>, M."],
    "date": "2020-02-29",
    "citation_count": 5,
}
"""Markup where text should be."""

FUTURE = {
    "id": "future",
    "title": "Masers seen from orbit",
    "abstract": "Masers of hydroxyl and water are seen from a telescope in orbit.",
    "date": "2031-01-01",
    "citation_count": 0,
    "authors": ["Later, L."],
}
"""Dated after the snapshot."""

N_PAPERS = N_LANDMARKS + 3


def write_golden(path: Path) -> Path:
    """Write the sources of the golden corpus to `path`."""
    landmarks = LANDMARKS.read_text(encoding="utf-8").splitlines()[:N_LANDMARKS]
    awkward = (json.dumps(paper) for paper in (BARE, HOSTILE, FUTURE))
    path.write_text("\n".join((*landmarks, *awkward)) + "\n", encoding="utf-8")
    return path


def write_other(path: Path) -> Path:
    """Write the sources of another corpus to `path`: the landmarks that come after those of the golden one."""
    landmarks = LANDMARKS.read_text(encoding="utf-8").splitlines()[N_LANDMARKS : 2 * N_LANDMARKS]
    path.write_text("\n".join(landmarks) + "\n", encoding="utf-8")
    return path
