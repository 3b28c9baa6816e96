"""The corpus that a visitor has open: the server's own, or another that is offered to them."""

import datetime
from collections.abc import Mapping
from pathlib import Path

import streamlit as st

from pathfinder.corpus.manifest import corpora_at, is_corpus
from pathfinder.errors import UsageError
from pathfinder.settings import Settings, read_settings, user_data_folder
from pathfinder.ui.shared import visitors
from pathfinder.ui.shared.own_machine import cookie, is_visited_here, remember
from pathfinder.user_data.owner import PARAMETER as OWNER_LINK

LINK = "corpus"
"""Parameter of a link to a corpus other than the server's own."""
KEY = "visit"
"""Parameter in the address of the Corpus page: the key to the corpora that a visitor to a public page has built."""
YEAR_LINK = "as-of"
"""Parameter of a link to any page as of a given year."""
OF_PLACES = frozenset({"look", "part", "step", "trial"})
"""Parameters that name the part of a place, which stay in the address while it is drawn."""
OF_LIST = frozenset({"shown", "selected", "before", "all-values"})
"""Parameters that say how the papers and the values of a result are seen, which papers are selected and how they stood
before.
"""
PARAMETERS = frozenset({LINK, KEY, YEAR_LINK, OWNER_LINK}) | OF_PLACES | OF_LIST
"""Parameters of any address that are not read by what a page draws. Streamlit puts the key into the address of the
previous page for a moment, on the way to the Library.
"""
_VISIT_CORPUS, _LINKED_FOLDERS, _UNKNOWN = "visit-corpus", "visit-linked", "visit-unknown-corpus"
_KEY, _KEY_IS_UNKNOWN = "visit-key", "visit-key-is-unknown"
_MADE_HERE = "visit-key-made-here"
OFFERED_KEY, CAME_WITH_LINK = "visit-offered-key", "visit-key-came-with-link"
"""Where the session says that a link has offered the key to another set of corpora than the visitor's own, and that the
visitor's only key is the one in the address, which may be their bookmark or a stranger's.
"""
COOKIE = "pathfinder-visit"
"""Cookie with the key that this browser was given, never one from a link."""
_YEAR, _YEAR_IS_UNREADABLE = "visit-as-of", "visit-as-of-is-unreadable"
_OF_VISIT = "visit-"
"""Prefix of the session-state keys that are kept when another corpus is opened."""


def folder_of_visit() -> Path | None:
    """Return the folder of the corpus that is open for this visitor; `None` if there is none to open."""
    settings, folder = read_settings(), st.session_state.get(_VISIT_CORPUS)
    if folder is None and settings.corpus is not None:
        return settings.corpus
    folders = list(offered_corpora().values())
    return folder if folder in folders else next(iter(folders), None)


def offered_corpora() -> dict[str, Path]:
    """Return the corpora that this visitor may open, by name, the server's own first.

    Corpora that were built on the page are offered to their builder, to whoever has a link to one, and to whoever sits
    at this machine.
    """
    settings = read_settings()
    home, own = new_corpora(settings), own_folder()
    folders = [*filter(None, [settings.corpus])]
    for folder in settings.corpora:
        folders += corpora_at(folder) or (folder,)  # opening it then says what is wrong
    if is_visited_here():
        inside = sorted(home.iterdir()) if home.is_dir() else []
        folders += [*filter(is_corpus, inside), *visitors.all_corpora(home)]
    folders += visitors.corpora_in(own) if own else ()
    folders += filter(is_corpus, st.session_state.get(_LINKED_FOLDERS, ()))
    by_name: dict[str, Path] = {}
    for folder in dict.fromkeys(folders):
        name = folder.resolve().name
        by_name[name if name not in by_name else f"{name}-{len(by_name) + 1}"] = folder
    return by_name


def new_corpora(settings: Settings) -> Path:
    """Return the folder in which the page builds corpora."""
    return settings.new_corpora or user_data_folder()


def new_place(name: str) -> Path:
    """Return the folder for a new corpus built by this visitor to a public page, who is given a key with their first
    corpus. Raises `UsageError` if they already have as many corpora as the owner allows.
    """
    settings = read_settings()
    home = new_corpora(settings)
    visitors.check_number(st.session_state.get(_KEY, ""), home, settings.visitors_max_corpora)
    if not st.session_state.get(_KEY):
        st.session_state[_KEY] = st.session_state[_MADE_HERE] = visitors.new_key()
    key = st.session_state[_KEY]
    place = visitors.new_place(name, key, home)
    visitors.make_folder(place.parent, home)
    return place


def own_folder() -> Path | None:
    """Return the folder with the corpora that this visitor has built on a public page; `None` if they have no key."""
    key = st.session_state.get(_KEY)
    return visitors.folder_of(key, new_corpora(read_settings())) if key else None


def is_own(folder: Path) -> bool:
    """Return whether this visitor has built the corpus in `folder`, or has the key of the visitor who did."""
    own = own_folder()
    return own is not None and folder.is_relative_to(own)


def read_key() -> None:
    """Take the key from the address of the Corpus page, if it leads to any corpus.

    A visitor who already has another key, from this visit or an earlier one in this browser, keeps it: the link may be
    a stranger's, who would find there whatever the visitor builds. The other key is only offered (`offered_key`).
    """
    home = new_corpora(read_settings())
    own, key, kept = st.session_state.get(_KEY) or None, st.query_params.get(KEY), cookie(COOKIE)
    if own is None and kept and visitors.folder_of(kept, home).is_dir():
        own = kept
    if own is not None:
        st.session_state[_KEY] = own
    if key is None or key == own:
        return
    if not visitors.folder_of(key, home).is_dir():
        st.session_state[_KEY_IS_UNKNOWN] = True
    elif own is None:
        st.session_state[_KEY], st.session_state[CAME_WITH_LINK] = key, True
    else:
        st.session_state[OFFERED_KEY] = key


