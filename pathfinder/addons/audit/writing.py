"""An audit in words: in a sentence or two, as lines, and as Markdown."""

from collections.abc import Callable, Iterator

from pathfinder.addons.audit.outcome import Audit, CitingSentence, RemarkKind, SentenceVerdict
from pathfinder.text.latex.display import for_markdown
from pathfinder.text.markdown import in_markdown

MOST_SHOWN = 10
"""Number of works to consider that are written for people; JSON has them all."""
MOST_UNCITED = 5
"""Number of works never cited that are written for people, because a .bib file may be shared by many drafts."""


def describe_audit(audit: Audit) -> str:
    """Say how many sentences cite, how they fare, and what else was found, in a sentence or two."""
    counts = ", ".join(f"{audit.n_with(verdict)} {verdict}" for verdict in SentenceVerdict)
    n_faults = sum(sentence.is_fault for sentence in audit.sentences)
    to_consider = "not looked for" if audit.suggestions is None else str(len(audit.suggestions))
    return (
        f"{len(audit.sentences)} sentences cite works: {counts}. {n_faults} of them to look at first. Remarks on the "
        f"bibliography: {len(list(remark_lines(audit)))}. Works to consider: {to_consider}."
    )


def remark_lines(audit: Audit) -> Iterator[str]:
    """Write each remark on a line; of many works that are listed and never cited, one line names the first few."""
    uncited = [remark.key for remark in audit.remarks if remark.kind is RemarkKind.NOT_CITED]
    is_folded = len(uncited) > MOST_UNCITED
    for remark in audit.remarks:
        if not (is_folded and remark.kind is RemarkKind.NOT_CITED):
            yield f"{remark.key}: {remark.kind}; {remark.text}"
    if is_folded:
        names = ", ".join(uncited[:MOST_UNCITED])
        yield f"{RemarkKind.NOT_CITED}: {len(uncited)} works that the bibliography lists, among them {names}"


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
    yield from remark_lines(audit)
    for suggestion in (audit.suggestions or ())[:MOST_SHOWN]:
        year = suggestion.paper.known_year or "no year"
        yield f"consider {suggestion.paper.paper_id}, {suggestion.paper.title} ({year}): {suggestion.reason}"


def sentence_markdown(sentence: CitingSentence, escape: Callable[[str], str] = for_markdown) -> str:
    """Write the verdict on a sentence, with the reasons and the closest sentence of the source."""
    parts = [f"**{sentence.number}. {sentence.verdict}**", *map(escape, sentence.reasons)]
    for each in sentence.evidence[:1]:
        place = escape(f"{each.paper.title}, {each.place}")
        parts.append(f"{place}: “{escape(each.sentence)}”")
    return "; ".join(parts)


def audit_markdown(audit: Audit) -> str:
    """Write an audit as Markdown: every citing sentence in its section, the bibliography, and works to consider."""
    lines = [f"# {in_markdown(audit.title or audit.file)}", "", in_markdown(describe_audit(audit))]
    heading = None
    for sentence in audit.sentences:
        if sentence.heading != heading:
            heading = sentence.heading
            lines += ["", f"## {in_markdown(heading) or 'No heading'}"]
        lines += [
            "",
            f"> {in_markdown(sentence.text)}",
            "",
            f"{'⚠ ' * sentence.is_fault}{sentence_markdown(sentence, in_markdown)}",
        ]
    if audit.remarks:
        lines += ["", "## Bibliography", ""]
        lines += [f"- {in_markdown(line)}" for line in remark_lines(audit)]
    if audit.suggestions:
        lines += ["", "## Works to consider", ""]
    for each in audit.suggestions or ():
        title = in_markdown(f"{each.paper.title} ({each.paper.known_year or 'no year'}), {each.paper.paper_id}")
        lines.append(f"- {title}: {in_markdown(each.reason)}; closest to a paragraph in “{in_markdown(each.heading)}”")
    return "\n".join((*lines, ""))
