"""What stops a price, as questions with their choices."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from .boardorder.answers import is_open
from .boardorder.errors import DesignError, FilesError, NeedsAnswersError
from .text import line


@dataclass(frozen=True)
class Choice:
    """One answer: ``value`` goes into ``field`` of the request."""

    text: str
    field: str
    value: Any


@dataclass(frozen=True)
class Question:
    """``free_field`` takes what is typed where no choice fits; ``usual`` is the index of the standard answer, -1 without one."""

    text: str
    choices: list[Choice] = field(default_factory=list)
    usual: int = -1
    free_field: str = ""


def list_questions(error: FilesError) -> list[Question]:
    """Everything that can be answered on the spot. Empty where only other files help."""
    found: list[Question] = []
    if isinstance(error, NeedsAnswersError):
        found = [_question(q) for q in error.questions]
        if error.parts:
            found.append(_parts("No part number says what these are", error.parts, [Choice("The fabricator's team picks them by value and footprint", "staff_picks_parts", True)]))
        if error.off_board_parts:
            found.append(_parts("These parts have no place on the board, or are marked as not fitted", error.off_board_parts, []))
    if boards := error.boards:
        found.append(Question("Which board is meant?", [Choice(line(b["board"]), "board", b["board"]) for b in boards]))
    if isinstance(error, DesignError):
        for finding in error.findings:
            if finding["level"] == "must_fix" and (choices := _answers(finding.get("answers", []))):
                found.append(Question(line(finding["what"]), choices))
        if error.findings:
            found.append(Question("Or build the board as it is designed, although it may come out wrong?", [Choice("Yes, build it as it is", "skip_board_checks", True)]))
    return [q for q in found if q.choices or q.free_field]


def _question(q: Any) -> Question:
    choices = [Choice(_say(value), q["option"], value) for value in q["choices"]]
    choices += [c for c in _answers(q.get("answers", [])) if all((c.field, c.value) != (known.field, known.value) for known in choices)]
    usual = next((i for i, c in enumerate(choices) if "usual" in q and c.field == q["option"] and c.value == q["usual"]), -1)
    text = line(q["question"]) + (f" ({line(q['file'])})" if q.get("file") else "")
    return Question(text, choices, usual, "" if choices else q["option"])


def _answers(answers: list[Any]) -> list[Choice]:
    return [Choice(line(a["means"]), a["field"], a["value"]) for a in answers if not is_open(a["value"])]


def _parts(text: str, parts: list[Any], others: list[Choice]) -> Question:
    references = [r for p in parts for r in (word.strip() for word in p["reference"].split(",")) if r]
    return Question(f"{text}: {line(', '.join(references))}", [*others, Choice("Leave them off the boards", "do_not_fit_refs", references)])


def _say(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return line(value if " " in value else value.replace("_", " "))
    return line(value if isinstance(value, (int, float)) else json.dumps(value))


def read_value(text: str) -> Any:
    """What people type: a number, or else the words."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
