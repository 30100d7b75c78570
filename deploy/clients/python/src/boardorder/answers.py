"""Answers to what the files leave open."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from .errors import InvalidError

R = TypeVar("R", bound=Mapping[str, Any])


def is_open(value: object) -> bool:
    """Whether an answer leaves open what only the customer knows."""
    if isinstance(value, Mapping):
        return any(map(is_open, value.values()))
    return value is None or (isinstance(value, list) and any(map(is_open, value)))


def with_answer(request: R, field: str, value: object) -> R:
    """The request with an answer in it: one of those that an error offers, or one of yours.

    What is there already is kept; objects and lists get more, but the order of layers is told whole.
    """
    if is_open(value):
        raise InvalidError(f"{field} asks for what only the customer knows: put it in place of None.")
    group, _, name = field.partition(".")
    return cast(R, {**request, group: _merge(request.get(group), {name: value} if name else value)})


def _merge(old: object, more: object, name: str = "") -> object:
    if isinstance(old, list) and isinstance(more, list) and name != "layer_order":
        return old + [item for item in more if item not in old]
    if isinstance(old, Mapping) and isinstance(more, Mapping):
        return {**old, **{key: _merge(old.get(key), value, key) for key, value in more.items()}}
    return more
