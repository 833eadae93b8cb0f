"""Text and graph that check and complete each other (Text-Graph Synergy RAG, arXiv 2605.05643).

A beam search through the graph remembers every entity that it saw.  What it saw votes for passages;
the passages that were found confirm paths, and bring back paths that the search dropped.
"""
