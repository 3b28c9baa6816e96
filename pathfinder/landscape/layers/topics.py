"""Topics of the thesaurus: its top concepts as contours, and the footprint of any concept."""

from collections.abc import Mapping

import numpy as np

from pathfinder.corpus.thesaurus import Concept, Thesaurus
from pathfinder.errors import UsageError
from pathfinder.landscape.groups import Groups
from pathfinder.landscape.layer import Absent, Column, Layer, Line, Offer, Table
from pathfinder.landscape.layers.colours import colour_of, dash_of
from pathfinder.landscape.layers.concepts import all_concepts, papers_under, top_concepts, with_narrower
from pathfinder.landscape.layers.contours import contours, level_that_holds, smoothed
from pathfinder.landscape.layers.dates import YearSpan, in_words, in_years
from pathfinder.landscape.layers.footprint import counted_in_words, footprint, places, veils
from pathfinder.landscape.layers.missions import TOO_OLD
from pathfinder.landscape.layers.naming import about
from pathfinder.landscape.layers.patches import middle
from pathfinder.landscape.survey import Survey
from pathfinder.types import Floats

SLUG, KIND, TITLE = "topics", "topic", "Topics of the thesaurus"
GROUP = "Topics"
HALF = 0.5
"""Share of a topic's papers that its contour holds."""
NO_THESAURUS = "no thesaurus was given: build with --thesaurus FILE"


def topic_offers(survey: Survey) -> tuple[Offer | Absent, ...]:
    """The contours of all top concepts, then each top concept, then any concept by its name."""
    known = _known(survey)
    if isinstance(known, str):
        return Absent(SLUG, TITLE, known), Absent(KIND, "A topic", known)
    thesaurus, groups = known
    concepts = all_concepts(thesaurus)
    offers = [Offer(SLUG, TITLE, f"Where half of the papers of each top concept of the {thesaurus.name} lie.", GROUP)]
    for top in top_concepts(concepts):
        n = len(papers_under(groups, with_narrower(concepts, top.concept_id)))
        says = f"Where papers on {top.label} are denser than all papers."
        offers.append(Offer(f"{KIND}:{top.label.casefold()}", top.label, says, GROUP, n))
    needs = f"a concept of the {thesaurus.name}, such as {concepts[0].label}"
    return (*offers, Offer(KIND, "A topic", "Where the papers on a concept lie.", GROUP, None, needs))


def topics_layer(survey: Survey) -> Layer | Absent:
    """The top concepts, each as the contour of the smallest area that holds half of its papers.

    A paper counts for a top concept by the share of its own concepts that stand under it, so that one with many
    concepts counts no more than one with few.
    """
    known = _known(survey)
    if isinstance(known, str):
        return Absent(SLUG, TITLE, known)
    thesaurus, groups = known
    tops = top_concepts(all_concepts(thesaurus))
    shares = top_shares(survey, groups, thesaurus)
    lines: list[Line] = []
    table: list[tuple[str | float | int | None, ...]] = []
    for place, top in enumerate(tops):
        share = shares[top.concept_id]
        if share.any():
            lines += _outline(survey, share, top.label, place)
            rows = np.flatnonzero(share >= HALF)
            where = middle(survey, rows) if len(rows) else (None, None)
            table.append((top.label, round(float(share.sum()), 1), len(rows), about(survey, rows), *where))
    says = (
        f"Each line encloses the smallest area that holds half of the papers of one top concept of the "
        f"{thesaurus.name}. A paper counts by the share of its concepts that stand under it."
    )
    columns = (
        Column("topic"),
        Column("papers", "sum of the shares"),
        Column("mostly", "papers with at least half of their concepts under it"),
        Column("about", "keywords of these, that are rare elsewhere"),
        Column("x", "of the middle of these"),
        Column("y", "of the middle of these"),
    )
    return Layer(
        SLUG, TITLE, says, lines=tuple(lines), table=Table(columns, tuple(table)), notes=_notes(survey, groups, shares)
    )


