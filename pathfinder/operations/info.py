"""What a corpus holds, and whether it is complete."""

import operator
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from pydantic import BeforeValidator, Field

from pathfinder.corpus.parts import PART_LABELS
from pathfinder.errors import CorpusDamaged
from pathfinder.operations.export.plain_json import JsonObject, as_json, same_names, select
from pathfinder.operations.operation import Result, declare, result_of

if TYPE_CHECKING:
    from pathfinder.corpus.store import Corpus
    from pathfinder.landscape.projection.projection import Drift

_DRIFT = "Compute the map again and report how far papers have drifted; this takes as long as building the map."
_MOST_NAMES = 6
"""Maximum number of years, categories and journals that are listed by name."""
_MANIFEST = same_names(
    "schema_version created_by embedder dimension keyword_extractor snapshot counts precision vector_limit "
    "form_of_tokens"
)
_ROLES = {"groups": "layers", "layers": "overlays"}
"""Parts renamed since version 0.1.0, with their old names, which are still the keys of records, because programs read
them.
"""


def _label(key: str) -> str:
    """Return the name by which people know a part of a corpus, given its key in a record."""
    role = {old: new for new, old in _ROLES.items()}.get(key, key)
    return PART_LABELS.get(role, role)


def corpus_record(corpus: "Corpus", *, n_rejected: int, verified: bool) -> JsonObject:
    """Describe a corpus, as `CorpusDescription` does, without what is outside its manifest.

    `n_rejected` is the number of rows in the sources that did not become papers. `verified` is true if every byte was
    checked.
    """
    from pathfinder.corpus.coverage import coverage
    from pathfinder.corpus.history.merges import n_conflicts, open_list
    from pathfinder.corpus.manifest import earlier_version
    from pathfinder.index.engines import EngineVectors
    from pathfinder.sources.published_lists import LICENCE, TITLE

    parts = {_ROLES.get(role, role): part for role, part in corpus.manifest.parts.items()}
    sizes = {key: sum(entry.length for entry in part.files) for key, part in parts.items()}
    check, n_papers = corpus.reranker_check, corpus.manifest.counts.papers
    thesaurus, merges = corpus.thesaurus, open_list(corpus.path("merges"))
    return {
        **select(corpus.name, same_names("name version")),
        "id": corpus.name.ids[0],
        "folder": str(corpus.folder),
        **select(corpus.manifest, _MANIFEST),
        "profile": corpus.profile.name,
        "parts": {
            key: {
                "name": part.name,
                "bytes": sizes[key],
                "files": [select(each, {"name": "name", "bytes": "length", "sha256": "sha256"}) for each in part.files],
            }
            for key, part in parts.items()
        },
        "engine": corpus.dense.holding._asdict() if isinstance(corpus.dense, EngineVectors) else None,
        "bytes_per_paper": {key: round(size / n_papers, 1) for key, size in sizes.items()} if n_papers else None,
        "absent": {_ROLES.get(role, role): reason for role, reason in corpus.absent.items()},
        "sources": as_json(corpus.manifest.sources),
        "coverage": as_json(coverage(corpus.papers, corpus.network)),
        "reranker": check and select(check, same_names("n_questions fusion reranked gain standard_error is_on")),
        "thesaurus": thesaurus and {"name": thesaurus.name, "licence": LICENCE if thesaurus.name == TITLE else None},
        "merges": {"n_records": len(merges), "n_conflicts": n_conflicts(merges)},
        "earlier": as_json(earlier_version(corpus.folder, corpus.manifest)),
        "n_rejected": n_rejected,
        "verified": verified,
        "manifest_checked": corpus.manifest.checksum is not None,
    }


