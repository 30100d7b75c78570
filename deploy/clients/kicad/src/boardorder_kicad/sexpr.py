"""Symbolic expressions, as KiCad writes its files."""

from __future__ import annotations

import re
from typing import Union

Node = Union[str, "list[Node]"]

_TOKEN = re.compile(r'[()]|"((?:[^"\\]|\\.)*)"|[^\s()"]+', re.DOTALL)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_CONTROL = {"n": "\n", "r": "\r", "t": "\t"}


def parse(text: str) -> list[Node]:
    """The first list of a text. ValueError where it has none, or does not end."""
    stack: list[list[Node]] = []
    for token in _TOKEN.finditer(text):
        word = token.group()
        if word == "(":
            stack.append([])
        elif not stack:
            break
        elif word == ")":
            done = stack.pop()
            if not stack:
                return done
            stack[-1].append(done)
        elif token.group(1) is not None:
            stack[-1].append(_ESCAPE.sub(lambda m: _CONTROL.get(m[1], m[1]), token.group(1)))
        else:
            stack[-1].append(word)
    raise ValueError("no whole expression")


def lists(node: list[Node], name: str) -> list[list[Node]]:
    """The lists within a list that begin with a name."""
    return [child for child in node if isinstance(child, list) and child and child[0] == name]


def value(node: list[Node], name: str) -> str:
    """The first word of the first such list; empty where there is none."""
    for child in lists(node, name):
        if len(child) > 1 and isinstance(child[1], str):
            return child[1]
    return ""
