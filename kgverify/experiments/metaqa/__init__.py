"""Questions about films in plain words (MetaQA), read and answered without any training.

`questions` reads the files, `answering` reads and answers each question, `ceiling` walks the
relations that a question's type names, `report` shows it; `running` does all of it.
"""
