"""Mined rules with names that trip formats over."""

from __future__ import annotations

from hypothesis import strategies as st

from kgverify.mining.horn import Atom, HornRule, Measures, MinedRule

awkward = st.sampled_from(
    [
        *(
            "Paris, Texas",
            "St. John's (Antigua)",
            'He said "no"',
            '"quoted"',
            '"half',
            "two  spaces",
        ),
        *(
            " padded ",
            "a => b",
            "a <= b",
            "?x",
            "X",
            "c",
            "me_myself_i",
            "!=",
            "differentFrom",
            "tab\t",
        ),
        *(
            "line\nend",
            "\u2028",
            "key:x",
            'key:"x"',
            "",
            "<iri>",
            "a!=b",
            "back\\slash",
            "Rule",
            "{x}",
        ),
        *("é", "🙂", "\x00", "a)", "(b", ",", "\\u002c", '"\\u0041"', "-1", "0.5", "=", "=>", "  "),
    ]
)
texts = st.text(st.sampled_from("ab?XY ,()<=>!\"'\\\t\n#:.\u00a0\u2003é"), max_size=8)
names = awkward | texts | st.sampled_from(["treats", "born in", "/people/person", "ex:a"])
keys = st.builds(
    lambda kind, name: kind + name,
    st.sampled_from(["e", "e", "e", "lnumber ", "lstring ", "ltext@en ", "b0."]),
    names,
)
terms = st.integers(0, 3) | st.integers(0, 3) | st.integers(0, 3) | keys
atoms = st.builds(Atom, names, terms, terms)


@st.composite
def rules(draw: st.DrawFn, injective: bool | None = None) -> HornRule:
    """Safe rules in canonical form."""
    head = draw(atoms)
    body = draw(st.lists(atoms, min_size=1, max_size=3))
    loose = [v for v in head.variables if all(v not in atom.variables for atom in body)]
    if loose:
        body[-1] = Atom(draw(names), loose[0], loose[-1])
    loose = [v for v in head.variables if all(v not in atom.variables for atom in body)]
    if loose:
        body.append(Atom(draw(names), loose[0], loose[-1]))
    plain = HornRule(head, tuple(body), draw(st.booleans()) if injective is None else injective)
    pair = st.tuples(st.sampled_from(plain.terms), st.sampled_from(plain.terms))
    pairs = st.lists(pair.filter(lambda p: p[0] != p[1]), max_size=2)
    different = [] if plain.injective else draw(pairs)
    return HornRule(head, tuple(body), plain.injective, tuple(different)).canonical


@st.composite
def measures(draw: st.DrawFn) -> Measures:
    """Numbers that can be true: no part is larger than its whole."""
    support = draw(st.integers(0, 10_000))
    more = st.integers(0, 10_000)
    body = support + draw(more)
    pca = draw(st.integers(support, body))
    side = draw(st.sampled_from(["subject", "object"]))
    return Measures(support, support + draw(more), body, pca, side)  # type: ignore[arg-type]


mined = st.builds(MinedRule, rules(), measures())
