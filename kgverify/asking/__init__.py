"""Questions in plain words: their constraints, with the words that each came from."""
