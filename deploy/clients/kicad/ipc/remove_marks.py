"""What KiCad starts in a process of its own: takes the marks off the board that is open."""

from boardorder_kicad.ipc import IpcEditor

IpcEditor().remove_marks()
