"""What a graph suggests for a rule file: classes, relations with their signatures, and properties
that hold in it, each with its evidence."""