def corpus_lines(record: JsonObject) -> Iterator[str]:
    """Format the contents of a corpus."""
    yield f"{record['name']}, version {record['version']}, id {record['id']}, made by {record['created_by']}"
    yield f"snapshot: {record['snapshot'] or 'none, no paper has a date'}"
    precision = f", papers in {record['precision']}" if record["precision"] else ""
    yield f"embedder: {record['embedder']} ({record['dimension']} dimensions{precision})"
    yield f"keywords: {record['keyword_extractor']}"
    yield f"profile: {record['profile']}{'' if 'profile' in record['parts'] else ', the shipped one'}"
    yield "; ".join(f"{name.replace('_', ' ')}: {n}" for name, n in record["counts"].items())
    for key, part in record["parts"].items():
        per_paper = f" ({record['bytes_per_paper'][key]:,.0f} per paper)" if record["bytes_per_paper"] else ""
        yield f"{_label(key)}: {part['bytes']:,} bytes{per_paper}, in {part['name']}"
    for key, reason in record["absent"].items():
        yield f"{_label(key)}: none, {reason}"
    if (engine := record["engine"]) is not None:
        words = "words too" if engine["words"] else "words in Pathfinder's own index"
        which = f"{engine['name']} {engine['version']}"
        yield f"vectors: {which} at {engine['uri']}, collection {engine['collection']}; {words}"
    if (thesaurus := record["thesaurus"]) is not None:
        yield f"terms of the thesaurus: {thesaurus['name']}, {thesaurus['licence'] or 'licence unknown'}"
    yield from _coverage_lines(record)
    if (check := record["reranker"]) is not None:
        yield (
            f"local reranker: {'on' if check['is_on'] else 'off, no gain on this corpus'}; nDCG@10 of "
            f"{check['n_questions']} titles {check['fusion']:.3f} without it, {check['gain']:+.3f} with it "
            f"(standard error {check['standard_error']:.3f})"
        )
    if (texts := record["full_texts"])["n_papers"]:
        formats = ", ".join(f"{text_format} {n:,}" for text_format, n in texts["by_road"].items())
        yield f"full texts: {texts['n_papers']:,} ({formats}), {texts['bytes']:,} bytes"
        if texts["n_without_rows"]:
            folder = record["folder"]
            yield (
                f"full texts added before rows of tables were read: {texts['n_without_rows']:,}; `pathfinder fulltext "
                f"add {folder} FILE...` reads the same files again (fetched ones: `fulltext remove {folder} ID...` and "
                f"then `complete {folder} --only texts`)"
            )
    if (merges := record["merges"])["n_records"]:
        yield f"merged records: {merges['n_records']:,}; conflicting fields: {merges['n_conflicts']:,}"
    if (earlier := record["earlier"]) is not None:
        yield (
            f"earlier version: {earlier['n_papers']:,} papers, {earlier['n_bytes']:,} extra bytes "
            f"(`pathfinder rollback` returns to it)"
        )
    for name, counts in record["completeness"].items():
        by_source = ", ".join(f"{source} {n:,}" for source, n in counts["by_source"].items())
        why = {
            "no host has it": counts["none"],
            "could not be had": counts["unavailable"],
            "not asked": counts["not_asked"],
        }
        parts = [f" ({by_source})" if by_source else "", *(f"; {reason}: {n:,}" for reason, n in why.items() if n)]
        yield f"with {name.replace('_', ' ')}: {counts['n_papers']:,}{''.join(parts)}"
    yield f"rejected rows: {record['n_rejected']}"
    checked = "every byte" if record["verified"] else "the length, beginning and end"
    yield f"{checked} of every file {'matches' if record['verified'] else 'match'} the manifest"
    yield (
        "the manifest matches its own checksum"
        if record["manifest_checked"]
        else "the manifest has no checksum of its own, and damage may go unnoticed: the next build or update adds one"
    )


def _coverage_lines(record: JsonObject) -> Iterator[str]:
    for entry in record["sources"]:
        licence = entry["licence"] or "licence as stated in each record"
        private = "" if entry["may_be_shared"] else ", not to be shared"
        dropped_note = ", dropped" if entry["dropped"] else ""
        yield f"source: {entry['source']}, read on {entry['retrieved']}, {licence}{private}{dropped_note}"
    counts = record["coverage"]
    if years := [int(year) for year in counts["by_year"]]:
        yield f"years: {min(years)} to {max(years)}; most papers: {_largest(counts['by_year'])}"
    for what, n in (("category", counts["n_categories"]), ("journal", counts["n_journals"])):
        if n:
            yield f"by {what} ({n}): {_largest(counts[f'by_{what}'])}"
    names = ("abstract", "date", "citation_count")
    yield "; ".join(f"without {name.replace('_', ' ')}: {counts[f'without_{name}']}" for name in names)

    if (references := counts["references"]) is not None:
        yield (
            f"references: {references['n_references']:,}, {references['share_inside']:.1%} of them to papers in this "
            f"corpus; papers with references: {references['papers_with_references']:,}, cited: "
            f"{references['papers_cited']:,}"
        )


def _largest(counts: JsonObject) -> str:
    largest = sorted(counts.items(), key=lambda item: -item[1])[:_MOST_NAMES]
    return ", ".join(f"{name} {n}" for name, n in largest)


class Info(NamedTuple):
    """The record of a corpus, and the drift of its map, if it was measured."""

    record: JsonObject
    drift: "Drift | None"
    note: str | None = None
    """Why it is unknown what the papers lack; `None` if it is known."""


