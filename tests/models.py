"""Real models, made here: a BERT without layers, whose words' vectors are chosen."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from pathlib import Path

import pytest

HAS_EXTRA = all(importlib.util.find_spec(name) for name in ("torch", "transformers"))
needs_extra = pytest.mark.skipif(not HAS_EXTRA, reason="needs the extra `neural`")


def word_model(
    folder: Path,
    directions: Mapping[int, str],
    between: Mapping[str, tuple[str, str]] | None = None,
) -> Path:
    """Saves a model and its tokenizer in a folder.

    Words of one direction, of which there are eight, mean the same; a word that is `between` two
    others has the sum of their vectors."""
    import torch
    from transformers import BertConfig, BertModel, BertTokenizer

    sums = between or {}
    marks = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    listed = [*marks, *(word for said in directions.values() for word in said.split()), *sums]
    (folder / "vocab.txt").write_text("\n".join(listed) + "\n")
    BertTokenizer(str(folder / "vocab.txt")).save_pretrained(folder)
    config = BertConfig(
        vocab_size=len(listed),
        hidden_size=8,
        num_hidden_layers=0,
        num_attention_heads=1,
        intermediate_size=8,
    )
    made = BertModel(config, add_pooling_layer=False)
    with torch.no_grad():
        for weights in made.embeddings.parameters():
            weights.zero_()
        made.embeddings.LayerNorm.weight.fill_(1.0)
        rows = made.embeddings.word_embeddings.weight
        for direction, said in directions.items():
            for word in said.split():
                # Of mean 0, so that the norm of the layer leaves the direction as it is.
                rows[listed.index(word), direction] = 1.0
                rows[listed.index(word)] -= 1 / 8
        for word, (one, other) in sums.items():
            rows[listed.index(word)] = rows[listed.index(one)] + rows[listed.index(other)]
    made.save_pretrained(folder)
    return folder
