"""What the text says: passages, how they are found, and whether they state a fact.

Text is evidence and never truth: nothing in this package decides a constraint.  It names passages,
mentions and labels with scores, which the solver weighs.
"""
