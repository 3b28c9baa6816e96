"""An ADS query read piece by piece, and every fault in it with its place and the way out."""

import re

from pathfinder.answering.ads_query.cursor import Cursor, Parsed, Term, meant
from pathfinder.answering.ads_query.fields import FIELDS, FUNCTIONS, QUERY_FUNCTIONS, SORTS, Kind
from pathfinder.answering.ads_query.foreign import foreign, unseen
from pathfinder.answering.ads_query.tokens import Sort, Token, tokens
from pathfinder.answering.ads_query.values import wrong_range, wrong_word

MAX_DEPTH = 20
"""Parentheses in parentheses."""

_ENDS = {Sort.END, Sort.CLOSE}
_ENDS_ARGUMENT = {Sort.END, Sort.CLOSE, Sort.COMMA}
_FOREIGN_OPERATORS = {"&&": "AND", "||": "OR", "!": "NOT", "&": "AND", "|": "OR"}
_CURLY = re.compile("[“”„‟«»″]")


def parse(query: str) -> Parsed:
    """Read `query` to its end, whatever is wrong with it."""
    curly = [(match.start() + 1, match[0]) for match in _CURLY.finditer(query)]
    parser = _Parser(list(tokens(_CURLY.sub('"', query))))
    parser.whole()
    faults = [(place, f'{quote} is a curly quote: write straight ones, "') for place, quote in curly]
    faults += [*parser.faults, *unseen(query)]
    told = (f"character {place}: {text}" for place, text in sorted(faults))
    return Parsed(tuple(parser.terms), tuple(dict.fromkeys(told)))


