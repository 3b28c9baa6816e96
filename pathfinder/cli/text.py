"""Builds and corpora as lines of plain text."""

from collections.abc import Iterator

from pathfinder.building import BuildReport
from pathfinder.export.corpora import part_label
from pathfinder.export.plain_json import JsonObject

_MOST_NAMES = 6
"""Maximum number of years, categories and journals that are listed by name."""


def report_lines(report: BuildReport) -> Iterator[str]:
    """Format the counts of a build."""
    yield f"new: {report.n_new}"
    yield f"already there: {report.n_known}"
    yield f"changed, but the old version was kept: {report.n_changed}"
    why = f" ({report.rejected_path} says why)" if report.n_rejected else ""
    yield f"rejected: {report.n_rejected}{why}"
    if report.renamed:
        first, others = report.renamed[0], len(report.renamed) - 1
        rest = f" and {others:,} more" if others else ""
        yield f"other papers with the id of a paper, stored under ids of their own: {first}{rest}"
    if report.n_merged:
        yield (
            f"merged with papers from other sources: {report.n_merged}; conflicting fields in the corpus: "
            f"{report.n_conflicts} (see `pathfinder merges {report.folder}`)"
        )
    if report.n_left_out:
        yield f"left out, because somebody removed these papers: {report.n_left_out}"
    if report.n_concepts is not None:
        yield f"thesaurus concepts: {report.n_concepts}"
    if report.n_reviews is not None:
        yield f"review articles: {report.n_reviews}"
    if report.n_without_abstract:
        yield f"papers without an abstract: {report.n_without_abstract}"
    yield f"papers in {report.folder}: {report.n_papers}"


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
        yield f"{part_label(key)}: {part['bytes']:,} bytes{per_paper}, in {part['name']}"
    for key, reason in record["absent"].items():
        yield f"{part_label(key)}: none, {reason}"
    yield from _engine_lines(record["engine"])
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
    if (merges := record["merges"])["n_records"]:
        yield f"merged records: {merges['n_records']:,}; conflicting fields: {merges['n_conflicts']:,}"
    if (earlier := record["earlier"]) is not None:
        yield (
            f"earlier version: {earlier['n_papers']:,} papers, {earlier['n_bytes']:,} extra bytes "
            f"(`pathfinder rollback` returns to it)"
        )
    yield f"rejected rows: {record['n_rejected']}"
    checked = "every byte" if record["verified"] else "the length, beginning and end"
    yield f"{checked} of every file {'matches' if record['verified'] else 'match'} the manifest"
    yield (
        "the manifest matches its own checksum"
        if record["manifest_checked"]
        else "the manifest has no checksum of its own, and damage may go unnoticed: the next build or update adds one"
    )


def _engine_lines(engine: JsonObject | None) -> Iterator[str]:
    if engine is not None:
        words = "words too" if engine["words"] else "words in Pathfinder's own index"
        yield f"vectors: Milvus {engine['version']} at {engine['uri']}, collection {engine['collection']}; {words}"


def _coverage_lines(record: JsonObject) -> Iterator[str]:
    """Format the sources of a corpus, and the distribution of its papers over years, categories and journals."""
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
