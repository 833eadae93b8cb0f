"""Checks explanations by an implementation of its own, and their citations against a graph."""
