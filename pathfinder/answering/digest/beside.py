"""The values stated in papers, as a digest shown alongside an answer written by a chat model."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from pathfinder.answering.digest.form import choose_form
from pathfinder.answering.digest.insertions import insertions_for
from pathfinder.answering.digest.values import values_of_papers
from pathfinder.assessment.values.claimed_values import claimed_values
from pathfinder.assessment.values.target import target_quantity
from pathfinder.profile import Profile
from pathfinder.text.quantities.decimal_commas import with_decimal_points
from pathfinder.text.quantities.measurements import measurements
from pathfinder.types import Digest, DigestForm, Paper

STATED_IN_ANSWER = "the answer states a value of the {}"


def values_beside(
    question: str,
    text: str,
    sources: Iterable[Paper],
    further: Sequence[Paper] = (),
    requested_form: DigestForm | None = None,
    profile: Profile | None = None,
) -> Digest | None:
    """Return the values that `sources` state for the quantity that `question` asks for, to be shown alongside the
    answer `text`.

    Returns `None` if the papers state no such value, or if the question does not ask for values and the answer does not
    state one. `further` holds papers that the search ranks below the sources; `profile` is that of the corpus.
    """
    choice = choose_form(question, requested_form, profile)
    reason = choice.reason if choice.form is DigestForm.VALUES else _reason_in_answer(question, text, profile)
    if reason is None or (requested_form not in (None, DigestForm.VALUES)):
        return None
    papers = list(sources)
    lines = values_of_papers(question, papers, further, profile)
    if lines is None:
        return None
    papers_by_id = {paper.paper_id: paper for paper in (*further, *papers)}
    findings = tuple(
        replace(finding, inserted=insertions_for(papers_by_id[finding.paper_id], finding.start, finding.end, profile))
        for finding in lines.findings
    )
    return Digest(DigestForm.VALUES, reason, findings, values=lines.values, notes=lines.notes, value_age=lines.age)


def _reason_in_answer(question: str, text: str, profile: Profile | None) -> str | None:
    """Return the reason for showing values, which is that the answer states a value of the quantity; `None` if it
    states none.
    """
    target = target_quantity(question, profile)
    if target is None:
        return None
    kind = target.kind
    numbers = measurements(with_decimal_points(text))
    has_unit = any(number.unit and number.unit.dimensions in kind.dimensions for number in numbers)
    is_stated = has_unit or any(value.quantity == kind.name for value in claimed_values(text, profile=profile))
    return STATED_IN_ANSWER.format(kind.name) if is_stated else None
