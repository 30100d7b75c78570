"""Asks for a quote, and puts every question that the files leave open to whoever sits at the terminal."""

from __future__ import annotations

import os
import sys
from typing import Any, NamedTuple

from boardorder import BoardOrder, DesignError, NeedsAnswersError, is_open, with_answer
from boardorder.types import QuoteReply, QuoteRequest


class Choice(NamedTuple):
    text: str
    field: str
    value: Any
    usual: bool = False


def ask(question: str, choices: list[Choice]) -> Choice | None:
    print(question, *(f"  {i}  {c.text}{' (the usual one: press Enter)' if c.usual else ''}" for i, c in enumerate(choices, 1)), sep="\n", file=sys.stderr)
    line = sys.stdin.readline()
    if line == "\n":
        return next((c for c in choices if c.usual), None)
    return choices[int(line) - 1] if line.strip().isdigit() and 0 < int(line) <= len(choices) else None


def quote(client: BoardOrder, request: QuoteRequest) -> QuoteReply | None:
    while True:
        try:
            return client.quotes.create(request)
        except (NeedsAnswersError, DesignError) as error:
            print(error, file=sys.stderr)
            asked = []
            if isinstance(error, NeedsAnswersError):
                asked = [(q["question"], [Choice(str(value), q["option"], value, value == q.get("usual")) for value in q["choices"]]) for q in error.questions]
            for finding in error.findings:
                if finding["level"] == "must_fix":
                    asked.append((finding["what"], [Choice(a["means"], a["field"], a["value"]) for a in finding.get("answers", []) if not is_open(a["value"])]))
            asked = [(question, choices) for question, choices in asked if choices]
            if not asked:
                print(*(f"{f['level']}: {f['what']}" for f in error.findings), error.report_url, sep="\n", file=sys.stderr)  # to mend, or to build all the same: skip_board_checks
                return None
            for question, choices in asked:
                answer = ask(question, choices)
                if answer is None:
                    return None
                request = with_answer(request, answer.field, answer.value)


def main() -> None:
    client = BoardOrder(os.environ["BASE"], os.environ["KEY"])
    upload = client.uploads.create(sys.argv[1] if len(sys.argv) > 1 else "board.zip")
    result = quote(client, {"upload_id": upload["upload_id"], "quantity": 10, "ship_to": {"country": "DE"}})
    print(f"{result.get('board')}: {result.get('total')} {result['checkout_url']}" if result else "There is no price yet.")


main()
