"""Rule files and graphs: what a graph suggests for a rule file, each with its evidence, and what it
has against one."""
