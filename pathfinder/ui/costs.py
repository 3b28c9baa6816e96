"""What the chat model was asked: each call with its seconds, its tokens and its price, where one is known."""

from collections.abc import Sequence

import streamlit as st

from pathfinder.export.latex import for_markdown
from pathfinder.types import Call

UNKNOWN = "not known"


def panel(calls: Sequence[Call], key: str = "calls") -> None:
    """One line that says what all calls took, and a table of them in it; nothing where there was none."""
    if not calls:
        return
    with st.expander(for_markdown(in_words(calls)), key=key, type="compact"):
        st.table(rows(calls))
        if all(call.dollars is None for call in calls):
            st.caption(
                "No price is known. It is shown where the provider says it, and where PATHFINDER_CHAT_PRICE_IN and "
                "PATHFINDER_CHAT_PRICE_OUT are set, in US dollars for a million tokens."
            )


def in_words(calls: Sequence[Call]) -> str:
    """ "3 calls of a chat model: about 2,310 tokens, 4.2 s, $0.0012, 1 remembered"; remembered calls take nothing.

    Seconds are those of the calls added up; some may have been made at the same time.
    """
    paid = [call for call in calls if not call.is_cached]
    n_remembered, n_failed = len(calls) - len(paid), sum(call.failure is not None for call in calls)
    parts = [_tokens_in_words(paid), f"{sum(call.seconds for call in paid):,.1f} s", _dollars_in_words(paid)]
    parts += [f"{n_remembered} remembered"] if n_remembered else []
    parts += [f"{n_failed} failed"] if n_failed else []
    head = "1 call" if len(calls) == 1 else f"{len(calls)} calls"
    return f"{head} of a chat model: {', '.join(part for part in parts if part)}"


def rows(calls: Sequence[Call]) -> list[dict[str, str]]:
    """The table, a row a call in the order in which they ended; its texts are escaped for Markdown."""
    return [
        {
            "For": for_markdown(call.purpose),
            "Model": for_markdown(call.model),
            "Seconds": f"{call.seconds:,.1f}",
            "Tokens in": _count(call, "tokens_in"),
            "Tokens out": _count(call, "tokens_out"),
            "Price": UNKNOWN if call.dollars is None else for_markdown(dollars(call.dollars)),
            "Remark": "remembered" if call.is_cached else for_markdown(call.failure or ""),
        }
        for call in calls
    ]


def dollars(amount: float) -> str:
    """ "$0", "$0.0012", "$1.20": two digits that count, and never a small price as nothing."""
    if amount == 0:
        return "$0"
    return f"${amount:,.2f}" if amount >= 0.1 else f"${amount:.2g}" if amount >= 0.0001 else "below $0.0001"


def _count(call: Call, name: str) -> str:
    if call.usage is None:
        return UNKNOWN
    return f"{'about ' if call.usage.is_estimated else ''}{getattr(call.usage, name):,}"


def _tokens_in_words(paid: Sequence[Call]) -> str:
    known = [call.usage for call in paid if call.usage is not None]
    about = "about " if any(usage.is_estimated for usage in known) else ""
    return f"{about}{sum(usage.tokens_in + usage.tokens_out for usage in known):,} tokens"


def _dollars_in_words(paid: Sequence[Call]) -> str:
    """The price of those whose price is known; that of the others comes on top."""
    known = [call.dollars for call in paid if call.dollars is not None]
    if not known:
        return "" if paid else dollars(0)
    return f"{'' if len(known) == len(paid) else 'at least '}{dollars(sum(known))}"
