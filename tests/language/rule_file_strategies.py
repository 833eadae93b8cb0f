"""Hypothesis strategies for whole rule files as syntax trees.

The trees need not pass the static checks: they cover everything that can be written down.
"""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from hypothesis import strategies as st

from kgverify.errors import Span
from kgverify.language import syntax as s

NOWHERE = Span("generated")

# Words that mean something to the grammar; everything else is free for names.
_GRAMMAR_WORDS = """
    prefix class disjoint relation complete rule question test sub of and inverse functional
    symmetric asymmetric irreflexive transitive phrases for not answer require exclude prefer weight
    ask sat viol unk soft same all any at least count assume closed except
"""
WORDS = frozenset(_GRAMMAR_WORDS.split())
LOOKALIKES = (
    "notable_for",
    "completes",
    "classifies",
    "nothing",
    "forest",
    "rules",
    "tested",
    "questionable",
    "weights",
    "satin",
    "subset",
    "ofx",
    "andes",
    "inverse_of",
    "asked",
)
# Words that mean something in some places only, and are names in all others.
IN_PLACES = (
    *("at", "count", "assume", "closed", "except", "weight", "all", "any", "least", "a", "time"),
    *("sat", "phrases", "functional"),
)
LETTERS = "abcxyzäßñλжあ"
CAPITALS = "ABCXYZÄΩЖ"
TAIL = LETTERS + CAPITALS + "019_"


def _name(first: str) -> st.SearchStrategy[str]:
    return st.builds(str.__add__, st.sampled_from(first), st.text(TAIL, max_size=6)).filter(
        lambda name: name not in WORDS
    )


@st.composite
def small_name(draw: st.DrawFn) -> str:
    """A name that begins with a small letter; composed, so that the `repr` of all that is built
    from it stays short."""
    return draw(_small_names)


_small_names = st.sampled_from(LOOKALIKES + IN_PLACES) | _name(LETTERS)
small_names = small_name()
capital_names = _name(CAPITALS)
names = small_names | capital_names
idents = st.builds(s.Ident, names, st.just(NOWHERE))
small_idents = st.builds(s.Ident, small_names, st.just(NOWHERE))
texts = st.text(
    st.characters(exclude_categories=["Cs"]) | st.sampled_from('"\\\n\t\r{}#.:-<>'), max_size=12
)
sentences = st.just("") | texts

prefix_names = st.just("") | st.builds(
    str.__add__, st.sampled_from(LETTERS), st.text(LETTERS + "09_-", max_size=4)
)
_local = st.from_regex(r"[a-z0-9_]([a-z0-9_.\-%]{0,5}[a-z0-9_%])?", fullmatch=True)
curies = st.builds("{}:{}".format, prefix_names, _local)
iris = st.builds(
    str.__add__, st.just("https://example.org/"), st.text("aé()'.,;&%#0-_~/", max_size=8)
)
_digits = st.integers(0, 10**25).map(str)
numbers = (
    _digits
    | st.builds("{}{}".format, st.sampled_from("+-"), _digits)
    | st.builds("{}.{}".format, _digits, _digits)
    | st.builds("{}e{}".format, _digits, st.integers(-30, 30))
)
dates = st.dates().map(str) | st.dates().map(lambda day: str(day)[:7]) | st.just("-0044-03-15")


def _terms(kind: s.TermKind, content: st.SearchStrategy[str]) -> st.SearchStrategy[s.Term]:
    return st.builds(s.Term, st.just(kind), content, st.just(NOWHERE))


variables = _terms(s.TermKind.VARIABLE, capital_names | small_names.map("_".__add__))
entities = (
    _terms(s.TermKind.CURIE, curies)
    | _terms(s.TermKind.IRI, iris)
    | _terms(s.TermKind.STRING, texts)
)
things = _terms(s.TermKind.NAME, small_names) | entities | variables
_terms_of_all_kinds = (
    things
    | _terms(s.TermKind.ANONYMOUS, st.just("_"))
    | _terms(s.TermKind.NUMBER, numbers)
    | _terms(s.TermKind.DATE, dates)
)


@st.composite
def term(draw: st.DrawFn) -> s.Term:
    """A term of any kind."""
    return draw(_terms_of_all_kinds)


terms = term()


def _tuples(one: st.SearchStrategy, least: int = 1, most: int = 3) -> st.SearchStrategy[tuple]:
    return st.lists(one, min_size=least, max_size=most).map(tuple)


def _path(kind: str, parts: tuple[s.Path, ...]) -> s.Path:
    return s.Path(kind, None, parts, NOWHERE)


def _longer_paths(path: st.SearchStrategy[s.Path]) -> st.SearchStrategy[s.Path]:
    """Paths around shorter ones.  No sequence stands in a sequence as it is, since brackets keep
    the two apart, and they are written only where they are needed."""
    one = st.builds(lambda kind, part: _path(kind, (part,)), st.sampled_from(_ONE), path)
    more = st.builds(_path, st.sampled_from(("sequence", "alternative")), _tuples(path, 2))
    return one | more


_ONE = ("inverse", "closure")
steps = st.builds(s.Path, st.just("relation"), idents, st.just(()), st.just(NOWHERE))
paths = st.recursive(steps, _longer_paths, max_leaves=6)

relation_atoms = st.builds(s.RelationAtom, idents, _tuples(terms), st.just(NOWHERE))
class_atoms = st.builds(s.ClassAtom, things, idents, st.just(NOWHERE))
literals = st.builds(s.Literal, relation_atoms | class_atoms, st.booleans(), st.just(NOWHERE))

