"""A KiCad that is played over its own protocol: an nng server, and a board of items."""

from __future__ import annotations

import threading
from typing import Any

import pynng
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.empty_pb2 import Empty
from google.protobuf.message import Message
from kipy.proto.board import board_commands_pb2 as board_commands
from kipy.proto.board import board_types_pb2 as board_types
from kipy.proto.common import ApiRequest, ApiResponse, ApiStatusCode
from kipy.proto.common.commands import editor_commands_pb2 as editor
from kipy.proto.common.types import base_types_pb2 as base
from kipy.proto.common.types.enums_pb2 import KiCadObjectType

_TYPES = {KiCadObjectType.KOT_PCB_SHAPE: "BoardGraphicShape", KiCadObjectType.KOT_PCB_TEXT: "BoardText", KiCadObjectType.KOT_PCB_TEXTBOX: "BoardTextBox", KiCadObjectType.KOT_PCB_GROUP: "Group"}


class Refusal(Exception):
    def __init__(self, status: int, message: str = "") -> None:
        super().__init__(message)
        self.status = status


class PlayedKiCad:
    """Keeps what it is told as KiCad does: what a commit holds is on the board once it is pushed, and a group takes only what is on the board.

    ``major`` 9 knows no groups. ``layers`` are those that the board has, ``text`` is what it writes, ``busy`` are commands that it refuses at the moment. ``commands`` are the names of all that came.
    """

    def __init__(self, address: str, folder: str, name: str, *, major: int = 10, layers: tuple[int, ...] = (board_types.BL_F_Cu, board_types.BL_B_Cu, board_types.BL_Cmts_User, board_types.BL_Eco2_User)) -> None:
        self.document = base.DocumentSpecifier(type=base.DOCTYPE_PCB, board_filename=name)
        self.document.project.path, self.document.project.name = folder, name.partition(".")[0]
        self.major, self.layers = major, layers
        self.items: dict[str, Message] = {}
        self.staged: dict[str, Message] | None = None
        self.selected: list[str] = []
        self.commands: list[str] = []
        self.text = ""
        self.open = True
        self.busy: set[str] = set()
        self._socket = pynng.Rep0(listen=address, recv_timeout=100)
        self._over = False
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def close(self) -> None:
        self._over = True
        self._thread.join()
        self._socket.close()

    def _serve(self) -> None:
        while not self._over:
            try:
                data = self._socket.recv()
            except pynng.exceptions.Timeout:
                continue
            request, reply = ApiRequest(), ApiResponse()
            request.ParseFromString(data)
            name = request.message.TypeName().rpartition(".")[2]
            self.commands.append(name)
            try:
                if name in self.busy:
                    raise Refusal(ApiStatusCode.AS_BUSY, "KiCad is busy and cannot respond to API requests right now")
                handle = getattr(self, f"_{name}", None)
                if handle is None:
                    raise Refusal(ApiStatusCode.AS_UNHANDLED, f"no handler available for {name}")
                reply.message.Pack(handle(request.message))
                reply.status.status = ApiStatusCode.AS_OK
            except Refusal as refusal:
                reply.status.status, reply.status.error_message = refusal.status, str(refusal)  # type: ignore[assignment]
            self._socket.send(reply.SerializeToString())

    def _item(self, packed: AnyMessage) -> Message:
        kind = packed.TypeName().rpartition(".")[2]
        item: Message = getattr(board_types, kind)()
        packed.Unpack(item)
        return item

    def _GetOpenDocuments(self, _: AnyMessage) -> Message:  # noqa: N802
        return editor.GetOpenDocumentsResponse(documents=[self.document] if self.open else [])

    def _GetBoardEnabledLayers(self, _: AnyMessage) -> Message:  # noqa: N802
        return board_commands.BoardEnabledLayersResponse(copper_layer_count=2, layers=self.layers)  # type: ignore[arg-type]

    def _BeginCommit(self, _: AnyMessage) -> Message:  # noqa: N802
        self.staged = {}
        return editor.BeginCommitResponse(id=base.KIID(value="c"))

    def _EndCommit(self, packed: AnyMessage) -> Message:  # noqa: N802
        command = editor.EndCommit()
        packed.Unpack(command)
        if command.action == editor.CMA_COMMIT:
            self.items |= self.staged or {}
        self.staged = None
        return editor.EndCommitResponse()

    def _CreateItems(self, packed: AnyMessage) -> Message:  # noqa: N802
        command = editor.CreateItems()
        packed.Unpack(command)
        reply = editor.CreateItemsResponse(status=base.IRS_OK)
        for one in command.items:
            result = reply.created_items.add()
            item: Any = self._item(one)
            if isinstance(item, board_types.Group):
                if self.major < 10:
                    raise Refusal(ApiStatusCode.AS_BAD_REQUEST, "Tried to create an item of type PCB_GROUP_T, which is unhandled")
                there = [i for i in item.items if i.value in self.items]
                del item.items[:]
                item.items.extend(there)
            elif item.layer not in self.layers:
                result.status.code = editor.ISC_INVALID_DATA
                continue
            result.status.code = editor.ISC_OK
            result.item.Pack(item)
            (self.items if self.staged is None else self.staged)[item.id.value] = item
        return reply

    def _GetItems(self, packed: AnyMessage) -> Message:  # noqa: N802
        command = editor.GetItems()
        packed.Unpack(command)
        names = {_TYPES[t] for t in command.types if t in _TYPES and (self.major >= 10 or t != KiCadObjectType.KOT_PCB_GROUP)}
        if not names:
            raise Refusal(ApiStatusCode.AS_BAD_REQUEST, "none of the requested types are valid for a Board object")
        reply = editor.GetItemsResponse(status=base.IRS_OK)
        for item in self.items.values():
            if type(item).__name__ in names:
                reply.items.add().Pack(item)
        return reply

    def _DeleteItems(self, packed: AnyMessage) -> Message:  # noqa: N802
        command = editor.DeleteItems()
        packed.Unpack(command)
        reply = editor.DeleteItemsResponse(status=base.IRS_OK)
        for one in command.item_ids:
            found = self.items.pop(one.value, None)
            reply.deleted_items.add(id=one, status=editor.IDS_OK if found else editor.IDS_NONEXISTENT)
        return reply

    def _ClearSelection(self, _: AnyMessage) -> Message:  # noqa: N802
        self.selected = []
        return Empty()

    def _AddToSelection(self, packed: AnyMessage) -> Message:  # noqa: N802
        command = editor.AddToSelection()
        packed.Unpack(command)
        self.selected += [one.value for one in command.items]
        return editor.SelectionResponse()

    def _RunAction(self, packed: AnyMessage) -> Message:  # noqa: N802
        command = editor.RunAction()
        packed.Unpack(command)
        self.commands.append(command.action)
        return editor.RunActionResponse(status=editor.RAS_OK)

    def _SaveDocumentToString(self, _: AnyMessage) -> Message:  # noqa: N802
        return editor.SavedDocumentResponse(document=self.document, contents=self.text + "".join(sorted(self.items)))
