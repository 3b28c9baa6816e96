"""Results, answers and corpora as the command line writes them for people: lines of plain text."""

from collections.abc import Iterator

from pathfinder.building import BuildReport
from pathfinder.export.corpora import CorpusRecord
from pathfinder.export.records import year_of
from pathfinder.types import Answer, Hit, SearchResult

_FACTORS = ("dense", "sparse", "fused", "keyword", "recency", "citation", "rerank")


def result_lines(result: SearchResult) -> Iterator[str]:
    """The hits with their factors, then what ran."""
    if not result.hits:
        yield "no paper was found"
    for rank, hit in enumerate(result.hits, start=1):
        yield from _hit_lines(rank, hit)
    yield ""
    yield "; ".join(f"{stage.name}: {stage.ran}" for stage in result.stages)


def answer_lines(result: SearchResult, answer: Answer) -> Iterator[str]:
    """The answer, then the papers that it cites by their rank."""
    yield answer.text
    yield ""
    for rank, hit in enumerate(result.hits, start=1):
        yield f"[{rank}] {_title_and_year(hit)} {hit.paper.paper_id}"
    yield ""
    yield "; ".join(f"{stage.name}: {stage.ran}" for stage in (*result.stages, *answer.stages))


def report_lines(report: BuildReport) -> Iterator[str]:
    """What a build did, in counts."""
    yield f"new: {report.n_new}"
    yield f"already there: {report.n_known}"
    yield f"changed, kept as it was: {report.n_changed}"
    why = f" ({report.rejected_path} says why)" if report.n_rejected else ""
    yield f"rejected: {report.n_rejected}{why}"
    if report.n_concepts is not None:
        yield f"concepts of the thesaurus: {report.n_concepts}"
    yield f"papers in {report.folder}: {report.n_papers}"


def corpus_lines(record: CorpusRecord) -> Iterator[str]:
    """What a corpus is made of."""
    yield f"{record['name']}, version {record['version']}, made by {record['created_by']}"
    yield f"snapshot: {record['snapshot'] or 'none, no paper has a date'}"
    yield f"embedder: {record['embedder']} ({record['dimension']} dimensions)"
    yield f"keywords: {record['keyword_extractor']}"
    yield "; ".join(f"{name.replace('_', ' ')}: {n}" for name, n in record["counts"].items())
    for role, part in record["parts"].items():
        yield f"{role}: {part['name']}, {part['bytes']:,} bytes"
    for role, reason in record["absent"].items():
        yield f"{role}: none, {reason}"
    yield f"rejected rows: {record['n_rejected']}"
    yield "every byte is what the manifest says" if record["verified"] else "every file has its length, head and tail"


def _hit_lines(rank: int, hit: Hit) -> Iterator[str]:
    score = hit.score
    factors = ((name, getattr(score, name)) for name in _FACTORS)
    known = "  ".join(f"{name} {value:.3f}" for name, value in factors if value is not None)
    yield f"{rank:2}. {_title_and_year(hit)}{'  [outlier]' if hit.outlier else ''}"
    yield f"    {hit.paper.paper_id}  score {score.final:.3f}  {known}"


def _title_and_year(hit: Hit) -> str:
    year = year_of(hit.paper)
    return f"{hit.paper.title} ({year})" if year else hit.paper.title