def _notes(survey: Survey, groups: Groups, shares: Mapping[str, Floats]) -> tuple[str, ...]:
    """How many papers no line is about, and why."""
    has_concept = np.zeros(len(survey.papers), dtype=np.bool_)
    has_concept[papers_under(groups, frozenset(groups.names))] = True
    is_under_none = has_concept & (np.sum([*shares.values()], axis=0) == 0)
    n = len(survey.papers)
    notes = [f"{int((~has_concept).sum()):,} of {n:,} papers have no concept among their keywords"]
    if is_under_none.any():
        notes.append(f"{int(is_under_none.sum()):,} of {n:,} papers have only concepts that stand under none of these")
    return tuple(notes)


def top_shares(survey: Survey, groups: Groups, thesaurus: Thesaurus) -> Mapping[str, Floats]:
    """For each top concept by its id, the share of each paper's concepts that stand under it; a paper's add up to 1.

    A concept under several top concepts counts for each in equal parts.
    """
    concepts = all_concepts(thesaurus)
    tops = [top.concept_id for top in top_concepts(concepts)]
    under: dict[str, list[int]] = {}
    for place, top in enumerate(tops):
        for concept_id in with_narrower(concepts, top):
            under.setdefault(concept_id, []).append(place)
    weights = np.zeros((len(tops), len(survey.papers)))
    for at, name in enumerate(groups.names):
        for place in under.get(name, ()):
            weights[place, groups.rows_at(at)] += 1 / len(under[name])
    total = weights.sum(axis=0)
    weights /= np.where(total > 0, total, 1.0)
    return dict(zip(tops, weights, strict=True))


def topic_layer(survey: Survey, name: str, years: YearSpan | None = None) -> Layer | Absent:
    """The papers on one concept and on what stands under it: contour, footprint and places.

    Raises `UsageError` for a name that is no concept's, or several'.
    """
    known = _known(survey)
    if isinstance(known, str):
        return Absent(f"{KIND}:{name}", name, known)
    thesaurus, groups = known
    concept = _concept(thesaurus, name)
    slug = f"{KIND}:{concept.label.casefold()}"
    comparable = in_years(survey, years or (None, None))
    rows = papers_under(groups, with_narrower(all_concepts(thesaurus), concept.concept_id))
    rows = rows[comparable[rows]]
    if not len(rows):
        span = f" ({in_words(years)})" if years else ""
        why = f"no paper here{span} has {concept.label}, or a concept under it, as a keyword: name a broader concept"
        return Absent(slug, concept.label, why)
    found = footprint(survey, rows, comparable)
    weight = np.zeros(len(survey.papers))
    weight[rows] = 1.0
    return Layer(
        slug,
        concept.label,
        f"{len(rows):,} of {int(comparable.sum()):,} papers have {concept.label}, or a concept under it in the "
        f"{thesaurus.name}, as a keyword or within one; the line holds half of them. {counted_in_words(found)}",
        cells=veils(survey, found, concept.label, colour_of(0)),
        lines=tuple(_outline(survey, weight, concept.label, 0)),
        table=places(survey, rows, comparable, found),
    )


def _known(survey: Survey) -> tuple[Thesaurus, Groups] | str:
    if survey.thesaurus is None:
        return NO_THESAURUS
    return TOO_OLD if survey.concepts is None else (survey.thesaurus, survey.concepts)


def _concept(thesaurus: Thesaurus, name: str) -> Concept:
    found = {concept.concept_id: concept for _, concept in thesaurus.named(name)}
    if len(found) == 1:
        return next(iter(found.values()))
    if not found:
        tops = ", ".join(top.label for top in top_concepts(all_concepts(thesaurus)))
        raise UsageError(f"the {thesaurus.name} has no concept {name!r}: name one that it has, such as {tops}")
    raise UsageError(f"{name!r} means {', '.join(sorted(c.label for c in found.values()))}: name one of them")


def _outline(survey: Survey, weight: Floats, title: str, place: int) -> list[Line]:
    """As the one at `place` in a list is drawn."""
    density = smoothed(survey.grid.add_up(survey.cells, weight))
    found = contours(survey.grid, density, level_that_holds(density, HALF))
    return [Line(line, colour_of(place), title, dash=dash_of(place)) for line in found]
