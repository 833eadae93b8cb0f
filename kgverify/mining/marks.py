"""What people wrote about mined rules in a rule file, and where the rules stand in it.

Mined rules have a section of their own, between two lines that begin with `#|`.  Within it, each
rule has a block: `#|` lines, which are written anew each time; its mark, `# review: accepted, by
Ada, checked ten`; comments of people, which are kept; and the statement, or `#- soft …` where it
is not active.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from kgverify.errors import Problem, RuleError, Span
from kgverify.language import syntax as s
from kgverify.language.checks import collect
from kgverify.language.parsing import parse
from kgverify.language.rulebook import RuleBook
from kgverify.mining.horn import HornRule
from kgverify.mining.statements import horn_rule

BEGIN = "#| mined rules"
END = "#| end of the mined rules"
OURS = "#|"
INACTIVE = "#- "

Status = Literal["open", "accepted", "rejected"]

_REVIEW = re.compile(
    r"#\s*review\b\s*(?::|(?=(?:open|accepted|rejected)\b))(?P<rest>.*)", re.IGNORECASE
)
_LIKE_A_REVIEW = re.compile(r"#\s*\w+\s*:\s*(?:open|accepted|rejected)\b.*", re.IGNORECASE)
_MARK = re.compile(
    r"\s*(?P<status>open|accepted|rejected)\s*"
    r"(?:,\s*by\s+(?P<by>[^,]*[^,\s])\s*)?(?:,[\s,]*(?P<note>[^,\s](?:.*\S)?))?[\s,]*",
    re.IGNORECASE,
)
_INACTIVE = re.compile(r"#-?\s*(?P<statement>soft\s+[0-9.].*)")


@dataclass(frozen=True, slots=True)
class Mark:
    """What somebody said of a rule: `by` and `note` as the review line has them, `comments` the
    other comment lines of its block."""

    status: Status = "open"
    by: str = ""
    note: str = ""
    comments: tuple[str, ...] = ()

    @property
    def says_something(self) -> bool:
        """Whether it is more than the mark that every new rule gets."""
        return self != Mark()

    @property
    def line(self) -> str:
        by = f", by {self.by}" if self.by else ""
        note = f", {self.note}" if self.note else ""
        return f"# review: {self.status}{by}{note}"


@dataclass(frozen=True, slots=True)
class Block:
    """A rule of the section, in canonical form, with its mark and its statement's weight; `about`
    is what its `#|` lines say, and `is_active` whether the statement counts."""

    rule: HornRule
    mark: Mark
    soft: s.SoftRule
    line: int
    about: tuple[str, ...]
    is_active: bool

    @property
    def is_reviewed(self) -> bool:
        """Whether somebody marked the rule, commented on it, or gave it a name."""
        return self.mark.says_something or bool(self.soft.rule.name)


@dataclass(frozen=True)
class Sections:
    """A rule file in parts: the lines before and after the mined rules, the declarations that
    stand among these, and the rules.  `elsewhere` are soft rules that stand outside of them, and
    `book` has the declarations of the whole file."""

    before: tuple[str, ...]
    after: tuple[str, ...]
    declared: tuple[s.ClassDeclaration | s.RelationDeclaration, ...]
    blocks: tuple[Block, ...]
    loose: tuple[str, ...]
    elsewhere: frozenset[HornRule]
    book: RuleBook = field(compare=False)


def sections(text: str, file: str) -> Sections:
    """The parts of a rule file.  Raises RuleError when it can't be read, or when something in the
    section of mined rules is not theirs: nothing that somebody wrote may be lost."""
    lines = text.removesuffix("\n").split("\n") if text else []
    parsed, problems = parse(text, file)
    errors = [p for p in problems if p.is_error]
    if errors:
        raise RuleError(errors)
    book, _ = collect(parsed)
    begin, end = _bounds(lines, file)
    inside: list[s.Statement] = []
    outside: list[s.Statement] = []
    for statement in parsed.statements:
        is_inside = begin is not None and begin < statement.span.line <= end
        (inside if is_inside else outside).append(statement)
    own = (horn_rule(x, book) for x in outside if isinstance(x, s.SoftRule))
    elsewhere = frozenset(filter(None, own))
    if begin is None:
        return Sections(tuple(lines), (), (), (), (), elsewhere, book)
    reader = _Section(lines, begin, end, file, book)
    soft = [x for x in inside if isinstance(x, s.SoftRule)]
    others = [x for x in inside if not isinstance(x, s.SoftRule)]
    blocks = reader.blocks(soft, others)
    declared = []
    for statement in others:
        if isinstance(statement, s.ClassDeclaration | s.RelationDeclaration):
            declared.append(statement)
        else:
            reader.add(
                "statement-among-mined",
                "this is no mined rule, and would be lost",
                statement.span.line,
                f"move it behind `{END}`",
            )
    if reader.problems:
        raise RuleError(sorted(reader.problems, key=lambda p: p.span.line if p.span else 0))
    parts = tuple(lines[: begin - 1]), tuple(lines[end:])
    return Sections(*parts, tuple(declared), tuple(blocks), tuple(reader.loose), elsewhere, book)


def _bounds(lines: Sequence[str], file: str) -> tuple[int | None, int]:
    """The numbers of the section's first and last line."""
    begins = [n for n, line in enumerate(lines, 1) if line.startswith(BEGIN)]
    ends = [n for n, line in enumerate(lines, 1) if line.startswith(END)]
    if not begins and not ends:
        return None, 0
    if len(begins) == len(ends) == 1 and begins[0] < ends[0]:
        return begins[0], ends[0]
    place = (begins[1:] or ends[1:] or begins or ends)[0]
    message = "the mined rules don't stand between one line where they begin and one where they end"
    hint = f"there is one line `{BEGIN} …`, and one `{END}` behind it"
    raise RuleError(Problem("mined-section", message, Span(file, place), hint))


