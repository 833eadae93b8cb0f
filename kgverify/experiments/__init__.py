"""What was measured: published experiments done again, and taken further, on the real data.

`runs` has what all of them share: the record of a run and the folder it leaves.  `masking`,
`metrics` and `statistics` know nothing of any experiment; `hetionet` reads a data set; `markdown`
and `plots` write.  Each experiment is a package of its own on top of these.  `scoring` compares
predicted answers with the right ones, and `incomplete` builds benchmarks and answers them.

Needs scipy and matplotlib, the extra `experiments`, where it counts and draws, and statsmodels, the
extra `scoring`, where it compares two systems.
"""
