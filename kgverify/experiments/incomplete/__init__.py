"""Benchmarks of questions that an incomplete graph answers by reasoning alone, as in "What Breaks
KG-RAG?" (section 3): built from mined rules, checked, and answered.

`grounding` chooses instances of rules, `asking` makes questions of the triples that they remove,
`balancing` thins and divides them, `naming` says what things are called; `building` does all of it,
`writing` writes the folder, and `checking` checks one from its files alone.  `answering` answers
the questions with mined rules, `choosing` says from which score on, `verifying` holds that against
the verifier; `running` measures all of it.
"""
