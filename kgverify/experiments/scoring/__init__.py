"""Predicted answers scored against the right ones, as "What Breaks KG-RAG?" defines it (section 4
and appendix E), every edge case settled.

`lines` reads JSON lines, `gold` and `predictions` say what is in them, `matching` when two names
are one answer, `measuring` what follows for each question and for all; `comparing` puts two systems
side by side; `scoring` does all of it.
"""
