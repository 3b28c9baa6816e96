"""The grammar of a source: a path, or a scheme and what it reads."""

import pytest

from pathfinder.errors import UsageError
from pathfinder.sources import SourceSpec, parse_source

SCHEMES = ("arxiv", "ads", "zotero", "openalex", "file")


@pytest.mark.parametrize(
    ("written", "scheme", "rest"),
    [
        ("arxiv:cat:astro-ph.GA", "arxiv", "cat:astro-ph.GA"),
        ("zotero:", "zotero", ""),
        ("openalex:doi:https://doi.org/10.1/x", "openalex", "doi:https://doi.org/10.1/x"),
        ("library.bib", "file", "library.bib"),
        ("./arxiv:1.json", "file", "./arxiv:1.json"),
        ("file:arxiv:1.json", "file", "arxiv:1.json"),
        ("C:\\papers\\library.bib", "file", "C:\\papers\\library.bib"),
        ("unknown:scheme", "file", "unknown:scheme"),
        # Identifiers and filters are no keys.
        ("ads:bibcode:2020A&A...641A...6P", "ads", "bibcode:2020A&A...641A...6P"),
        ("openalex:source.id:S4306400194,type:article", "openalex", "source.id:S4306400194,type:article"),
    ],
)
def test_a_source_begins_with_a_scheme_or_is_a_path(written: str, scheme: str, rest: str) -> None:
    spec = parse_source(written, SCHEMES)
    assert spec == SourceSpec(scheme, rest)
    assert scheme == "file" or str(spec) == written


@pytest.mark.parametrize(
    "written",
    [
        "zotero:users/1/items?key=abc",
        "ads:author:x&token=abc",
        "arxiv:key=abc",
        "openalex:type:article,key=abc",
        "openalex:api_key=abc",
        "ads:Bearer: abc",
        "zotero:https://me:secret@example.org/",
        "ads:aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5zA7b",
        "zotero:P9NiFoyLeZu2bZNvvuQPDWsd",
        # Schemes that are unknown.
        "https://api.openalex.org/works?api_key=ABCDEF012345",
        "OpenAlex:api_key=ABCDEF012345",
    ],
)
def test_a_source_with_a_key_is_refused_and_the_key_is_not_repeated(written: str) -> None:
    with pytest.raises(UsageError, match="environment") as refused:
        parse_source(written, SCHEMES)
    assert written.partition(":")[2] not in str(refused.value)


def test_an_empty_source_is_refused() -> None:
    with pytest.raises(UsageError, match="empty"):
        parse_source(" ", SCHEMES)
