"""What KiCad starts in a process of its own: prices and findings of the board that is open."""

import wx

from boardorder_kicad.ipc import IpcEditor
from boardorder_kicad.window import OrderFrame

app = wx.App()
OrderFrame(None, IpcEditor()).Show()
app.MainLoop()
