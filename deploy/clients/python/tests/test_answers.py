from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest
from boardorder import InvalidError, with_answer

_FILES: dict[str, Any] = {"leave_out": ["a.gbr"], "layer_order": ["x", "y"], "tool_sizes": {"a.drl": {"T01": 0.8}}}
_REQUEST: dict[str, Any] = {"upload_id": "up_1", "quantity": 10, "file_answers": _FILES}


@pytest.mark.parametrize(
    ("field", "value", "changes"),
    [
        ("thickness_mm", 1.6, {"thickness_mm": 1.6}),
        ("do_not_fit_refs", ["R1"], {"do_not_fit_refs": ["R1"]}),
        ("file_answers.no_holes", True, {"file_answers": {**_FILES, "no_holes": True}}),
        ("file_answers.leave_out", ["a.gbr", "b.gbr"], {"file_answers": {**_FILES, "leave_out": ["a.gbr", "b.gbr"]}}),
        ("file_answers.layer_order", ["y", "x"], {"file_answers": {**_FILES, "layer_order": ["y", "x"]}}),
        ("file_answers.tool_sizes", {"a.drl": {"T02": 1}}, {"file_answers": {**_FILES, "tool_sizes": {"a.drl": {"T01": 0.8, "T02": 1}}}}),
    ],
)
def test_answers_are_put_into_a_request(field: str, value: object, changes: dict[str, Any]) -> None:
    before = deepcopy(_REQUEST)
    assert with_answer(_REQUEST, field, value) == {**_REQUEST, **changes}
    assert _REQUEST == before, "the request itself was changed"


def test_what_only_the_customer_knows_is_not_sent() -> None:
    with pytest.raises(InvalidError):
        with_answer(_REQUEST, "file_answers.tool_sizes", {"a.drl": {"T01": None}})
