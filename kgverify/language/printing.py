"""Syntax nodes as text of the rule language; parsing the text gives the nodes back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kgverify.language import syntax as s


def term_text(term: s.Term) -> str:
    if term.kind is s.TermKind.STRING:
        return quoted(term.text)
    if term.kind is s.TermKind.IRI:
        return f"<{term.text}>"
    return term.text


def condition_text(condition: s.Constraint) -> str:
    """A literal, a comparison or a group of them."""
    if isinstance(condition, s.Group):
        quantity = f"at least {condition.number}" if condition.number else condition.quantity
        inner = ", ".join(map(condition_text, condition.members))
        return f"{'not ' if condition.negated else ''}{quantity} of {{ {inner} }}"
    if isinstance(condition, s.Comparison):
        left, right = term_text(condition.left), term_text(condition.right)
        return f"{left} {condition.operator} {right}"
    at = f" at {term_text(condition.at)}" if condition.at else ""
    closed = " assume closed" if condition.closed else ""
    return ("not " if condition.negated else "") + atom_text(condition.atom) + at + closed


def atom_text(atom: s.Atom) -> str:
    match atom:
        case s.ClassAtom():
            return f"{term_text(atom.term)} : {atom.cls}"
        case s.RelationAtom():
            return f"{atom.relation}({_terms(atom.arguments)})"
        case s.PathAtom():
            return f"{path_text(atom.path, 1)}({_terms(atom.arguments)})"
        case s.ValueAtom():
            left = f"{path_text(atom.path, 1)}({_terms(atom.arguments)})"
            return f"{left} {atom.operator} {term_text(atom.value)}"
        case s.CountAtom():
            left = f"count {path_text(atom.path, 1)}({_terms(atom.arguments)})"
            return f"{left} {atom.operator} {term_text(atom.value)}"


def exceptions_text(exceptions: tuple[s.Term, ...]) -> str:
    """` except …` with the entities to which a constraint does not apply, "" without any."""
    return f" except {_terms(exceptions)}" if exceptions else ""


def constraint_text(
    condition: s.Constraint, exceptions: tuple[s.Term, ...], labels: Mapping[str, str]
) -> str:
    """A constraint of a question, with labels in place of the names that have one."""

    def place(term: s.Term) -> s.Term:
        if term.kind is s.TermKind.NAME and term.text in labels:
            return s.Term(s.TermKind.NAME, labels[term.text], term.span)
        return term

    return condition_text(s.map_terms(condition, place)) + exceptions_text(exceptions)


_BINDS = {"alternative": 0, "sequence": 1, "closure": 2, "inverse": 3, "relation": 4}


def path_text(path: s.Path, least: int = 0) -> str:
    """A path, in brackets where it binds less than `least`."""
    inner = [path_text(part, _BINDS[path.kind] + (path.kind != "inverse")) for part in path.parts]
    match path.kind:
        case "relation":
            text = str(path.relation)
        case "inverse":
            text = "^" + inner[0]
        case "closure":
            text = inner[0] + "+"
        case _:
            text = ("/" if path.kind == "sequence" else "|").join(inner)
    return f"({text})" if _BINDS[path.kind] < least else text


def _terms(terms: tuple[s.Term, ...]) -> str:
    return ", ".join(map(term_text, terms))


def rule_text(rule: s.Rule) -> str:
    """What a rule says, without its name and its sentence."""
    body = " :- " + ", ".join(map(condition_text, rule.body)) if rule.body else ""
    return condition_text(rule.head) + body


def file_text(file: s.RuleFile) -> str:
    """A whole rule file, one statement after the other; comments are not kept."""
    return "\n".join(map(statement_text, file.statements)) + "\n"


def statement_text(statement: s.Statement) -> str:
    """One statement."""
    return "\n".join(_statement(statement))


def quoted(text: str) -> str:
    """A text in quotation marks, as the rule language has it."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return '"' + escaped.replace("\t", "\\t").replace("\r", "\\r") + '"'


def _kg_name(name: s.KgName | None) -> str:
    if name is None:
        return ""
    if name.kind is s.KgNameKind.IRI:
        return f" = <{name.text}>"
    return f" = {name.text}" if name.kind is s.KgNameKind.CURIE else f" = {quoted(name.text)}"


def _sentence(text: str) -> str:
    return f" {quoted(text)}" if text else ""


def _statement(statement: s.Statement) -> Iterator[str]:
    match statement:
        case s.Prefix(name, iri):
            yield f"prefix {name}: <{iri}>"
        case s.ClassDeclaration(name, kg, supers, sentence, phrases):
            above = " sub of " + " and ".join(x.text for x in supers) if supers else ""
            yield f"class {name}{_kg_name(kg)}{above}{_sentence(sentence)}"
            yield from _phrases(phrases)
        case s.Disjoint(names):
            yield "disjoint " + ", ".join(x.text for x in names)
        case s.RelationDeclaration():
            yield from _relation(statement)
        case s.Complete(relation, cls, subjects):
            scope = f" for {cls}" if cls else ""
            scope = " for " + ", ".join(map(term_text, subjects)) if subjects else scope
            yield f"complete {relation}{scope}"
        case s.Same(terms):
            yield "same " + ", ".join(map(term_text, terms))
        case s.Rule(name, sentence):
            begin = f"rule {name}{_sentence(sentence)}: " if name else ""
            yield f"{begin}{rule_text(statement)}."
        case s.SoftRule(weight, rule):
            yield f"soft {weight} {next(_statement(rule))}"
        case s.Question():
            yield from _question(statement)
        case s.Test():
            yield from _test(statement)


_PROPERTY = {
    "functional_at_a_time": "functional at a time",
    "inverse_functional": "inverse functional",
    "inverse": "inverse of {}",
    "subrelation": "sub of {}",
}


def _relation(relation: s.RelationDeclaration) -> Iterator[str]:
    properties = ", ".join(
        _PROPERTY.get(p.kind, p.kind).format(p.target) for p in relation.properties
    )
    yield (
        f"relation {relation.name}{_kg_name(relation.kg_name)} "
        f"({relation.domain}, {relation.range})"
        + (f" {properties}" if properties else "")
        + _sentence(relation.sentence)
    )
    yield from _phrases(relation.phrases)


def _phrases(phrases: tuple[str, ...]) -> Iterator[str]:
    if phrases:
        yield "    phrases " + ", ".join(map(quoted, phrases))


def _question(question: s.Question) -> Iterator[str]:
    parameters = ", ".join(f"{p.name}: {p.type}" for p in question.parameters)
    yield f"question {question.name}({parameters})"
    yield "    " + ", ".join(map(quoted, question.sentences))
    yield f"    answer {question.answer} : {question.answer_class}"
    for item in question.items:
        weight = "" if item.weight == 1 else f" weight {item.weight}"
        text = condition_text(item.condition)
        excepted = exceptions_text(item.exceptions)
        yield f"    {item.demand} {text}{excepted}{weight}{_sentence(item.sentence)}"


def _test(test: s.Test) -> Iterator[str]:
    yield f"test {quoted(test.name)} {{"
    for fact in test.facts:
        yield f"    {condition_text(fact)}."
    for ask in test.asks:
        arguments = ", ".join(map(term_text, ask.arguments))
        wanted = ", ".join(f"{term_text(e.candidate)} = {e.status}" for e in ask.expectations)
        yield f"    ask {ask.question}({arguments}): {wanted}."
    yield "}"