class _Section:
    """Reads the lines of the section, from statement to statement."""

    def __init__(self, lines: Sequence[str], begin: int, end: int, file: str, book: RuleBook):
        self.problems: list[Problem] = []
        self.loose: list[str] = []
        self._lines, self._begin, self._end = lines, begin, end
        self._file, self._book = file, book

    def add(self, code: str, message: str, line: int, hint: str = "") -> None:
        """Notes something that is wrong."""
        self.problems.append(Problem(code, message, Span(self._file, line), hint))

    def blocks(self, active: Sequence[s.SoftRule], others: Sequence[s.Statement]) -> list[Block]:
        """The rules with their marks; `others` are the declarations among them."""
        starts = {soft.span.line: soft for soft in active}
        declared = {statement.span.line for statement in others}
        found: list[Block] = []
        comments: list[tuple[int, str]] = []
        about: list[str] = []
        goes_on = False  # whether lines without a statement belong to the last block
        for number in range(self._begin + 1, self._end):
            line = self._lines[number - 1]
            inactive = _INACTIVE.fullmatch(line.strip())
            soft = starts.get(number)
            if soft is None and inactive:
                soft = self._parsed(inactive["statement"], number)
            if soft is not None:
                block = self._block(soft, comments, number, tuple(about), not inactive)
                comments, about = [], []
                found += [block] if block else []
                goes_on = block is not None
            elif number in declared:
                self._reviewed_nothing(comments)
                comments, about, goes_on = [], [], False
            elif not line.strip():
                about = []
            if line.lstrip().startswith("#") and not inactive:
                goes_on = False
                if line.startswith(OURS):
                    about.append(line.removeprefix(OURS).strip())
                else:
                    comments.append((number, line.strip()))
            elif remark := _remark(inactive["statement"] if inactive else line):
                if goes_on:
                    mark = replace(found[-1].mark, comments=(*found[-1].mark.comments, remark))
                    found[-1] = replace(found[-1], mark=mark)
                else:
                    self.loose.append(remark)
        self._reviewed_nothing(comments)
        return self._joined(found)

    def _parsed(self, text: str, number: int) -> s.SoftRule | None:
        parsed, _ = parse(text, self._file)
        soft = [x for x in parsed.statements if isinstance(x, s.SoftRule)]
        if len(soft) == 1 and len(parsed.statements) == 1:
            return soft[0]
        message = "this statement, which is not active, can't be read"
        self.add("unreadable-mined-rule", message, number, "its mark would be lost; mend it")
        return None

    def _block(
        self,
        soft: s.SoftRule,
        comments: Sequence[tuple[int, str]],
        number: int,
        about: tuple[str, ...],
        is_active: bool,
    ) -> Block | None:
        mark = self._mark(comments)
        rule = horn_rule(soft, self._book)
        if rule is None:
            self.add(
                "unreadable-mined-rule",
                "this is no mined rule any more: its names are not declared, or it says more",
                number,
                f"move what you changed behind `{END}`",
            )
            return None
        return Block(rule, mark, soft, number, about, is_active)

    def _mark(self, comments: Sequence[tuple[int, str]]) -> Mark:
        """The mark in the lines above a statement.  One that says nothing may be left of a
        statement that was moved away; one that says something might be of another rule."""
        reviews, others = self._reviews(comments)
        if len(reviews) > 1 and any(mark.says_something for _, mark in reviews):
            hint = "leave the one that is meant, and remove the others"
            self.add("bad-review", "a rule has one review line", reviews[-1][0], hint)
        found = reviews[-1][1] if reviews else Mark()
        return replace(found, comments=tuple(others))

    def _reviewed_nothing(self, comments: Sequence[tuple[int, str]]) -> None:
        reviews, others = self._reviews(comments)
        for number, mark in reviews:
            if mark.says_something:
                message = "there is no statement behind this review"
                self.add("bad-review", message, number, "it stands before the rule's statement")
        self.loose += others

    def _reviews(
        self, comments: Sequence[tuple[int, str]]
    ) -> tuple[list[tuple[int, Mark]], list[str]]:
        """The marks among comment lines, with their lines, and the other comments."""
        marks: list[tuple[int, Mark]] = []
        others: list[str] = []
        for number, line in comments:
            review = _REVIEW.fullmatch(line)
            if review is None and not _LIKE_A_REVIEW.fullmatch(line):
                others.append(line)
                continue
            mark = _MARK.fullmatch(review["rest"]) if review else None
            if mark is None:
                hint = "write `# review: accepted|rejected|open, by NAME, NOTE`"
                self.add("bad-review", f"`{line}` can't be read", number, hint)
                continue
            status: Status = mark["status"].lower()  # type: ignore[assignment]
            marks.append((number, Mark(status, mark["by"] or "", mark["note"] or "")))
        return marks, others

    def _joined(self, blocks: Sequence[Block]) -> list[Block]:
        """Each rule once; two marks of one rule must agree."""
        found: dict[HornRule, Block] = {}
        for block in blocks:
            first = found.setdefault(block.rule, block)
            if first is block or not block.is_reviewed or first.mark == block.mark:
                continue
            if not first.is_reviewed:
                found[block.rule] = block
                continue
            message = f"this rule stands in line {first.line} too, with another mark"
            self.add("bad-review", message, block.line, "keep one of them")
        return [*found.values()]


def _remark(line: str) -> str:
    """The comment behind a statement; "" without one."""
    for match in _IN_QUOTES_OR_COMMENT.finditer(line):
        if match["comment"]:
            return match["comment"].strip()
    return ""


_IN_QUOTES_OR_COMMENT = re.compile(r'"(?:[^"\\]|\\.)*"|<[^<>"{}|^`\\\s]+>|(?P<comment>#.*)')
