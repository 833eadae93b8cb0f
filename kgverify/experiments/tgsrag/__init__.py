"""Text-Graph Synergy RAG done again: retrieval for questions of several hops, and what each part
of the synergy is worth."""
