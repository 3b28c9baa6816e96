"""Which papers of a corpus name which mission."""

from pathfinder.corpus.papers import PaperTable
from pathfinder.landscape.groups import Groups
from pathfinder.landscape.missions.catalogue import missions
from pathfinder.landscape.missions.matching import Matcher

_AT_ONCE = 5000


def papers_by_mission(papers: PaperTable) -> Groups:
    """The papers that name each mission of the catalogue, of whatever year, by its slug.

    Read are the title, the abstract and the subjects that authors or curators gave; the keywords that were found in
    title and abstract are in these already, and stand there with the neighbours that say what they mean.
    """
    matcher = Matcher()
    slugs = [mission.slug for mission in missions()]
    found: dict[str, list[int]] = {slug: [] for slug in slugs}
    row = 0
    columns = [papers.column(name) for name in ("title", "abstract", "subjects")]
    for start in range(0, len(papers), _AT_ONCE):
        titles, abstracts, subjects = (column.slice(start, _AT_ONCE).to_pylist() for column in columns)
        for title, abstract, given in zip(titles, abstracts, subjects, strict=True):
            for place in sorted(matcher.named(f"{title}. {abstract}\n{'; '.join(given)}")):
                found[slugs[place]].append(row)
            row += 1
    return Groups.of(found)
