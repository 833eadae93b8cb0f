"""Reads rule files: text in, syntax nodes and problems out.

Every statement is parsed on its own (see `scanning`), so all mistakes are reported in one run.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import cache
from pathlib import Path
from typing import Any

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedEOF, UnexpectedInput, UnexpectedToken

from kgverify import resources
from kgverify.errors import Problem, RuleError, Span, did_you_mean, missing_file
from kgverify.language import syntax as s
from kgverify.language.mistakes import Place, named_mistake
from kgverify.language.scanning import KEYWORDS, Chunk, RoughToken, scan

MAX_BYTES = 16 * 1024 * 1024


@cache
def _grammar() -> Lark:
    return Lark(resources.text("grammars", "kgr.lark"), parser="lalr", propagate_positions=True)


def read_rule_text(path: str | Path) -> str:
    """The text of a rule file: UTF-8, with or without a byte order mark, any line ends."""
    name = str(path)
    try:
        data = Path(path).read_bytes()
    except FileNotFoundError as error:
        raise RuleError(missing_file(Path(path))) from error
    except OSError as error:
        raise RuleError(
            Problem("unreadable-file", f"can't read the rule file: {error.strerror}", Span(name))
        ) from error
    if len(data) > MAX_BYTES:
        raise RuleError(Problem("file-too-large", "a rule file may have 16 MiB", Span(name)))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise RuleError(
            Problem("not-utf8", "the file is not UTF-8 text", Span(name, line), "save it as UTF-8")
        ) from error
    return text.replace("\r\n", "\n").replace("\r", "\n")


def parse(text: str, file: str = "<rules>") -> tuple[s.RuleFile, list[Problem]]:
    """All statements of `text` that can be read, and every problem with the others."""
    chunks, problems = scan(file, text)
    statements: list[s.Statement] = []
    lost: set[str] = set()
    in_broken_test = False
    for chunk in chunks:
        starts = chunk.first.text in KEYWORDS
        in_broken_test = (chunk.broken and chunk.first.text == "test") or (
            in_broken_test and not starts
        )
        if chunk.broken or in_broken_test:
            lost |= chunk.words
            continue
        problem = _obvious_mistake(chunk, file)
        if problem is None:
            found, problem = _parse_chunk(chunk, text, file)
            statements += found
        if problem is not None:
            problems.append(problem)
            lost |= chunk.words
    problems.sort(key=lambda p: (p.span.line, p.span.column) if p.span else (0, 0))
    return s.RuleFile(file, tuple(statements), text, frozenset(lost)), problems


def parse_path(text: str) -> s.Path | None:
    """A path, as `path_text` prints it for an atom; None when the text is no such path."""
    file, _ = parse(f'question q(y: C) "?" answer x : C require {text}(x, y)')
    for question in file.statements:
        if isinstance(question, s.Question) and len(question.items) == 1:
            condition = question.items[0].condition
            atom = condition.atom if isinstance(condition, s.Literal) else None
            if isinstance(atom, s.RelationAtom):
                return s.Path("relation", atom.relation, (), atom.span)
            if isinstance(atom, s.PathAtom):
                return atom.path
    return None


def _parse_chunk(
    chunk: Chunk, text: str, file: str
) -> tuple[tuple[s.Statement, ...], Problem | None]:
    origin = _Origin(file, chunk.first.line - 1, chunk.first.column - 1)
    try:
        tree = _grammar().parse(text[chunk.first.start : chunk.last.end])
    except UnexpectedInput as error:
        return (), _explain(error, chunk, origin)
    return _Reader(origin).statements(tree), None


class _Origin:
    """Turns positions inside a statement into positions in its file."""

    def __init__(self, file: str, lines: int, columns: int) -> None:
        self.file, self.lines, self.columns = file, lines, columns

    def span(self, line: int, column: int, end_line: int, end_column: int) -> Span:
        shift = self.columns if line == 1 else 0
        end_shift = self.columns if end_line == 1 else 0
        end = end_column + end_shift if end_line == line else column + shift + 1
        return Span(self.file, line + self.lines, column + shift, end)

    def of(self, node: Token | Tree[Any]) -> Span:
        where = node if isinstance(node, Token) else node.meta
        return self.span(
            where.line or 1, where.column or 1, where.end_line or 1, where.end_column or 1
        )


# ---------------------------------------------------------------- mistakes, said in words


def _obvious_mistake(chunk: Chunk, file: str) -> Problem | None:
    """Mistakes that a look at the rough tokens names better than the grammar can."""
    for one, two in zip(chunk.tokens, chunk.tokens[1:], strict=False):
        span = Span(file, one.line, one.column, two.column + len(two.text))
        if one.text == ":" and two.text == "-":
            return Problem("split-arrow", "`: -` should be `:-`", span, "write `:-` in one piece")
        if one.text == "<" and two.text == "-":
            return Problem("split-arrow", "`<-` should be `:-`", span, "write `:-`")
    return _unclosed_brace(chunk, file)


def _unclosed_brace(chunk: Chunk, file: str) -> Problem | None:
    stack: list[RoughToken] = []
    for token in chunk.tokens:
        if token.kind != "mark":
            continue
        if token.text in "({":
            stack.append(token)
        elif token.text in ")}":
            if not stack or {"(": ")", "{": "}"}[stack[-1].text] != token.text:
                return None
            stack.pop()
    if stack and stack[0].text == "{":
        place = stack[0].span(file)
        return Problem("unclosed-brace", "the brace opened here is never closed", place, "add `}`")
    return None


_MISSING = {
    "DOT": ("missing-dot", "the rule is not ended: `.` missing", "end it with `.`"),
    "RPAR": ("missing-bracket", "`)` missing", "close the bracket"),
    "COLON": ("missing-colon", "`:` missing", "add `:`"),
    "COMMA": ("missing-comma", "`,` missing", "separate with `,`"),
    "LPAR": ("missing-bracket", "`(` missing", "arguments go in brackets"),
    "EQUAL": ("missing-equals", "`=` missing", "write `candidate = sat`"),
}

_WORDS = {
    "NAME": "a name",
    "RULE_NAME": "a name for the rule",
    "STRING": 'a text in "…"',
    "IRI": "an IRI in <…>",
    "CURIE": "a prefixed name",
    "PREFIX_NAME": "a prefix such as `db:`",
    "NUMBER": "a number",
    "DATE": "a date",
    "DEMAND": "`require`, `exclude` or `prefer`",
    "STATUS": "`sat`, `viol` or `unk`",
    "FLAG": "a property such as `functional`",
    "INVERSE_FUNCTIONAL": "`inverse functional`",
    "EQUAL": "`=`",
    "DIFFERENT": "`!=`",
    "NOT": "`not`",
    "AT": "`at`",
    "ASSUME_CLOSED": "`assume closed`",
    "EXCEPT": "`except`",
    "COUNT": "`count`",
    "WEIGHT": "`weight`",
    "COMPARE": "`<`, `<=`, `>=`, `>`",
    "FUNCTIONAL_AT_A_TIME": "`functional at a time`",
    "ALL_OF": "`all of`",
    "ANY_OF": "`any of`",
    "AT_LEAST": "`at least`",
    "ANONYMOUS": "`_`",
    "__ANON_0": "`:-`",
}


def _explain(error: UnexpectedInput, chunk: Chunk, origin: _Origin) -> Problem:
    """The grammar's complaint as a sentence with a place and a repair."""
    at_end = isinstance(error, UnexpectedEOF) or (
        isinstance(error, UnexpectedToken) and error.token.type == "$END"
    )
    expected = set(getattr(error, "accepts", None) or getattr(error, "expected", None) or ())
    if isinstance(error, UnexpectedCharacters):
        expected = set(error.allowed or ())
    if at_end:
        position, found = chunk.last.end, ""
    else:
        position = chunk.first.start + (error.pos_in_stream or 0)
        found = next((t.text for t in chunk.tokens if t.start <= position < t.end), "")
    before = [t for t in chunk.tokens if t.end <= position]
    previous = before[-1] if before else chunk.first
    after = Span(origin.file, previous.line, previous.column + len(previous.text), 0)
    here = next((t.span(origin.file) for t in chunk.tokens if t.start <= position < t.end), after)
    if chunk.first.kind == "word" and chunk.first.text not in KEYWORDS and not before[1:]:
        hint = did_you_mean(chunk.first.text, KEYWORDS)
        if hint or "(" not in [t.text for t in chunk.tokens[:2]]:
            return Problem(
                "unknown-statement",
                f"`{chunk.first.text}` begins no statement",
                chunk.first.span(origin.file),
                hint or "statements begin with " + ", ".join(KEYWORDS) + ", or are rules",
            )
    if chunk.first.text == "test" and found == "=" and "COLON" in expected and len(before) > 1:
        # What stands before is the next candidate, not the beginning of a fact.
        last = before[-2]
        after = Span(origin.file, last.line, last.column + len(last.text), 0)
        return Problem("missing-comma", "`,` missing", after, "separate with `,`")
    if found == "}" and previous.text == "{" and chunk.first.text == "question":
        return Problem("empty-group", "an empty group says nothing", here, "give it members")
    words = tuple(token.text for token in before)
    following = tuple(t.text for t in chunk.tokens if t.start > position)[:1]
    place = Place(chunk.first.text, words, found, following, frozenset(expected))
    mistake = named_mistake(place)
    if mistake is not None:
        code, message, hint = mistake
        return Problem(code, message or f"`{found}` can't stand here", here, hint)
    missing = _missing(_Context(chunk, before, found, here, expected, at_end))
    if missing is not None:
        code, message, hint = missing
        if code == "missing-comma" and "DOT" in expected:
            message = "`,` missing between two atoms"
        return Problem(code, message, after, hint)
    wanted = sorted({_WORDS.get(t, f"`{_punctuation(t)}`") for t in expected if t != "$END"})
    message = f"`{found}` can't stand here" if found else "the statement breaks off here"
    hint = "expected " + " or ".join(wanted) if wanted else ""
    if found in KEYWORDS and "NAME" in expected:
        hint = f"`{found}` is a keyword; choose another name"
        if chunk.first.text in ("class", "relation"):
            hint = f'`{found}` is a keyword; give the name in the graph with `= "{found}"`'
    return Problem("syntax", message, here if found else after, hint)


