"""`pathfinder shelf morning`: the papers of the last days that are close to those on a shelf."""

import datetime
from typing import Annotated

from pydantic import Field

from pathfinder.addons.standing.morning import MAX_DAYS, Morning
from pathfinder.addons.standing.morning_operation import (
    CATEGORIES_HELP,
    DAYS_HELP,
    OPERATION,
    UNTIL_HELP,
    sources_of,
)
from pathfinder.addons.standing.mornings import OwnMornings, StoredMornings, run_morning
from pathfinder.facade import Pathfinder
from pathfinder.operations.operation import Shell, declare
from pathfinder.operations.shelves import ShelfName
from pathfinder.settings import read_settings
from pathfinder.shelves.shelf import ShelfStore
from pathfinder.user_data import data_folder

_FROM = "Any other source of new papers, such as a file, arxiv:QUERY or oai:SET."
_STAR = "First star this paper of an earlier morning: later ones look for more like it."
_NOT = "First mark this paper of an earlier morning as not for you."


@declare(
    "shelf morning",
    settings=(),
    folder_first=True,
    result=OPERATION.result,
    lines=OPERATION.lines,
    failures=OPERATION.failures,
    forms=OPERATION.forms,
)
def morning(
    pf: Pathfinder,
    name: ShelfName,
    category: Annotated[list[str] | None, Field(description=CATEGORIES_HELP)] = None,
    source: Annotated[list[str] | None, Shell("--from SOURCE", _FROM)] = None,
    days: Annotated[int | None, Shell("--days N", DAYS_HELP), Field(ge=1, le=MAX_DAYS)] = None,
    until: Annotated[str | None, Shell("--until DAY", UNTIL_HELP)] = None,
    most: Annotated[int, Field(ge=1, le=200, description="Number of papers to list.")] = 20,
    star: Annotated[list[str] | None, Shell("--star PAPER_ID", _STAR)] = None,
    not_for_me: Annotated[list[str] | None, Shell("--not-for-me PAPER_ID", _NOT)] = None,
) -> Morning:
    """Rank the papers of the last days by how close they are to a shelf; its sources are stored for the next time."""
    shelf = ShelfStore.of(pf.corpus.folder).shelf(name)
    store = StoredMornings(data_folder(read_settings()), pf.corpus.name)
    today = datetime.datetime.now(datetime.UTC).date()
    words = [(paper_id, True) for paper_id in star or ()] + [(paper_id, False) for paper_id in not_for_me or ()]
    if words:

        def with_words(own: OwnMornings) -> OwnMornings:
            for paper_id, is_star in words:
                own = own.marked(paper_id, is_star=is_star, on=today)
            return own

        store.change(name, with_words)
    own = store.read(name)
    sources = [*(sources_of(category) if category else ()), *(source or ())] or [*own.sources]
    return run_morning(pf, shelf, store, sources or sources_of(()), days or own.days, until, most)
