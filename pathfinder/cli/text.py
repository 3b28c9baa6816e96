"""Results, answers and corpora as lines of plain text."""

from collections.abc import Iterator, Sequence

from pathfinder.answering.digest.digest import MAX_LINES, NOT_ANSWERED
from pathfinder.answering.digest.quotation import address_of, as_quotation, names_before, with_insertions
from pathfinder.answering.digest.values import byline
from pathfinder.assessment.values.candidate import describe, value_as_text
from pathfinder.building import BuildReport
from pathfinder.export.corpora import part_label
from pathfinder.export.plain_json import JsonObject
from pathfinder.export.sentence_checks import verdict_counts
from pathfinder.retrieval.explanation.score_parts import bar_parts, describe_parts
from pathfinder.retrieval.lookup.pinpoint import pinpointed_sentence
from pathfinder.types import (
    Answer,
    Call,
    Digest,
    Finding,
    Hit,
    Ledger,
    Paper,
    SearchResult,
    Verdict,
    Weighting,
    without_control_characters,
)

_BAR_CHARACTERS = 20
"""Length of a full score bar, in characters."""
_MOST_NAMES = 6
"""Maximum number of years, categories and journals that are listed by name."""


def result_lines(result: SearchResult) -> Iterator[str]:
    """Format the hits with their scores, then the stages that ran."""
    if not result.hits:
        yield "no papers were found"
    for rank, hit in enumerate(result.hits, start=1):
        yield from _hit_lines(rank, hit, result.request.weighting)
        for passage in hit.full_text:
            sentence = pinpointed_sentence(result.request.query, passage)
            yield without_control_characters(f'    full text, {passage.address}: "{sentence}"')
    yield ""
    yield "; ".join(f"{stage.label}: {stage.ran}" for stage in result.stages)


def answer_lines(result: SearchResult, answer: Answer) -> Iterator[str]:
    """Format the answer, the cited papers (the hits if there is no answer), the evidence, a reply of the chat model
    that is not an answer, the stages and the calls.

    A digest begins with its notes, and each line ends with the first author and the year; a written answer is also
    followed by a digest if papers state values of the quantity in question.
    """
    is_quoted = answer.digest is not None and not answer.is_written
    if answer.digest and answer.digest.findings and is_quoted:
        yield from map(without_control_characters, _digest_lines(answer.digest, answer.sources))
    else:
        yield from map(without_control_characters, answer.text.split("\n"))
    if answer.ads_query and answer.ads_query.link:
        yield answer.ads_query.link
    if answer.digest and answer.is_written:
        yield ""
        yield from map(without_control_characters, _digest_lines(answer.digest, answer.sources))
    yield ""
    papers = answer.sources or tuple(hit.paper for hit in result.hits)
    for n, paper in enumerate(papers, start=1):
        yield f"[{n}] {_title_and_year(paper)} {paper.paper_id}"
    if answer.ledger and not is_quoted:  # a quotation makes no claim to check
        yield ""
        yield from _ledger_lines(answer.ledger)
    if answer.folded:
        yield ""
        yield f"what {answer.folded.model} wrote, not shown as the answer because {answer.folded.reason}:"
        yield from (f"  {without_control_characters(line)}" for line in answer.folded.text.split("\n"))
    yield ""
    yield "; ".join(f"{stage.label}: {stage.ran}" for stage in (*result.stages, *answer.stages))
    yield from _call_lines(answer.calls)


