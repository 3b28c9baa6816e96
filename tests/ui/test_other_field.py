"""The pages of a corpus from another field: nothing on them speaks of astronomy."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pathfinder.building import build
from pathfinder.models.fake import HashEmbedder
from pathfinder.ui.corpus import permissions
from pathfinder.ui.shared import visit_corpus
from tests.building.conftest import WordsAsKeywords, write
from tests.places import page_at
from tests.ui.test_pages import ran

pytestmark = pytest.mark.build

PROFILE = Path(__file__).parents[2] / "benchmarks" / "profiles" / "scifact.toml"
ASTRONOMY = re.compile(
    r"astro(?!turf)|telescop|galax|stellar|\bstars?\b|planet|redshift|hubble|cosmolog|supernova|\bsky\b|jwst|\bmissions?\b"
    r"|quasar|nebula|milky way|black hole|metallicity|cepheid|\bADS\b|spacecraft|observator|light.?year|megaparsec|Mpc",
    re.IGNORECASE,
)
MORE = {"categories": ["q-bio.QM"], "authors": ["Smith, J."], "journal": "The Lancet"}
SIGNS = re.compile(
    r":material/star[\w-]*:|\b[\w-]*-?stars?-[\w-]+|[\w-]+-star\b|\bstars? (?:a |the |this )?papers?"
    r"|\bstar (?:it|these \d+)\b"
    r"|[★☆] Star|\b(?:paper|card|button)\.star\b|[\"']stars?\\*[\"']|\bstar: \[",
    re.IGNORECASE,
)
"""Stars with which a reader keeps papers, in any field."""
ENCODED = re.compile(r"[\w+/=\\]{60,}")
"""Tiles of the map, and other numbers."""
SUBJECTS = "telomere length", "vitamin D and fractures", "gut microbes", "statins", "regulatory T cells", "microRNAs"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six biomedical papers, with the profile of their field."""
    folder = tmp_path_factory.mktemp("medicine")
    records = [
        {
            "id": f"m{n}",
            "title": f"A trial of {subject}",
            "abstract": f"We study {subject} in patients.",
            "year": 2015 + n,
            **MORE,
        }
        for n, subject in enumerate(SUBJECTS)
    ]
    source = write(folder / "papers.jsonl", *records)
    build([source], folder / "corpus", HashEmbedder(16), extractor=WordsAsKeywords(), profile=PROFILE)
    return folder / "corpus"


def protos(block: Any) -> Iterator[str]:
    """Everything that the page sends to the browser: texts, labels, help, placeholders and choices."""
    for part in block.children.values():
        yield str(getattr(part, "proto", ""))
        if hasattr(part, "children"):
            yield from protos(part)


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("ask", {}),
        ("ask", {"q": "Do statins prevent strokes?"}),
        ("lab", {"q": "Do statins prevent strokes?"}),
        ("lab", {"trial": "evaluate"}),
        ("similar", {"like": "m3"}),
        ("map", {}),
        ("map", {"look": "public"}),
        ("lab", {"trial": "check"}),
        ("about", {}),
        ("library", {}),
        ("review", {}),
    ],
)
def test_no_page_of_another_field_speaks_of_astronomy(
    corpus: Path, monkeypatch: pytest.MonkeyPatch, name: str, parameters: dict[str, str]
) -> None:
    monkeypatch.setenv("PATHFINDER_CORPUS", str(corpus))
    for module in (permissions, visit_corpus):
        monkeypatch.setattr(module, "is_visited_here", lambda: True)
    page = ran(page_at(name, **parameters).run())
    sent = SIGNS.sub("", ENCODED.sub("", "\n".join((*protos(page.main), *protos(page.sidebar)))))
    assert len(sent) > 500
    assert [sent[max(0, m.start() - 60) : m.end() + 40] for m in ASTRONOMY.finditer(sent)] == []
