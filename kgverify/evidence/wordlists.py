"""Closed lists of English words."""

from __future__ import annotations


def word_set(text: str) -> frozenset[str]:
    """The words of a list written as a text."""
    return frozenset(text.split())


# The words that are no names by themselves, and that have a capital where a sentence begins:
# pronouns, articles, prepositions, conjunctions, auxiliaries and the like.
FUNCTION_WORDS = word_set(
    """a about above across after again against all almost along already also although always am
    among an and another any anybody anyone anything are around as at away be because been before
    behind being below beneath beside besides between beyond both but by can could despite did do
    does done down during each either else enough even ever every everybody everyone everything
    except few for from had has have having he hence her here hers herself him himself his how
    however i if in indeed inside instead into is it its itself just last least less let like many
    may maybe me might mine more moreover most much must my myself near neither never nevertheless
    next no nobody none nor not nothing now of off often on once one only onto or other others
    otherwise ought our ours ourselves out outside over own past perhaps please quite rather same
    several shall she should since so some somebody someone something sometimes soon still such
    than that the their theirs them themselves then there therefore these they this those though
    through throughout thus to together too toward towards under underneath unless unlike until up
    upon us very via was we well were what whatever when whenever where whereas wherever whether
    which whichever while who whoever whole whom whose why will with within without would yes yet
    you your yours yourself"""
)