def _digest_lines(digest: Digest, sources: Sequence[Paper]) -> Iterator[str]:
    """Format the notes on a digest, the rule for its form, and its lines, at most `MAX_LINES`: values, or sentences
    under their headings. The number of lines left out comes last.
    """
    if digest.is_weak:
        yield NOT_ANSWERED
    yield from digest.notes
    yield f"Form: {digest.form.value}; {digest.form_reason} (--form changes it)."
    yield ""
    places = {paper.paper_id: n for n, paper in enumerate(sources, start=1)}
    papers = {paper.paper_id: paper for paper in sources}

    def behind(paper_id: str) -> str:
        return f"({byline(papers[paper_id])}) [{places[paper_id]}]"

    if digest.values:
        quotation = None
        for value, finding in zip(digest.values[:MAX_LINES], digest.findings, strict=False):
            yield f"{value_as_text(value)}, {describe(value)} {behind(value.paper_id)}"
            if (value.paper_id, finding.sentence) != quotation:
                yield f"    “{with_insertions(finding)}”{address_of(finding)}"
            quotation = (value.paper_id, finding.sentence)
        if len(digest.values) > MAX_LINES:
            yield f"{len(digest.values) - MAX_LINES} more values (all of them with --json or --values-plot)"
        beside = digest.findings[len(digest.values) :] if len(digest.values) < MAX_LINES else ()
        yield from (f"{as_quotation(finding)}{address_of(finding)} {behind(finding.paper_id)}" for finding in beside)
        return
    heading = None
    findings = _without_repetitions(digest.findings)
    for finding in findings[:MAX_LINES]:
        if finding.heading and finding.heading != heading:
            yield from ("", f"{finding.heading}:") if heading else (f"{finding.heading}:",)
        heading = finding.heading
        yield f"{names_before(digest, finding)}{as_quotation(finding)}{address_of(finding)} {behind(finding.paper_id)}"
    if len(findings) > MAX_LINES:
        yield f"{len(findings) - MAX_LINES} more lines (all of them with --json)"


def _without_repetitions(findings: Sequence[Finding]) -> list[Finding]:
    """Keep only the first finding if several share a sentence, for example one that names two things."""
    firsts: dict[tuple[str, str], Finding] = {}
    for finding in findings:
        firsts.setdefault((finding.paper_id, finding.sentence), finding)
    return list(firsts.values())


def _ledger_lines(ledger: Ledger) -> Iterator[str]:
    """Format the count of each verdict, the totals, and every sentence that a judge did not find supported."""
    sums = (("precision", ledger.precision), ("recall", ledger.recall), ("F1", ledger.f1))
    figures = [*verdict_counts(ledger).values()]
    figures += [f"citation {name} {value:.2f}" for name, value in sums if value is not None]
    yield f"evidence: {', '.join(figures)}"
    for sentence in ledger.sentences:
        second = sentence.second_verdict
        if sentence.verdict is not Verdict.SUPPORTED or second not in (None, Verdict.SUPPORTED):
            reasons = (*([f"chat model: {second.value}"] if second else []), *sentence.reasons)
            why = f" ({'; '.join(reasons)})" if reasons else ""
            yield f"  {sentence.verdict.value}: {without_control_characters(sentence.text)}{why}"


def _call_lines(calls: Sequence[Call]) -> Iterator[str]:
    for call in calls:
        usage = call.usage
        about = "about " if usage and usage.is_estimated else ""
        tokens = f", {about}{usage.tokens_in:,} tokens read and {usage.tokens_out:,} written" if usage else ""
        price = f", ${call.dollars:.4f}" if call.dollars is not None else ""
        ending = f", failed: {call.failure}" if call.failure else ", remembered" if call.is_cached else ""
        yield f"call for {call.purpose}: {call.model}, {call.seconds:.1f} s{tokens}{price}{ending}"


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


def _hit_lines(rank: int, hit: Hit, weighting: Weighting) -> Iterator[str]:
    """Format a paper with its rank, its score as a bar, and the weight, from 0 to 1, of each part of the score."""
    marks = f"{'' if hit.paper.has_abstract else '  [no abstract]'}{'  [outlier]' if hit.outlier else ''}"
    marks += f"  [live: {hit.live}]" if hit.live else ""
    yield f"{rank:2}. {_title_and_year(hit.paper)}{marks}"
    n_full = round(_BAR_CHARACTERS * sum(part.length for part in bar_parts(hit.score, weighting)))
    bar = f"[{'#' * n_full}{'.' * (_BAR_CHARACTERS - n_full)}]"
    yield f"    {bar} {describe_parts(hit.score, weighting)}  {hit.paper.paper_id}"


def _title_and_year(paper: Paper) -> str:
    year = paper.known_year
    mark = f" [{paper.warning}]" if paper.warning else ""
    return f"{paper.title} ({year}){mark}" if year else f"{paper.title}{mark}"
