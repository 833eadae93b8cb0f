"""TGComplete done again: whether text that states an edge says that it is right, what completed
edges are worth for answers, and what abstaining costs."""