class PartFile(Result):
    """A file of a part of a corpus."""

    name: str
    bytes: int
    sha256: str


class Part(Result):
    """A part of a corpus."""

    name: str
    bytes: int
    files: list[PartFile]


def _result() -> Any:
    from pathfinder.building.ledger import FieldCoverage
    from pathfinder.corpus.coverage import Coverage
    from pathfinder.corpus.manifest import EarlierVersion, Manifest
    from pathfinder.corpus.reranker_check import RerankerCheck
    from pathfinder.landscape.projection.projection import Drift

    manifest: Any = result_of(Manifest, "fingerprints embedder_files coming checksum")
    covered, earlier_one, drifted, holdings = map(result_of, (Coverage, EarlierVersion, Drift, FieldCoverage))
    checked = result_of(RerankerCheck, gain="gain", is_on="is_on")

    class CorpusDescription(manifest):  # type: ignore[misc]  # derived
        """What a corpus holds, and whether it is complete."""

        name: str
        version: str
        """The first 12 hex digits of the manifest's SHA-256."""
        id: str
        """Identifier under which its readers' work is stored."""
        folder: str
        profile: str
        """Name of its field's profile."""
        parts: dict[str, Part]
        engine: dict[str, Any] | None
        """What holds the vectors of papers; null if a file does."""
        bytes_per_paper: dict[str, float] | None
        """The size of each part divided by the number of papers."""
        coverage: covered  # type: ignore[valid-type]  # derived
        reranker: checked | None  # type: ignore[valid-type]  # derived
        """What the local reranker gains or loses on questions made from titles; null if this was not measured."""
        thesaurus: dict[str, str | None] | None
        """Title and licence of the thesaurus."""
        merges: dict[str, int]
        """Numbers of merged records, and of the fields on which they disagree."""
        earlier: earlier_one | None  # type: ignore[valid-type]  # derived
        """The version to which `pathfinder rollback` returns; null if there is none."""
        n_rejected: int
        """Number of rows in the sources that did not become papers."""
        verified: bool
        """True if every byte was checked, false if only the length, beginning and end of each file were."""
        manifest_checked: bool
        """True if the manifest has a checksum of itself, and matches it."""
        full_texts: dict[str, Any]
        completeness: dict[str, holdings]  # type: ignore[valid-type]  # derived
        """By field, how many papers have it, and why others lack it."""
        drift: drifted | None = Field(default=None, exclude_if=operator.not_)  # type: ignore[valid-type]  # derived
        """How far papers are from their places on a fresh map, if that was measured."""
        note: str | None = Field(default=None, exclude_if=operator.not_)
        """Why it is unknown what the papers lack."""

    return Annotated[CorpusDescription, BeforeValidator(lambda info: {**info.record, **info._asdict()})]


def _lines(info: Info) -> Iterator[str]:
    from pathfinder.building.map import drift_lines

    yield from corpus_lines(info.record)
    if info.note is not None:
        yield info.note
    if info.drift is not None:
        yield from drift_lines(info.drift)


@declare("info", settings=(), folder_first=True, opens="corpus", result=_result, lines=_lines)
def info(
    corpus: "Corpus",
    verify: Annotated[
        bool, Field(description="Check every byte, not only the beginning and end of each file.")
    ] = False,
    drift: Annotated[bool, Field(description=_DRIFT)] = False,
) -> Info:
    """Describe a corpus and check that it is complete."""
    from pathfinder.building.intake import count_rejected
    from pathfinder.building.ledger import completeness, read_answers
    from pathfinder.building.map import map_drift
    from pathfinder.corpus.store import verify_corpus
    from pathfinder.fulltext.store import FullTexts

    if verify:
        corpus = verify_corpus(corpus.folder)
    texts = FullTexts.open(corpus.folder)
    if verify:
        texts.verify()
    record = corpus_record(corpus, n_rejected=count_rejected(corpus.folder), verified=verify)
    record["full_texts"] = {
        "n_papers": len(texts.texts),
        "by_road": texts.by_format,
        "bytes": texts.n_bytes,
        "n_without_rows": sum(text.may_lack_rows for text in texts.texts.values()),
    }
    record["completeness"], note = {}, None
    try:
        read_answers(corpus.folder)
    except CorpusDamaged as error:  # the answers of hosts are no part of the corpus, which is whole without them
        note = f"what its papers lack is unknown: {error}"
    else:
        record["completeness"] = {name: as_json(counts) for name, counts in completeness(corpus).items()}
    return Info(record, map_drift(corpus) if drift else None, note)
