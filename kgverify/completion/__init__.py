"""Which edges may be added where reasoning stops at one that is missing, and why not the others.

An added edge is admitted, not true: it carries the passages that it rests on.  `searching` finds
them and has them judged; what decides takes evidence as values.
"""
