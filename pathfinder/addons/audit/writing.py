"""An audit in words: in a sentence or two, as lines, and as Markdown."""

from collections.abc import Iterator

from pathfinder.addons.audit.outcome import Audit, CitingSentence, SentenceVerdict
from pathfinder.text.latex.display import for_markdown

MOST_SHOWN = 10
"""Number of works to consider that are written for people; JSON has them all."""


def describe_audit(audit: Audit) -> str:
    """Say how many sentences cite, how they fare, and what else was found, in a sentence or two."""
    counts = ", ".join(f"{audit.n_with(verdict)} {verdict}" for verdict in SentenceVerdict)
    n_faults = sum(sentence.is_fault for sentence in audit.sentences)
    return (
        f"{len(audit.sentences)} sentences cite works: {counts}. {n_faults} of them to look at first, "
        f"{len(audit.remarks)} remarks on the bibliography, {len(audit.suggestions)} works to consider."
    )


def to_look_at(audit: Audit) -> list[CitingSentence]:
    """Return the sentences with a fault, then those that were not found in their sources."""
    faults = [sentence for sentence in audit.sentences if sentence.is_fault]
    missing = (SentenceVerdict.NOT_FOUND, SentenceVerdict.CONTRADICTED)
    return faults + [each for each in audit.sentences if not each.is_fault and each.verdict in missing]


def audit_lines(audit: Audit) -> Iterator[str]:
    """Write an audit for a terminal."""
    yield describe_audit(audit)
    for sentence in to_look_at(audit):
        yield f"{sentence.number}. {'to correct? ' if sentence.is_fault else ''}{sentence.verdict}: {sentence.text}"
        yield from (f"    {reason}" for reason in sentence.reasons)
        for each in sentence.evidence[:1]:
            yield f'    {each.paper.paper_id}, {each.place}: "{each.sentence}"'
    for remark in audit.remarks:
        yield f"{remark.key}: {remark.kind}; {remark.text}"
    for suggestion in audit.suggestions[:MOST_SHOWN]:
        year = suggestion.paper.known_year or "no year"
        yield f"consider {suggestion.paper.paper_id}, {suggestion.paper.title} ({year}): {suggestion.reason}"


def sentence_markdown(sentence: CitingSentence) -> str:
    """Write the verdict on a sentence, with the reasons and the closest sentence of the source."""
    parts = [f"**{sentence.number}. {sentence.verdict}**", *map(for_markdown, sentence.reasons)]
    for each in sentence.evidence[:1]:
        place = for_markdown(f"{each.paper.title}, {each.place}")
        parts.append(f"{place}: “{for_markdown(each.sentence)}”")
    return "; ".join(parts)


def audit_markdown(audit: Audit) -> str:
    """Write an audit as Markdown: every citing sentence in its section, the bibliography, and works to consider."""
    lines = [f"# {for_markdown(audit.title or audit.file)}", "", for_markdown(describe_audit(audit))]
    heading = None
    for sentence in audit.sentences:
        if sentence.heading != heading:
            heading = sentence.heading
            lines += ["", f"## {for_markdown(heading) or 'No heading'}"]
        lines += [
            "",
            f"> {for_markdown(sentence.text)}",
            "",
            f"{'⚠ ' * sentence.is_fault}{sentence_markdown(sentence)}",
        ]
    if audit.remarks:
        lines += ["", "## Bibliography", ""]
        lines += [f"- `{each.key}`: {each.kind}; {for_markdown(each.text)}" for each in audit.remarks]
    if audit.suggestions:
        lines += ["", "## Works to consider", ""]
    for each in audit.suggestions:
        title = for_markdown(f"{each.paper.title} ({each.paper.known_year or 'no year'}), {each.paper.paper_id}")
        lines.append(
            f"- {title}: {for_markdown(each.reason)}; closest to a paragraph in “{for_markdown(each.heading)}”"
        )
    return "\n".join((*lines, ""))