def remember_key() -> None:
    """Have the browser keep the key that this visitor was given in this visit."""
    if key := st.session_state.get(_MADE_HERE):
        remember(COOKIE, key)


def answer_offer(*, opens: bool) -> None:
    """Keep the visitor's own key, or take the offered one for this visit; for use by a button."""
    key = st.session_state.pop(OFFERED_KEY, None)
    if opens and key is not None:
        _leave_set()
        st.session_state[_KEY] = key


def begin_own_set() -> None:
    """Leave the set of corpora of the address, so that the next corpus begins another; for use by a button."""
    _leave_set()
    if KEY in st.query_params:
        del st.query_params[KEY]


def _leave_set() -> None:
    """Forget the key and all corpora that it has led to, so that two sets never mix."""
    for name in (_KEY, CAME_WITH_LINK, _VISIT_CORPUS, _LINKED_FOLDERS):
        st.session_state.pop(name, None)
    if LINK in st.query_params:
        del st.query_params[LINK]


def write_link(own: Mapping[str, str | list[str]] | None = None, *, with_key: bool = False) -> None:
    """Write the open corpus and a page's `own` parameters to the address, so that reloading the page opens the same
    again. In the Library, the key is written too (`with_key`); no other address contains it, because other addresses
    are shared.
    """
    now = {name: st.query_params.get_all(name) for name in st.query_params}
    parameters = {**(own or {}), **{name: now[name] for name in OF_PLACES & now.keys()}, **link_parameters()}
    if with_key and (key := st.session_state.get(_KEY)):
        parameters[KEY] = key
    if now != {name: [texts] if isinstance(texts, str) else texts for name, texts in parameters.items()}:
        st.query_params.from_dict(parameters)


def choose(folder: Path) -> None:
    """Open the corpus in `folder` for this visitor; everything on screen belongs to the previous corpus, and is
    forgotten. For use by a button, before the page is drawn again.
    """
    visitors.note_use(folder, new_corpora(read_settings()))
    for key in [str(key) for key in st.session_state]:
        if not key.startswith(_OF_VISIT):
            del st.session_state[key]
    st.session_state[_VISIT_CORPUS] = folder
    if LINK in st.query_params:  # it names the previous corpus, which the next run would open again
        del st.query_params[LINK]


def year() -> int | None:
    """Return the year as of which this visitor reads the corpus; `None` for the whole corpus."""
    last: int | None = st.session_state.get(_YEAR)
    return last


def choose_year(year: int | None) -> None:
    """Read the corpus as of `year`, or the whole corpus; for use by a button, before the page is drawn again."""
    st.session_state[_YEAR] = year
    if year is not None:
        st.query_params[YEAR_LINK] = str(year)
    elif YEAR_LINK in st.query_params:
        del st.query_params[YEAR_LINK]


def begin_run() -> None:
    """Open the corpus that the link names, if it is offered to this visitor, as of the year that it names; app.py does
    this before anything else.
    """
    text = st.query_params.get(YEAR_LINK)
    if text is not None and text.isascii() and text.isdigit() and len(text) <= len(str(datetime.MAXYEAR)):
        st.session_state[_YEAR] = int(text)
    elif text is not None:
        st.session_state[_YEAR_IS_UNREADABLE] = text[:80]
        del st.query_params[YEAR_LINK]
    name = st.query_params.get(LINK)
    if name is None:
        return
    try:
        folder = offered_corpora().get(name)
        if folder is None and (linked := visitors.corpus_at(name, new_corpora(read_settings()))) is not None:
            folder = linked  # it is offered for the rest of this visit
            if linked not in offered_corpora().values():
                st.session_state[_LINKED_FOLDERS] = (*st.session_state.get(_LINKED_FOLDERS, ()), linked)
    except UsageError:
        return  # the page that is drawn next reports what is wrong with the settings
    st.session_state[_UNKNOWN] = name if folder is None else None
    if folder is None:
        del st.query_params[LINK]
    elif folder != folder_of_visit():
        choose(folder)
        st.query_params[LINK] = name


def year_note() -> str | None:
    """Return a note if the year in the address could not be read."""
    text = st.session_state.pop(_YEAR_IS_UNREADABLE, None)
    return (
        f"The link's as-of={text!r} is not a year such as 2015: choose one behind the library's name." if text else None
    )


def notes() -> tuple[str, ...]:
    """Return a note if the link names a corpus that is not offered, another if its key leads to no corpus."""
    name, days = st.session_state.pop(_UNKNOWN, None), read_settings().visitors_keep_days
    unknown = f"the link's library {str(name)[:80]!r} is not offered here, so another one is open"
    expiry_note = f"there are no libraries at this address: libraries that nobody opens for {days} days are deleted"
    leads_nowhere = bool(st.session_state.pop(_KEY_IS_UNKNOWN, False))
    return (unknown,) * (name is not None) + (expiry_note,) * leads_nowhere


def link_parameters() -> dict[str, str]:
    """Return the parameters of a link to this corpus and year; none for the server's own as of today."""
    folder, settings = st.session_state.get(_VISIT_CORPUS), read_settings()
    as_of = {} if year() is None else {YEAR_LINK: str(year())}
    if folder is None or folder == settings.corpus:
        return as_of
    name = next((name for name, other in offered_corpora().items() if other == folder), None)
    return as_of if name is None else {LINK: visitors.link_name(folder, new_corpora(settings)) or name, **as_of}