@dataclass(frozen=True)
class _Context:
    """Where the grammar gave up: the tokens before, the text found there, what it expected."""

    chunk: Chunk
    before: list[RoughToken]
    found: str
    here: Span
    expected: set[str]
    at_end: bool

    @property
    def open_brackets(self) -> int:
        """How many brackets are opened and not closed before the place."""
        return sum({"(": 1, ")": -1}.get(t.text, 0) for t in self.before if t.kind == "mark")

    @property
    def unopened(self) -> bool:
        """Does the statement close more brackets than it opens?"""
        marks = [t.text for t in self.chunk.tokens if t.kind == "mark"]
        return marks.count(")") > marks.count("(")

    @property
    def starts_term(self) -> bool:
        """Does what was found begin a term or a name?"""
        return bool(re.match(r'[\w"<]|:\w', self.found)) and self.found not in KEYWORDS


def _missing(at: _Context) -> tuple[str, str, str] | None:
    """The one mark that is missing, where that is plainly the mistake."""
    previous = at.before[-1] if at.before else at.chunk.first
    on_new_line = at.here.line > previous.line
    likely = {
        "LPAR": at.starts_term and (at.unopened or at.chunk.first.text in ("relation", "question")),
        "RPAR": at.open_brackets > 0
        and (at.at_end or not at.starts_term or on_new_line or at.expected == {"RPAR"}),
        "DOT": at.at_end or (at.starts_term and "COMMA" not in at.expected),
        "COMMA": at.starts_term and not at.at_end,
        "COLON": True,
        "EQUAL": at.chunk.first.text == "test",
    }
    for token, is_it in likely.items():
        if is_it and token in at.expected:
            return _MISSING[token]
    return None


