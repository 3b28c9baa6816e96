"""arXiv, OpenAlex, Crossref, Semantic Scholar and ADS at one address, asked about single papers, as their
documentation describes it: lists of identifiers, and searches by title.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from tests.sources.hosts.arxiv import feed
from tests.sources.hosts.json_hosts import as_json
from tests.sources.hosts.loopback import LoopbackHost, Reply, Request

_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Known:
    """A paper that the hosts know."""

    title: str
    authors: tuple[str, ...]
    year: int
    doi: str | None = None
    arxiv: str | None = None
    abstract: str = ""
    cites: tuple[str, ...] = ()
    """Works of OpenAlex."""
    number: int = 1
    pmid: str | None = None

    @property
    def dois(self) -> set[str]:
        names = {self.doi, f"10.48550/arxiv.{self.arxiv}" if self.arxiv else None}
        return {name.lower() for name in names if name}


class RecordHosts(LoopbackHost):
    """The hosts: each knows the papers whose titles are not in `unknown` under its name."""

    def __init__(self, *papers: Known, unknown: dict[str, set[str]] | None = None, page: bytes | None = None) -> None:
        super().__init__(self._answer)
        self.papers, self.unknown = papers, unknown or {}
        self.text = page
        self.down: dict[str, Reply] = {}
        """Replies in place of those of a host."""

    def _answer(self, request: Request) -> Reply:
        name, reply = self._route(request)
        return self.down.get(name) or reply

    def _route(self, request: Request) -> tuple[str, Reply]:
        path, query = request.path, request.query
        if path == "/works":
            return "openalex", self._openalex(query)
        if path == "/api/query":
            return "arxiv", self._arxiv(query)
        if path == "/v1/works":
            return "crossref", self._crossref(query)
        if path == "/graph/v1/paper/batch":
            return "semanticscholar", self._semantic_scholar(request)
        if path.startswith(("/e-print/", "/pdf/")):
            has_text = self.text is not None and any(
                paper.arxiv and path.endswith(paper.arxiv) for paper in self.papers
            )
            return "texts", Reply(self.text, kind="application/x-tex") if has_text and self.text else Reply(b"", 404)
        return "", Reply(b"", 404)

    def of(self, host: str) -> list[Known]:
        return [paper for paper in self.papers if paper.title not in self.unknown.get(host, set())]

    def _titled(self, host: str, words: Sequence[str]) -> list[Known]:
        wanted = {word.lower() for word in words}
        return [paper for paper in self.of(host) if wanted >= set(_WORD.findall(paper.title.lower()))]

    def _openalex(self, query: dict[str, str]) -> Reply:
        name, _, value = query["filter"].partition(":")
        if name == "title.search":
            found = self._titled("openalex", _WORD.findall(value.partition(",")[0]))
        else:
            assert name in ("doi", "ids.pmid")
            asked = set(value.lower().split("|"))
            assert len(asked) <= 100, "OpenAlex takes at most 100 values"
            found = [paper for paper in self.of("openalex") if (paper.dois if name == "doi" else {paper.pmid}) & asked]
        works = [self._work(paper) for paper in found]
        return as_json({"meta": {"count": len(works)}, "results": works[: int(query.get("per_page", 25))]})

    def _work(self, paper: Known) -> dict[str, object]:
        places: dict[str, list[int]] = {word: [] for word in paper.abstract.split()}
        for place, word in enumerate(paper.abstract.split()):
            places[word].append(place)
        address = f"http://arxiv.org/abs/{paper.arxiv}" if paper.arxiv else None
        return {
            "id": f"https://openalex.org/W{paper.number}",
            "doi": f"https://doi.org/{paper.doi or f'10.48550/arxiv.{paper.arxiv}'}",
            "ids": {"pmid": f"https://pubmed.ncbi.nlm.nih.gov/{paper.pmid}"} if paper.pmid else {},
            "title": paper.title,
            "publication_date": f"{paper.year}-05-02",
            "locations": [{"landing_page_url": address}] if address else [],
            "authorships": [{"author": {"display_name": name}} for name in paper.authors],
            "abstract_inverted_index": places or None,
            "referenced_works": [f"https://openalex.org/{work}" for work in paper.cites],
            "topics": [{"display_name": "Interstellar matter"}],
            "cited_by_count": paper.number,
            "best_oa_location": None,
        }

    def _arxiv(self, query: dict[str, str]) -> Reply:
        if ids := query.get("id_list"):
            found = [paper for paper in self.of("arxiv") if paper.arxiv in ids.split(",")]
        else:
            title = query["search_query"].partition('ti:"')[2].partition('"')[0]
            found = [paper for paper in self._titled("arxiv", _WORD.findall(title)) if paper.arxiv]
        return feed("".join(map(self._entry, found)), len(found), 0)

    @staticmethod
    def _entry(paper: Known) -> str:
        names = "".join(f"<author><name>{name}</name></author>" for name in paper.authors)
        doi = f"<arxiv:doi>{paper.doi}</arxiv:doi>" if paper.doi else ""
        return (
            f"<entry><id>http://arxiv.org/abs/{paper.arxiv}v1</id><published>{paper.year}-03-01T10:00:00Z</published>"
            f"<title>{paper.title}</title><summary>{paper.abstract}</summary>{names}{doi}"
            '<category term="astro-ph.GA"/></entry>'
        )

    def _crossref(self, query: dict[str, str]) -> Reply:
        if words := query.get("query.bibliographic"):
            found = [paper for paper in self._titled("crossref", _WORD.findall(words)) if paper.doi]
        else:
            asked = {part.removeprefix("doi:").lower() for part in query["filter"].split(",")}
            found = [paper for paper in self.of("crossref") if paper.doi and paper.doi.lower() in asked]
        items = [
            {
                "DOI": paper.doi,
                "title": [paper.title],
                "abstract": f"<jats:p>{paper.abstract}</jats:p>" if paper.abstract else None,
                "author": [{"family": name.split()[-1], "given": name.split()[0]} for name in paper.authors],
                "issued": {"date-parts": [[paper.year, 6, 1]]},
                "is-referenced-by-count": paper.number + 1,
                "reference": [{"DOI": "10.1/elsewhere"}],
            }
            for paper in found
        ]
        return as_json({"status": "ok", "message": {"total-results": len(items), "items": items}})

    def _semantic_scholar(self, request: Request) -> Reply:
        names = json.loads(request.body)["ids"]
        assert len(names) <= 500
        by_name = {f"DOI:{doi}": paper for paper in self.of("semanticscholar") for doi in paper.dois}
        by_name |= {f"ARXIV:{paper.arxiv}": paper for paper in self.of("semanticscholar") if paper.arxiv}
        by_name |= {f"PMID:{paper.pmid}": paper for paper in self.of("semanticscholar") if paper.pmid}
        found = [by_name.get(name) for name in names]
        return as_json([paper and self._scholar(paper) for paper in found])

    @staticmethod
    def _scholar(paper: Known) -> dict[str, object]:
        return {
            "corpusId": paper.number,
            "externalIds": {"DOI": paper.doi, "ArXiv": paper.arxiv, "PubMed": paper.pmid},
            "title": paper.title,
            "abstract": paper.abstract or None,
            "authors": [{"name": name} for name in paper.authors],
            "publicationDate": f"{paper.year}-05-02",
            "citationCount": paper.number + 2,
            "references": [{"externalIds": {"DOI": "10.1/elsewhere"}}],
        }