# Constraints of questions: atoms that bodies of rules don't have, times, absence that counts.
_signs = st.sampled_from(("<", "<=", "=", "!=", ">=", ">"))
path_atoms = st.builds(
    s.PathAtom, paths.filter(lambda p: p.kind != "relation"), _tuples(terms), st.just(NOWHERE)
)
value_atoms = st.builds(s.ValueAtom, paths, _tuples(terms), _signs, terms, st.just(NOWHERE))
count_atoms = st.builds(s.CountAtom, paths, _tuples(terms), _signs, terms, st.just(NOWHERE))
demands = st.builds(
    s.Literal,
    relation_atoms | class_atoms | path_atoms | value_atoms | count_atoms,
    st.booleans(),
    st.just(NOWHERE),
    st.none() | terms.filter(lambda t: t.kind is not s.TermKind.ANONYMOUS),
    st.booleans(),
)

# `"text" = X` is left out: see test_an_equality_may_begin_with_any_term.
_named = _terms(s.TermKind.NAME, small_names) | variables
comparisons = st.builds(s.Comparison, _named, st.just("="), terms, st.just(NOWHERE)) | st.builds(
    s.Comparison, terms, st.just("!="), terms, st.just(NOWHERE)
)
conditions = literals | comparisons


def _groups(member: st.SearchStrategy[s.Constraint]) -> st.SearchStrategy[s.Constraint]:
    def group(quantity: str, number: int, members: tuple, negated: bool) -> s.Group:
        return s.Group(quantity, number if quantity == "least" else 0, members, negated, NOWHERE)

    quantities = st.sampled_from(("all", "any", "least"))
    return st.builds(group, quantities, st.integers(1, 99), _tuples(member), st.booleans())


constraints = st.recursive(demands | comparisons, _groups, max_leaves=5)

kg_names = st.one_of(
    st.none(),
    st.builds(s.KgName, st.just(s.KgNameKind.PLAIN), texts, st.just(NOWHERE)),
    st.builds(s.KgName, st.just(s.KgNameKind.CURIE), curies, st.just(NOWHERE)),
    st.builds(s.KgName, st.just(s.KgNameKind.IRI), iris, st.just(NOWHERE)),
)
_flags = st.sampled_from(
    (
        *("functional", "functional_at_a_time", "inverse_functional"),
        *("symmetric", "asymmetric", "irreflexive", "transitive"),
    )
)
properties = st.builds(s.Property, _flags, st.none(), st.just(NOWHERE)) | st.builds(
    s.Property, st.sampled_from(("inverse", "subrelation")), idents, st.just(NOWHERE)
)

prefixes = st.builds(s.Prefix, prefix_names, iris, st.just(NOWHERE))
classes = st.builds(
    s.ClassDeclaration,
    idents,
    kg_names,
    _tuples(idents, 0),
    sentences,
    _tuples(texts, 0),
    st.just(NOWHERE),
)
disjoints = st.builds(s.Disjoint, _tuples(idents, 2), st.just(NOWHERE))
relations = st.builds(
    s.RelationDeclaration,
    idents,
    kg_names,
    idents,
    idents,
    _tuples(properties, 0),
    sentences,
    _tuples(texts, 0),
    st.just(NOWHERE),
)
completes = st.one_of(
    st.builds(s.Complete, idents, st.none(), st.just(()), st.just(NOWHERE)),
    st.builds(s.Complete, idents, idents, st.just(()), st.just(NOWHERE)),
    st.builds(s.Complete, idents, st.none(), _tuples(entities), st.just(NOWHERE)),
)
sames = st.builds(s.Same, _tuples(terms, 2), st.just(NOWHERE))
_rule_names = st.builds(
    "{}{}".format, small_names, st.sampled_from(("", "-x", "-where-it-acts", "_1"))
)
rules = st.builds(
    s.Rule, _rule_names, sentences, literals, _tuples(conditions, 0), st.just(NOWHERE)
) | st.builds(s.Rule, st.just(""), st.just(""), literals, _tuples(conditions, 0), st.just(NOWHERE))
soft_weights = st.decimals(
    min_value="0.000000001", max_value=1, allow_nan=False, allow_infinity=False, places=9
)
soft_rules = st.builds(
    lambda weight, rule, body: s.SoftRule(weight, replace(rule, body=body), NOWHERE, NOWHERE),
    soft_weights,
    rules,
    _tuples(conditions),
)
weights = st.just(Decimal(1)) | st.decimals(
    min_value=0, max_value=10**6, allow_nan=False, allow_infinity=False, places=4
)
items = st.builds(
    s.Item,
    st.sampled_from((s.Demand.REQUIRE, s.Demand.EXCLUDE, s.Demand.PREFER)),
    constraints,
    weights,
    sentences,
    st.just(NOWHERE),
    _tuples(terms, 0),
)
parameters = st.builds(s.Parameter, small_idents, idents)
questions = st.builds(
    s.Question,
    idents,
    _tuples(parameters, 0),
    _tuples(texts),
    small_idents,
    idents,
    _tuples(items, 0),
    st.just(NOWHERE),
)
expectations = st.builds(
    s.Expectation, terms, st.sampled_from(("sat", "viol", "unk")), st.just(NOWHERE)
)
asks = st.builds(s.Ask, idents, _tuples(terms, 0), _tuples(expectations), st.just(NOWHERE))
tests = st.builds(s.Test, texts, _tuples(literals, 0), _tuples(asks, 0), st.just(NOWHERE))

statements = st.one_of(
    prefixes, classes, disjoints, relations, completes, sames, rules, soft_rules, questions, tests
)
rule_files = st.builds(s.RuleFile, st.just("generated"), _tuples(statements, 0, 6))
