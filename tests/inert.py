"""Text that would like to act on a page, and how to tell that it does not."""

import re

from pathfinder.text.latex.mathematics import is_settable

HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<https://e.com> <a@e.com>",
    "[x](javascript:alert(1))",
    "![i](http://e.com/p.png)",
    "![i][r]",
    "[![i](http://e.com/p.png)](http://e.com)",
    "[r]: http://e.com",
    "[1](http://e.com)",
    r"\![i](http://e.com/p.png) \\[x](http://e.com) \<img src=x>",
    "$a$![i](http://e.com/p.png)$b$ $x$https://e.com$y$",
    "see https://e.com, HTTPS://E.com, www.e.com, WWW.e.com, (https://e.com) _www.e.com_ mailto:a@e.com ftp://e.com",
    ":smile: :+1: :material/open_in_new: :streamlit:",
    ":red[danger] :blue-background[x] :badge[x] :green-badge[x] :small[x] :rainbow[x]",
    ":r\\ed[x] :$x$smile: h$t$tps://e.com",
    "::leaf[x]",
    ":::note",
    "**b** __b__ *i* _i_ ~~s~~ `c`",
    "# head",
    "=====",
    "- item",
    "1. one",
    "2) two",
    "> quote",
    "| a | b |",
    "&lt;script&gt; &copy; &#x3c;",
    "[^1]: note",
    "<!-- c --> <?php ?> <![CDATA[x]]>",
    r"$\href{http://e.com}{x}$ $\url{e}$ $\includegraphics{e}$ $\htmlClass{x}{y}$ $\def\a{b}$ $\rule{9em}{9em}$",
    "costs $5 and $6 and \\$7",
    "a -> b <- c >= d",
]

HOSTILE_TO_TEX = [
    r"\input{/etc/passwd}",
    r"\include{x} \openin5=x \read5 to \a",
    r"\immediate\write18{touch owned}",
    "^^5cinput x",
    "^^5cinput",
    "a^^7d^^5cimmediate^^5copenout9owned.tex^^20^^5cimmediate^^5cwrite9^^7bx^^7d^^5csetbox0^^5chbox^^7b",
    "astro-ph.^^5c^^69nput",
    "a~b%c",
    "a$b",
    "2001_^^5cbye",
    r"\newwrite\f \openout\f=owned.txt \write\f{x}",
    r"\def\title{x}\let\a=\b \gdef\a{}\edef\b{}",
    r"$\input{/etc/passwd}$ $\immediate\write18{x}$",
    r"\csname input\endcsname{x} \catcode`\%=12",
    r"\newcommand{\end}{} \end{document} \bye",
    r"{\it open \bf",
    "} } {",
    r"\} \{ $\{x$",
    "100% of $5 & #1_a^b ~x",
    r"\loop\iftrue\repeat",
    r"\includegraphics{/etc/passwd}\verbatiminput{x}\lstinputlisting{x}",
    "[-99cm] x",
    "*x",
    "@preamble{{\\immediate\\write18{x}}} @comment{x}",
    r"ends in \\",
    "$" * 5,
    r"\usepackage{shellesc}\ShellEscape{x}",
    r"\special{ps: x} \pdfobj{x} \directlua{os.execute('x')}",
    "Ana and Bob AND {a}nd others",
    "`` '' ?` !` --- <<",
]
HOSTILE_TO_TABLES = [
    '=HYPERLINK("http://e.com","x")',
    "+1+cmd|' /C calc'!A0",
    "-2+3",
    "@SUM(1)",
    "\t=1+1",
    "\r\n=1+1",
    " =1+1",
    "\ufeff=1+1",
    "＝1+1",
    '"quoted", ;a;=1',
    "a\nER  - \nTY  - JOUR\nTI  - another",
    "a\u2028N1  - b\x85TI  - c",
    "\x00\x01\x1b[31m",
    "{{ site.x }} {% include x %}",
    "</title></head><script>alert(1)</script>",
    "]]></data><node id='x'/>",
    "\u202eesrever",
]

_FORMULA = re.compile(r"(?<!\\)((?:\\\\)*)\$([^$]+)\$")
_CODE_OR_ADDRESS = re.compile(
    r":[\w+-][\w/+-]*:|(?:https?|ftp|mailto|xmpp):[^\s\u2060]|www\.|\S@[^\s\u2060]", re.IGNORECASE
)


def acts(markdown: str) -> bool:
    """Whether anything of `markdown` but well-formed mathematics would be more than text on a page of Streamlit.

    Signs act unless they are escaped. Emoji codes and addresses are recognised even in text that is.
    """
    bare = _FORMULA.sub(lambda formula: formula[1] if is_settable(formula[2]) else formula[0], markdown)
    if re.search(r"[!-/:-@\[-`{-~]", re.sub(r"\\[!-/:-@\[-`{-~]", "", bare)) or "$$" in markdown.replace(r"\$", ""):
        return True
    return _CODE_OR_ADDRESS.search(re.sub(r"\\(.)", r"\1", re.sub(r"\$[^$]*\$", " ", markdown))) is not None
