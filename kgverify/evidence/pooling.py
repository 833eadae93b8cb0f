"""How a model's folder says that the vectors of tokens become that of a text.

A folder of sentence-transformers says it in `modules.json` and in the files that it names; what is
not understood is refused, since vectors made otherwise than in training look right and are not.  A
folder of transformers says nothing, and the mean is taken.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from kgverify.errors import KgverifyError, Problem, Span

_MODES = {"pooling_mode_mean_tokens": "mean", "pooling_mode_cls_token": "cls"}


@dataclass(frozen=True, slots=True)
class Pooling:
    """`folder` holds the transformers model; `mode` is the mean of the tokens' vectors, or the
    first one; `longest`: so many tokens of a text count at most, 0 if the folder does not say;
    `lower`: texts are put in lower case first."""

    folder: Path
    mode: Literal["mean", "cls"] = "mean"
    longest: int = 0
    lower: bool = False


def pooling_of(path: Path) -> Pooling:
    """What a model's folder says.  Raises KgverifyError when it says something else than this."""
    if not (path / "modules.json").is_file():
        return Pooling(path)
    modules = _json(path / "modules.json")
    try:
        kinds = [str(module["type"]).rpartition(".")[2] for module in modules]
        places = [path / str(module["path"]) for module in modules]
        owners = {str(module["type"]).partition(".")[0] for module in modules}
    except (TypeError, KeyError) as error:
        raise _refusal(path, "has no list of modules with types and paths") from error
    if owners != {"sentence_transformers"} or kinds not in (
        ["Transformer", "Pooling"],
        ["Transformer", "Pooling", "Normalize"],
    ):
        listed = ", ".join(str(module["type"]) for module in modules)
        raise _refusal(path, f"has the modules {listed or 'of nothing'}")
    if not all(place.resolve().is_relative_to(path.resolve()) for place in places):
        raise _refusal(path, "names a module outside the folder")
    _check_whole(path, is_normal=len(kinds) == 3)
    settings = _optional(places[0] / "sentence_bert_config.json")
    longest, lower = settings.get("max_seq_length") or 0, settings.get("do_lower_case", False)
    if not isinstance(longest, int) or isinstance(longest, bool) or longest < 0:
        raise _refusal(path, f"has texts of {longest!r} tokens at most")
    if not isinstance(lower, bool):
        raise _refusal(path, f"has the setting do_lower_case {lower!r}")
    return Pooling(places[0], _mode(places[1]), longest, lower)


def _mode(place: Path) -> Literal["mean", "cls"]:
    said = _json(place / "config.json")
    if not isinstance(said, dict):
        raise _refusal(place, "has no settings of pooling")
    named = [said["pooling_mode"]] if "pooling_mode" in said else []
    flags = {key: value for key, value in said.items() if key.startswith("pooling_mode_")}
    named += [_MODES.get(key, key) for key, value in flags.items() if value]
    match named:
        case ["mean"]:
            return "mean"
        case ["cls"]:
            return "cls"
    raise _refusal(place, f"pools by {' and '.join(map(str, named)) or 'nothing'}")


def _check_whole(path: Path, is_normal: bool) -> None:
    """Prompts before texts, and a measure that is no cosine, would have to be known by callers."""
    said = _optional(path / "config_sentence_transformers.json")
    prompts = said.get("prompts") or {}
    if not isinstance(prompts, dict) or any(prompts.values()):
        raise _refusal(path, "puts prompts before texts")
    measure = said.get("similarity_fn_name") or "cosine"
    if measure != "cosine" and not (measure == "dot" and is_normal):
        raise _refusal(path, f"compares vectors by `{measure}`")


def _optional(file: Path) -> dict[str, Any]:
    found = _json(file) if file.is_file() else {}
    if not isinstance(found, dict):
        raise _refusal(file, "is no JSON object")
    return found


def _json(file: Path) -> Any:
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        message = f"the model can't be loaded: {file.name} can't be read: {error}"
        raise KgverifyError(Problem("no-model", message, Span(str(file)))) from error


def _refusal(place: Path, what: str) -> KgverifyError:
    hint = "a Transformer with a Pooling by mean or cls, and a Normalize or not, is understood"
    message = f"how this model makes a vector of a text is not understood: it {what}"
    return KgverifyError(Problem("no-model", message, Span(str(place)), hint))
