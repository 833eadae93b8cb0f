"""Which rules the graph suggests: Horn rules, their measures, and the search for them."""
