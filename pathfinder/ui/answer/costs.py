"""Shows the calls to the chat model, each with its duration in seconds, tokens and price, where known."""

from collections.abc import Sequence

import streamlit as st

from pathfinder.text.english import counted
from pathfinder.text.latex.display import for_markdown
from pathfinder.types import Call

UNKNOWN = "not known"


def panel(calls: Sequence[Call], key: str = "calls") -> None:
    """Show one line with the totals for all calls, which expands into a table; show nothing if there were none."""
    if not calls:
        return
    with st.expander(for_markdown(description(calls)), key=key, type="compact"):
        st.table(rows(calls))
        if all(call.dollars is None for call in calls):
            st.caption(
                "No price is known. A price is shown if the provider reports one, or if PATHFINDER_CHAT_PRICE_IN and "
                "PATHFINDER_CHAT_PRICE_OUT are set, in US dollars per million tokens."
            )


def description(calls: Sequence[Call]) -> str:
    """Describe the calls: "3 calls to a chat model: about 2,310 tokens, 4.2 s, $0.0012, 1 remembered".

    Remembered calls cost neither time nor money. Seconds are summed over the calls, even if some ran at the same time.
    """
    paid_calls = [call for call in calls if not call.is_cached]
    n_remembered, n_failed = len(calls) - len(paid_calls), sum(call.failure is not None for call in calls)
    usages = [call.usage for call in paid_calls if call.usage is not None]
    about = "about " if any(usage.is_estimated for usage in usages) else ""
    prices = [call.dollars for call in paid_calls if call.dollars is not None]
    at_least = "" if len(prices) == len(paid_calls) else "at least "  # the price of some calls is unknown
    price = f"{at_least}{dollars(sum(prices))}" if prices or not paid_calls else ""
    parts = [
        f"{about}{sum(usage.tokens_in + usage.tokens_out for usage in usages):,} tokens",
        f"{sum(call.seconds for call in paid_calls):,.1f} s",
        price,
    ]
    parts += [f"{n_remembered} remembered"] if n_remembered else []
    parts += [f"{n_failed} failed"] if n_failed else []
    return f"{counted(len(calls), 'call')} to a chat model: {', '.join(part for part in parts if part)}"


def rows(calls: Sequence[Call]) -> list[dict[str, str]]:
    """Return one table row per call, in the order in which the calls ended, with all text escaped for Markdown."""
    return [
        {
            "Purpose": for_markdown(call.purpose),
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
    """Write a price with two significant digits: "$0", "$0.0012", "$1.20"; a small price is never rounded to zero."""
    if amount == 0:
        return "$0"
    return f"${amount:,.2f}" if amount >= 0.1 else f"${amount:.2g}" if amount >= 0.0001 else "below $0.0001"


def _count(call: Call, name: str) -> str:
    if call.usage is None:
        return UNKNOWN
    return f"{'about ' if call.usage.is_estimated else ''}{getattr(call.usage, name):,}"
