"""GoG's questions on an incomplete Freebase: which edges were deleted, and which of them a rule
file could defend.

`questions` reads the files, `patterns` their SPARQL; `sameness` says which listed triples are one
fact; `measuring` counts what was deleted, `covering` what the rules can refute, `breaks` how often
a graph breaks them; `report` shows it and `running` does all of it.
"""