def _punctuation(name: str) -> str:
    marks = {
        "LPAR": "(",
        "RPAR": ")",
        "LBRACE": "{",
        "RBRACE": "}",
        "COMMA": ",",
        "DOT": ".",
        "COLON": ":",
        "EQUAL": "=",
        "VBAR": "|",
        "SLASH": "/",
        "CIRCUMFLEX": "^",
        "PLUS": "+",
    }
    return marks.get(name, name.lower())


# ---------------------------------------------------------------- trees into nodes


class _Reader:
    """Turns lark's trees into syntax nodes."""

    def __init__(self, origin: _Origin) -> None:
        self.at = origin.of

    def statements(self, tree: Tree[Any]) -> tuple[s.Statement, ...]:
        """One statement, or the several declarations of one `class` line."""
        node = tree.children[0]
        assert isinstance(node, Tree)
        found = getattr(self, "_" + node.data)(node, self.at(node))
        return found if isinstance(found, tuple) else (found,)

    def _ident(self, token: Any) -> s.Ident:
        return s.Ident(str(token), self.at(token))

    def _kg_name(self, tree: Any) -> s.KgName | None:
        if tree is None:
            return None
        token = tree.children[0]
        kind = {"IRI": s.KgNameKind.IRI, "CURIE": s.KgNameKind.CURIE}.get(
            token.type, s.KgNameKind.PLAIN
        )
        return s.KgName(kind, _content(token), self.at(token))

    def _sentence(self, tree: Any) -> str:
        return "" if tree is None else _content(tree.children[0])

    def _phrases(self, tree: Any) -> tuple[str, ...]:
        return tuple(map(_content, tree.children)) if tree else ()

    def _prefix(self, node: Any, span: Span) -> s.Prefix:
        name, iri = node.children
        return s.Prefix(str(name)[:-1], str(iri)[1:-1], span)

    def _classes(self, node: Any, span: Span) -> tuple[s.ClassDeclaration, ...]:
        *items, sentence, phrases = node.children
        found = []
        for item in items:
            name, kg, supers = item.children
            above = tuple(map(self._ident, supers.children)) if supers else ()
            found.append(
                s.ClassDeclaration(
                    self._ident(name),
                    self._kg_name(kg),
                    above,
                    self._sentence(sentence),
                    self._phrases(phrases),
                    self.at(item),
                )
            )
        return tuple(found)

    def _disjoint(self, node: Any, span: Span) -> s.Disjoint:
        return s.Disjoint(tuple(map(self._ident, node.children)), span)

    def _relation(self, node: Any, span: Span) -> s.RelationDeclaration:
        name, kg, domain, range_, properties, sentence, phrases = node.children
        return s.RelationDeclaration(
            self._ident(name),
            self._kg_name(kg),
            self._ident(domain),
            self._ident(range_),
            tuple(map(self._property, properties.children)) if properties else (),
            self._sentence(sentence),
            self._phrases(phrases),
            span,
        )

    def _property(self, node: Any) -> s.Property:
        span = self.at(node)
        if node.data == "flag":
            return s.Property(str(node.children[0]), None, span)
        if node.data in ("inverse_functional", "functional_at_a_time"):
            return s.Property(str(node.data), None, span)
        kind = "inverse" if node.data == "inverse_of" else "subrelation"
        return s.Property(kind, self._ident(node.children[0]), span)

    def _complete(self, node: Any, span: Span) -> s.Complete:
        name, scope = node.children
        if scope is None:
            return s.Complete(self._ident(name), None, (), span)
        if scope.data == "class_scope":
            return s.Complete(self._ident(name), self._ident(scope.children[0]), (), span)
        subjects = tuple(map(self._entity, scope.children[0].children))
        return s.Complete(self._ident(name), None, subjects, span)

    def _same(self, node: Any, span: Span) -> s.Same:
        return s.Same(tuple(map(self._term, node.children)), span)

    def _rule(self, node: Any, span: Span) -> s.Rule:
        name, sentence, head, body = node.children
        conditions = tuple(map(self._condition, body.children)) if body else ()
        return s.Rule(
            str(name or ""), self._sentence(sentence), self._literal(head), conditions, span
        )

    def _soft(self, node: Any, span: Span) -> s.SoftRule:
        weight, name, sentence, head, body = node.children
        conditions = tuple(map(self._condition, body.children))
        rule = s.Rule(
            str(name or ""), self._sentence(sentence), self._literal(head), conditions, span
        )
        return s.SoftRule(_decimal(str(weight)), rule, span, self.at(weight))

    def _condition(self, node: Any) -> s.Condition:
        if node.data == "comparison":
            left, operator, right = node.children
            return s.Comparison(self._term(left), str(operator), self._term(right), self.at(node))
        return self._literal(node)

    def _constraint(self, node: Any) -> s.Constraint:
        if node.data == "comparison":
            return self._condition(node)
        if node.data == "demand":
            return self._demand(node)
        negation, quantity, *members = node.children
        number = int(_decimal(str(quantity.children[1]))) if quantity.data == "at_least" else 0
        return s.Group(
            {"all_of": "all", "any_of": "any", "at_least": "least"}[quantity.data],
            number,
            tuple(map(self._constraint, members)),
            negation is not None,
            self.at(node),
        )

    def _demand(self, node: Any) -> s.Literal:
        """A literal of a question."""
        negation, atom, _, time, closed = node.children
        return s.Literal(
            self._demanded(atom),
            negation is not None,
            self.at(node),
            self._term(time) if time else None,
            closed is not None,
        )

    def _demanded(self, node: Any) -> s.Atom:
        span = self.at(node)
        if node.data == "class_atom":
            return self._atom(node)
        if node.data == "count_atom":
            _, path, *terms, operator, value = node.children
            arguments = tuple(map(self._term, terms))
            sign = str(operator.children[0])
            return s.CountAtom(self._path(path), arguments, sign, self._term(value), span)
        path, *terms, operator, value = node.children
        arguments = tuple(map(self._term, terms))
        if operator is not None:
            sign = str(operator.children[0])
            return s.ValueAtom(self._path(path), arguments, sign, self._term(value), span)
        if path.data == "relation_path":
            return s.RelationAtom(self._ident(path.children[0]), arguments, span)
        return s.PathAtom(self._path(path), arguments, span)

    def _path(self, node: Any) -> s.Path:
        span = self.at(node)
        if node.data == "relation_path":
            return s.Path("relation", self._ident(node.children[0]), (), span)
        return s.Path(str(node.data), None, tuple(map(self._path, node.children)), span)

    def _literal(self, node: Any) -> s.Literal:
        negation, atom = node.children
        return s.Literal(self._atom(atom), negation is not None, self.at(node))

    def _atom(self, node: Any) -> s.Atom:
        if node.data == "class_atom":
            term, cls = node.children
            return s.ClassAtom(self._term(term), self._ident(cls), self.at(node))
        name, *terms = node.children
        return s.RelationAtom(self._ident(name), tuple(map(self._term, terms)), self.at(node))

    def _term(self, node: Any) -> s.Term:
        return self._entity(node.children[0])

    def _entity(self, token: Any) -> s.Term:
        kind = s.TermKind[token.type]
        if kind is s.TermKind.NAME and (str(token)[0].isupper() or str(token)[0] == "_"):
            kind = s.TermKind.VARIABLE
        return s.Term(kind, _content(token), self.at(token))

    def _question(self, node: Any, span: Span) -> s.Question:
        name, parameters, sentences, answer, *items = node.children
        answer_name, answer_class = answer.children
        return s.Question(
            self._ident(name),
            tuple(
                s.Parameter(self._ident(p.children[0]), self._ident(p.children[1]))
                for p in (parameters.children if parameters else ())
            ),
            tuple(map(_content, sentences.children)),
            self._ident(answer_name),
            self._ident(answer_class),
            tuple(map(self._item, items)),
            span,
            tuple(map(self.at, sentences.children)),
        )

    def _item(self, node: Any) -> s.Item:
        demand, condition, exceptions, weight, sentence = node.children
        number = _decimal(str(weight.children[1])) if weight else Decimal(1)
        return s.Item(
            s.Demand(str(demand)),
            self._constraint(condition),
            number,
            self._sentence(sentence),
            self.at(node),
            tuple(map(self._term, exceptions.children[1:])) if exceptions else (),
        )

    def _test(self, node: Any, span: Span) -> s.Test:
        name, *entries = node.children
        facts = tuple(self._literal(e.children[0]) for e in entries if e.data == "given")
        asks = tuple(self._ask(e) for e in entries if e.data == "ask")
        return s.Test(_content(name), facts, asks, span)

    def _ask(self, node: Any) -> s.Ask:
        name, arguments, *expectations = node.children
        return s.Ask(
            self._ident(name),
            tuple(map(self._term, arguments.children)) if arguments else (),
            tuple(
                s.Expectation(self._term(e.children[0]), str(e.children[1]), self.at(e))
                for e in expectations
            ),
            self.at(node),
        )


def _decimal(text: str) -> Decimal:
    """A number exactly; infinite when it is too large to be one."""
    try:
        return Decimal(text)
    except InvalidOperation:
        return Decimal("Infinity")


_ESCAPE = re.compile(r"\\(.)")
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r"}


def _content(token: Any) -> str:
    """A token without its quotes or brackets, escapes resolved."""
    if token.type == "STRING":
        return _ESCAPE.sub(lambda m: _ESCAPED.get(m[1], m[1]), str(token)[1:-1])
    return str(token)[1:-1] if token.type == "IRI" else str(token)
