"""Constrained entity selection under partial knowledge (CES-PK), done again on Hetionet.

The paper asks two questions of Hetionet, which compounds treat a disease and which of them don't
cause a side effect, and verifies sampled answers among distractors.  `asking` makes the questions
and the candidates, `judging` verifies them, `measuring` does so for every seed and share of removed
edges; `plausibility` ranks removed edges, `shapes` asks pySHACL the same; `drawing` and `report`
show it.
"""
