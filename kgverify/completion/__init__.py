"""Which edges may be added where reasoning stops at one that is missing, and why not the others.

An added edge is admitted, not true: it carries the passages that it rests on.  Nothing here
searches or reads text; evidence comes in as values.
"""