class _Parser(Cursor):
    """Reads a query from left to right; it never stops at a fault."""

    def __init__(self, found: list[Token]) -> None:
        super().__init__(found)
        self._depth = 0
        self._n_functions = 0
        """How many functions are open."""

    def whole(self) -> None:
        """Read all there is; a parenthesis too many ends nothing."""
        self._sequence(None, {Sort.END})

    def _sequence(self, field: str | None, ends: set[Sort]) -> None:
        """Terms and what is between them, up to a token of `ends`, which is left."""
        start, n_terms, n_wanted = self.next, 0, 0
        operator: Token | None = None
        is_negated = False
        while self.next.sort not in ends | {Sort.END}:
            token = self.next
            if token.sort is Sort.OPERATOR or token.text in _FOREIGN_OPERATORS or token.text in ("and", "or", "not"):
                self._operator(self.take(), operator, is_first=n_terms == 0)
                is_negated = token.text == "NOT" or is_negated
                operator = token
                continue
            if token.sort in (Sort.CLOSE, Sort.COMMA):
                self._stray(self.take())
                continue
            n_terms += 1
            n_wanted += self._clause(field, is_negated)
            operator, is_negated = None, False
        self._end_of_sequence(start, operator, n_terms, n_wanted)

    def _end_of_sequence(self, start: Token, operator: Token | None, n_terms: int, n_wanted: int) -> None:
        if operator is not None:
            self.fault(operator, f"{operator.text} has nothing behind it: write a term there, or take it out")
        elif n_terms == 0:
            self.fault(start, "nothing is searched for: write a term")
        if n_terms and not n_wanted:
            self.fault(start, "this only excludes: write what is to be found, too")

    def _operator(self, token: Token, before: Token | None, *, is_first: bool) -> None:
        if token.sort is not Sort.OPERATOR:
            proper = _FOREIGN_OPERATORS.get(token.text, token.text.upper())
            self.fault(token, f"ADS knows no {token.text}: write {proper}, or quotes around it to find it as a word")
        if before is not None and (token.text != "NOT" or before.text == "NOT"):
            self.fault(token, f"{before.text} {token.text} are two operators in a row: leave one")
        elif is_first and token.text != "NOT":
            self.fault(token, f"{token.text} has nothing before it: write a term there, or take it out")

    def _stray(self, token: Token) -> None:
        if token.sort is Sort.CLOSE:
            self.fault(token, "this parenthesis closes none: take it out, or open one before")
        else:
            self.fault(token, "a comma parts nothing here: put names in straight quotes, and AND or OR between terms")

    def _clause(self, field: str | None, is_negated: bool) -> bool:
        """One term with its signs; whether it is wanted, and not excluded."""
        while self.next.sort is Sort.SIGN:
            is_negated = self.take().text == "-" or is_negated
        token = self.next
        if token.sort is Sort.OPEN:
            self._group(field)
        elif token.sort is Sort.FUNCTION:
            self._function()
        elif token.sort is Sort.FIELD:
            self._fielded(field, is_negated)
        else:
            self._value(field, is_negated)
        return not is_negated

    def _group(self, field: str | None) -> None:
        opened = self.take()
        self._depth += 1
        if self._depth > MAX_DEPTH:
            self.fault(opened, f"more than {MAX_DEPTH} parentheses in each other: write it flatter")
            self.take_all()
            return
        self._sequence(field, _ENDS)
        self._closed(opened)
        self._depth -= 1

    def _closed(self, opened: Token) -> None:
        if self.next.sort is Sort.CLOSE:
            self.take()
        else:
            self.fault(opened, "this parenthesis is never closed: write ) where it ends")

    def _fielded(self, outer: str | None, is_negated: bool) -> None:
        token = self.take()
        name = token.text[:-1].casefold()
        if outer is not None:
            self.fault(token, f"{token.text} stands within {outer}:(...): close that parenthesis first")
        if name not in FIELDS:
            self.fault(token, f"ADS has no field {token.text[:-1]}{meant(name, FIELDS)}")
        value = self.next
        if value.sort is Sort.END or value.follows_space:
            self.fault(token, f"{token.text} has no value: write one right behind the colon, without a space")
        elif value.sort is Sort.OPEN:
            self._group(name)
        elif value.sort is Sort.SIGN and value.text == "-" and FIELDS.get(name) is not Kind.YEAR:
            self.fault(value, f"a minus stands before its field: write -{token.text}")
        elif value.sort in (Sort.CLOSE, Sort.COMMA, Sort.OPERATOR, Sort.FIELD, Sort.FUNCTION):
            self.fault(token, f"{token.text} has no value: write one right behind the colon")
        else:
            self._value(name, is_negated)

    def _value(self, field: str | None, is_negated: bool) -> None:
        sign = self.take().text if self.next.sort is Sort.SIGN else ""
        token = self.take()
        value = ("" if sign == "=" else sign) + token.text
        if token.sort is Sort.UNCLOSED:
            self.fault(token, 'this quote is never closed: write " where the phrase ends')
            return
        if token.sort is Sort.PHRASE and not token.text.strip():
            self.fault(token, "nothing stands between these quotes: write what is to be found")
            return
        self.terms.append(Term(field, value, token.place, is_negated))
        kind = FIELDS.get(field or "", Kind.TEXT)
        if wrong := self._wrong(token, kind, field, value):
            self.fault(token, wrong)

    def _wrong(self, token: Token, kind: Kind, field: str | None, value: str) -> str | None:
        if token.sort is Sort.RANGE:
            if field is None:
                return f"{value} is a range of nothing: write a field before it, as in year:[2010 TO *]"
            return wrong_range(kind, field, value)
        # In a function, a comma parts its arguments.
        if token.sort is Sort.WORD and kind is Kind.AUTHOR and self.next.sort is Sort.COMMA and not self._n_functions:
            first = self._rest_of_name()
            return f'a name with a comma needs straight quotes: write {field}:"{value}, {first}"'
        if token.sort is Sort.WORD and (wrong := foreign(kind, field, value, self.next)):
            return wrong
        if token.sort is Sort.WORD:
            value = re.sub(r"(?<=\w)[~^][\d.]*$", "", value)
        return wrong_word(kind, field or "the search", value)

    def _rest_of_name(self) -> str:
        self.take()
        return self.take().text if self.next.sort is Sort.WORD else "F"

    def _function(self) -> None:
        token = self.take()
        name = token.text.casefold()
        opened = self.take()
        self._depth += 1
        if name not in FUNCTIONS:
            self.fault(token, f"ADS has no function {token.text}(){meant(name, FUNCTIONS)}")
        if self._depth > MAX_DEPTH:
            self.fault(opened, f"more than {MAX_DEPTH} parentheses in each other: write it flatter")
            self.take_all()
            return
        self._n_functions += 1
        if name == "topn":
            self._topn(token)
        elif name == "pos":
            self._pos(token)
        else:
            self._query_function(token, name)
        self._n_functions -= 1
        self._closed(opened)
        self._depth -= 1

    def _query_function(self, token: Token, name: str) -> None:
        if self.next.sort is Sort.CLOSE:
            self.fault(token, f"{token.text}() has no query: write one between its parentheses")
            return
        self._sequence(None, _ENDS_ARGUMENT)
        rest = self._arguments()
        if rest and name != "similar" and name in QUERY_FUNCTIONS:
            self.fault(token, f"{token.text}() takes one query and nothing else: take out {', '.join(rest)}")

    def _topn(self, token: Token) -> None:
        n = self.take() if self.next.sort is Sort.WORD else token
        if not re.fullmatch(r"[1-9]\d*", n.text) or self.next.sort is not Sort.COMMA:
            self.fault(n, 'topn() begins with a number and a comma: write topn(10, abs:"dark energy")')
        if self.next.sort is Sort.COMMA:
            self.take()
        self._sequence(None, _ENDS_ARGUMENT)
        for sort in self._arguments():
            if not re.fullmatch(rf"(?:{'|'.join(sorted(SORTS))})\s+(?:asc|desc)", sort):
                self.fault(token, f"topn() cannot order by {sort!r}: write such as citation_count desc")

    def _pos(self, token: Token) -> None:
        self._sequence(None, _ENDS_ARGUMENT)
        places = self._arguments()
        if len(places) not in (1, 2) or not all(re.fullmatch(r"[1-9]\d*", place) for place in places):
            self.fault(token, 'pos() takes a field and one or two places: write pos(author:"Oort, J", 2)')

    def _arguments(self) -> list[str]:
        """The arguments that are left, as they stand, up to the parenthesis that closes them."""
        found: list[list[str]] = []
        while self.next.sort not in _ENDS:
            token = self.take()
            if token.sort is Sort.COMMA:
                found.append([])
            elif found:
                found[-1].append(token.text)
        return [" ".join(words) for words in found]
