"""The one window: what is asked for, questions, findings and prices."""

from __future__ import annotations

import threading
import webbrowser
from collections.abc import Callable
from typing import Any

import wx

from . import bom, keys
from .boardorder.errors import AuthenticationError, BoardOrderError, DesignError, FilesError, NeedsAnswersError
from .design import Design, DesignFileError, find_design
from .editor import Editor, EditorError, Mark
from .findings import LEVELS, Row, count_levels, list_findings
from .prices import Grid, can_order, grid, show_cell
from .questions import Choice, Question, list_questions, read_value
from .session import Session, WishError, Wishes, check_link, connect, parse_quantities
from .settings import load_settings, save_settings, service_url
from .text import line

_GAP = 8
_WIDTH, _HEIGHT = 860, 720
_TOLD = (BoardOrderError, DesignFileError, EditorError, WishError, OSError, ValueError)


class OrderFrame(wx.Frame):
    """Prices and findings of the board that ``editor`` has open."""

    def __init__(self, parent: Any, editor: Editor) -> None:
        super().__init__(parent, title="Board Ordering", size=(_WIDTH, _HEIGHT), style=wx.DEFAULT_FRAME_STYLE | wx.FRAME_FLOAT_ON_PARENT if parent else wx.DEFAULT_FRAME_STYLE)
        self._editor = editor
        self._settings = load_settings()
        self._modified: bool | None = None
        self._session: Session | None = None
        self._rows: list[Row] = []
        self._grid: Grid | None = None
        self._ways: list[tuple[Question, Any]] = []
        self._build()
        self._read_board()
        self.Bind(wx.EVT_ACTIVATE, self._see_again)
        self.SetMinSize((640, 560))
        self.CentreOnParent() if parent else self.Centre()

    # What the window shows.

    def _build(self) -> None:
        panel = wx.Panel(self)
        outer = wx.BoxSizer(wx.VERTICAL)
        self._board = wx.StaticText(panel, label="")
        self._board.SetFont(self._board.GetFont().Bold())
        self._state = wx.StaticText(panel, label="")
        outer.Add(self._board, 0, wx.LEFT | wx.RIGHT | wx.TOP, _GAP)
        outer.Add(self._state, 0, wx.LEFT | wx.RIGHT | wx.BOTTOM, _GAP)
        outer.Add(self._build_wishes(panel), 0, wx.EXPAND | wx.LEFT | wx.RIGHT, _GAP)

        row = wx.BoxSizer(wx.HORIZONTAL)
        self._ask = wx.Button(panel, label="Get prices")
        self._ask.Bind(wx.EVT_BUTTON, lambda _: self._begin())
        self._gauge = wx.Gauge(panel, size=(120, -1))
        self._gauge.Hide()
        self._pulse = wx.Timer(self)
        self.Bind(wx.EVT_TIMER, lambda _: self._gauge.Pulse(), self._pulse)
        self._said = wx.StaticText(panel, label="", style=wx.ST_ELLIPSIZE_END)
        row.Add(self._ask, 0, wx.RIGHT, _GAP)
        row.Add(self._gauge, 0, wx.ALIGN_CENTER_VERTICAL | wx.RIGHT, _GAP)
        row.Add(self._said, 1, wx.ALIGN_CENTER_VERTICAL)
        outer.Add(row, 0, wx.EXPAND | wx.ALL, _GAP)

        self._pages = wx.Notebook(panel)
        self._pages.AddPage(self._build_findings(self._pages), "Findings")
        self._pages.AddPage(self._build_questions(self._pages), "Questions")
        self._pages.AddPage(self._build_prices(self._pages), "Prices")
        outer.Add(self._pages, 1, wx.EXPAND | wx.LEFT | wx.RIGHT | wx.BOTTOM, _GAP)
        panel.SetSizer(outer)
        self._panel = panel

    def _build_wishes(self, panel: wx.Panel) -> wx.Sizer:
        s = self._settings
        form = wx.FlexGridSizer(cols=2, vgap=4, hgap=_GAP)
        form.AddGrowableCol(1)

        def add(label: str, *controls: wx.Window) -> None:
            row = wx.BoxSizer(wx.HORIZONTAL)
            for i, control in enumerate(controls):
                row.Add(control, 1 if i == 0 and len(controls) < 3 and isinstance(control, wx.TextCtrl) else 0, wx.ALIGN_CENTER_VERTICAL | wx.RIGHT, 4)
            form.Add(wx.StaticText(panel, label=label), 0, wx.ALIGN_CENTER_VERTICAL)
            form.Add(row, 1, wx.EXPAND)

        self._url = wx.TextCtrl(panel, value=service_url(s))
        self._url.SetHint("https://…")
        key = wx.Button(panel, label="API key…")
        key.Bind(wx.EVT_BUTTON, lambda _: self._ask_key())
        add("Service", self._url, key)
        self._quantities = wx.TextCtrl(panel, value=", ".join(map(str, s.quantities)))
        add("Quantities", self._quantities)
        self._country = wx.TextCtrl(panel, value=s.country, size=(50, -1))
        self._country.SetMaxLength(2)
        self._postal_code = wx.TextCtrl(panel, value=s.postal_code, size=(100, -1))
        self._region = wx.TextCtrl(panel, value=s.state, size=(60, -1))
        add("Ships to", wx.StaticText(panel, label="country (two letters)"), self._country, wx.StaticText(panel, label="postal code"), self._postal_code, wx.StaticText(panel, label="state"), self._region)
        self._assembly = wx.CheckBox(panel, label="with the parts on the boards")
        self._assembly.SetValue(s.assembly)
        self._variant = wx.Choice(panel, choices=["no variant"])
        add("Assembly", self._assembly, wx.StaticText(panel, label="  variant"), self._variant)
        self._standard = wx.CheckBox(panel, label="take what is usual for whatever the files leave open")
        self._standard.SetValue(s.standard)
        add("Options", self._standard)
        self._not_itar = wx.RadioButton(panel, label="not controlled under ITAR", style=wx.RB_GROUP)
        self._itar = wx.RadioButton(panel, label="controlled under ITAR")
        undecided = wx.RadioButton(panel, label="not said yet")
        undecided.SetValue(True)
        add("This design is", self._not_itar, self._itar, undecided)
        self._keep = wx.CheckBox(panel, label="keep what was decided beside the board (board-order.json), so that nothing is asked the next time")
        self._keep.SetValue(s.keep_order)
        add("", self._keep)
        return form

    def _build_findings(self, book: wx.Notebook) -> wx.Panel:
        page = wx.Panel(book)
        self._list = wx.ListCtrl(page, style=wx.LC_REPORT | wx.LC_SINGLE_SEL)
        for i, (name, width) in enumerate((("Mark", 50), ("", 120), ("What was found", 430), ("Where", 210))):
            self._list.InsertColumn(i, name, width=width)
        self._list.Bind(wx.EVT_LIST_ITEM_SELECTED, lambda e: self._show_row(e.GetIndex()))
        self._detail = wx.TextCtrl(page, style=wx.TE_MULTILINE | wx.TE_READONLY, size=(-1, 60))
        row = wx.BoxSizer(wx.HORIZONTAL)
        self._mark = _button(page, row, "Mark on the board", self._place_marks)
        self._notes_too = wx.CheckBox(page, label="also what is for information")
        row.Add(self._notes_too, 0, wx.ALIGN_CENTER_VERTICAL | wx.RIGHT, _GAP)
        _button(page, row, "Remove marks", self._remove_marks)
        self._report = _button(page, row, "Open the report", lambda: self._open(self._session.report_url if self._session else ""))
        self._mark.Disable()
        self._report.Disable()
        column = wx.BoxSizer(wx.VERTICAL)
        column.Add(self._list, 1, wx.EXPAND | wx.ALL, 4)
        column.Add(self._detail, 0, wx.EXPAND | wx.LEFT | wx.RIGHT, 4)
        column.Add(row, 0, wx.ALL, 4)
        page.SetSizer(column)
        return page

    def _build_questions(self, book: wx.Notebook) -> wx.Panel:
        page = wx.Panel(book)
        self._asked = wx.ScrolledWindow(page)
        self._asked.SetScrollRate(0, 12)
        row = wx.BoxSizer(wx.HORIZONTAL)
        self._go_on = _button(page, row, "Answer and go on", self._answer)
        self._go_on.Disable()
        column = wx.BoxSizer(wx.VERTICAL)
        column.Add(self._asked, 1, wx.EXPAND | wx.ALL, 4)
        column.Add(row, 0, wx.ALL, 4)
        page.SetSizer(column)
        return page

    def _build_prices(self, book: wx.Notebook) -> wx.Panel:
        page = wx.Panel(book)
        self._about = wx.StaticText(page, label="", style=wx.ST_ELLIPSIZE_END)
        self._table = wx.ScrolledWindow(page)
        self._table.SetScrollRate(12, 12)
        self._notes = wx.TextCtrl(page, style=wx.TE_MULTILINE | wx.TE_READONLY, size=(-1, 80))
        column = wx.BoxSizer(wx.VERTICAL)
        column.Add(self._about, 0, wx.EXPAND | wx.ALL, 4)
        column.Add(self._table, 1, wx.EXPAND | wx.LEFT | wx.RIGHT, 4)
        column.Add(self._notes, 0, wx.EXPAND | wx.ALL, 4)
        page.SetSizer(column)
        return page

    # What is read from the board and the form.

    def _read_board(self) -> Design | None:
        """The design as it lies on the disk, or None with the reason shown."""
        try:
            design = find_design(self._editor.board_path())
            self._modified = self._editor.is_modified()
        except (DesignFileError, EditorError, OSError) as error:
            self._board.SetLabelText("There is no board to send")
            self._state.SetLabelText(str(error))
            return None
        self._board.SetLabelText(line(design.name))
        said = f"{len(design.files)} files of the project are sent, as they were saved."
        if self._modified:
            said = "The board has changes that are not saved: save it first, or prices are for what lies on the disk."
        if design.missing:
            said += f" Sheets that are not sent, since they are not in the project's folder: {line(', '.join(design.missing), 120)}."
        self._state.SetLabelText(said)
        self._list_variants(design)
        return design

    def _see_again(self, event: Any) -> None:
        """Shows that the board was saved meanwhile. Changes are looked for only when prices are asked for: on large boards that takes a moment."""
        event.Skip()
        if event.GetActive() and self._modified and self._ask.IsEnabled():
            self._read_board()

    def _list_variants(self, design: Design) -> None:
        try:
            with open(design.board, encoding="utf-8", errors="replace") as f:
                names = bom.list_variants(f.read())
        except (OSError, ValueError):
            names = []
        chosen = self._variant.GetStringSelection()
        self._variant.Set(["no variant", *map(line, names)])
        self._variants = ["", *names]
        if not self._variant.SetStringSelection(chosen):
            self._variant.SetSelection(0)
        self._variant.Enable(bool(names))

    def _read_wishes(self) -> Wishes:
        itar = False if self._not_itar.GetValue() else True if self._itar.GetValue() else None
        wishes = Wishes(
            quantities=parse_quantities(self._quantities.GetValue()), country=self._country.GetValue().strip().upper(), postal_code=self._postal_code.GetValue().strip(), state=self._region.GetValue().strip(),
            assembly=self._assembly.GetValue(), standard=self._standard.GetValue(), itar=itar, variant=self._variants[max(0, self._variant.GetSelection())],
        )
        wishes.check()
        return wishes

    def _remember(self, wishes: Wishes) -> None:
        s = self._settings
        s.url, s.quantities, s.country, s.postal_code, s.state = self._url.GetValue().strip(), wishes.quantities, wishes.country, wishes.postal_code, wishes.state
        s.assembly, s.standard, s.keep_order = wishes.assembly, wishes.standard, self._keep.GetValue()
        try:
            save_settings(s)
        except OSError as error:
            self._say(f"Your choices could not be remembered: {error.strerror}")

    def _ask_key(self) -> bool:
        """Asks for the key of the service, and keeps it; whether there is one now."""
        url = self._url.GetValue().strip().rstrip("/")
        if not url:
            self._tell("Say first where the service is.")
            return False
        with wx.PasswordEntryDialog(self, f"The API key for {url}.\nKeys are made at {url}/portal; a test key (bo_test_…) costs nothing.\nLeave it empty to forget the one that is kept.", "API key") as dialog:
            if dialog.ShowModal() != wx.ID_OK:
                return False
            given = dialog.GetValue().strip()
        try:
            if not given:
                keys.delete_key(url)
                self._say("The key was forgotten.")
                return False
            self._say(f"The key is kept in {keys.write_key(url, given)}.")
        except (OSError, ValueError) as error:
            self._tell(str(error))
            return False
        return True

    # What is done, step by step.

    def _begin(self) -> None:
        design = self._read_board()
        if design is None:
            return
        try:
            wishes = self._read_wishes()
        except WishError as error:
            self._tell(str(error))
            return
        if self._modified and not self._confirm("The board has changes that are not saved, and what is sent lies on the disk. Go on without them?"):
            return
        url = self._url.GetValue().strip().rstrip("/")
        if not url:
            self._tell("Say where the service is: its address begins with https://.")
            return
        key = keys.read_key(url)
        if not key and not (self._ask_key() and (key := keys.read_key(url))):
            return
        self._remember(wishes)
        self._show_findings([])
        self._show_questions([])
        self._show_prices(None)

        def work() -> list[Row]:
            session = Session(connect(url, key), design, wishes, lambda text: wx.CallAfter(self._say, text))
            session.send()
            self._session = session
            return session.check()

        def done(rows: list[Row]) -> None:
            self._show_findings(rows)
            self._price()

        self._run(work, done)

    def _price(self) -> None:
        if self._session:
            self._run(self._session.price, self._show_prices)

    def _answer(self) -> None:
        answered = False
        for question, control in self._ways:
            picked = control.GetSelection() if isinstance(control, wx.Choice) else -1
            choice: Choice | None = None
            if isinstance(control, wx.TextCtrl):
                if text := control.GetValue().strip():
                    choice = Choice(text, question.free_field, read_value(text))
            elif picked > 0:
                choice = question.choices[picked - 1]
            if choice and self._session:
                self._session.answer(choice.field, choice.value)
                answered = True
        if answered:
            self._show_questions([])
            self._price()
        else:
            self._tell("Choose an answer first.")

    def _order(self, cell: Any) -> None:
        session = self._session
        if session is None:
            return

        def done(quote: Any) -> None:
            said = "The quote is open in your browser. Nothing is ordered before it is paid there."
            if self._keep.GetValue():
                try:
                    session.keep_order(quote)
                except OSError as error:
                    said += f" board-order.json could not be written: {error.strerror}."
            self._open(quote["checkout_url"])
            self._say(said)

        self._run(lambda: session.quote(cell), done)

    def _run(self, work: Callable[[], Any], done: Callable[[Any], object]) -> None:
        """Does work that takes a while, away from the window."""
        self._ask.Disable()
        self._table.Disable()
        self._gauge.Show()
        self._pulse.Start(80)
        self._panel.Layout()

        def finish(result: Any, error: Exception | None) -> None:
            if not self:  # closed meanwhile
                return
            self._pulse.Stop()
            self._gauge.Hide()
            self._ask.Enable()
            self._table.Enable()
            self._say("")
            if error is None:
                done(result)
            else:
                self._fail(error)

        def run() -> None:
            result: Any = None
            error: Exception | None = None
            try:
                result = work()
            except _TOLD as caught:
                error = caught
            except Exception as caught:  # noqa: BLE001 - a window that goes on turning would say nothing
                error = RuntimeError(f"{type(caught).__name__}: {caught}")
            wx.CallAfter(finish, result, error)

        threading.Thread(target=run, daemon=True).start()

    def _fail(self, error: Exception) -> None:
        if isinstance(error, (NeedsAnswersError, DesignError)):
            if not self._rows and error.findings:
                self._show_findings(list_findings(error.findings))
            if self._session and error.report_url:
                self._session.report_url = error.report_url
                self._report.Enable()
            if questions := list_questions(error):
                self._say("The board has faults that must be mended first." if isinstance(error, DesignError) else "The files leave something open.")
                self._show_questions(questions)
                return
        said = line(error, 600)
        if isinstance(error, FilesError) and (what := error.reply.get("next")):
            said += "\n\n" + line(what)
        if isinstance(error, AuthenticationError):
            said += "\n\nGive the key again with “API key…”."
        if isinstance(error, BoardOrderError) and error.request_id:
            said += f"\n\nRequest {line(error.request_id, 60)}"
        self._tell(said)

    # What is shown of it.

    def _show_findings(self, rows: list[Row]) -> None:
        self._rows = rows
        self._list.DeleteAllItems()
        for i, row in enumerate(rows):
            self._list.InsertItem(i, str(row.number or ""))
            for column, text in enumerate((LEVELS.get(row.level, row.level), row.what, row.where), 1):
                self._list.SetItem(i, column, text)
        self._detail.SetValue("")
        self._mark.Enable(any(row.at_mm for row in rows))
        self._report.Enable(bool(self._session and self._session.report_url))
        self._pages.SetPageText(0, f"Findings: {count_levels(rows)}" if self._session else "Findings")
        self._pages.SetSelection(0)

    def _show_row(self, index: int) -> None:
        row = self._rows[index]
        self._detail.SetValue(f"{row.what}\n{row.where}")
        if row.number:
            try:
                if not self._editor.jump(row.number):
                    self._say("It has no mark on the board yet.")
            except EditorError as error:
                self._say(str(error))

    def _place_marks(self) -> None:
        marks = [Mark(row.number, *row.at_mm) for row in self._rows if row.at_mm and (row.level != "note" or self._notes_too.GetValue())]
        if not marks:
            self._say("All that was found is for information: tick that, and press again.")
            return
        try:
            self._editor.place_marks(marks)
            self._say(f"{len(marks)} places are marked. Choose a line to go to its mark.")
        except EditorError as error:
            self._tell(str(error))

    def _remove_marks(self) -> None:
        try:
            self._say("The marks are gone." if self._editor.remove_marks() else "There are no marks on this board.")
        except EditorError as error:
            self._tell(str(error))

    def _show_questions(self, questions: list[Question]) -> None:
        self._asked.DestroyChildren()
        self._ways = []
        column = wx.BoxSizer(wx.VERTICAL)
        for question in questions:
            label = wx.StaticText(self._asked, label=question.text.replace("&", "&&"))
            label.Wrap(_WIDTH - 80)
            column.Add(label, 0, wx.TOP, _GAP)
            control: wx.Window
            if question.free_field:
                control = wx.TextCtrl(self._asked)
            else:
                names = [c.text + (" (usual)" if i == question.usual else "") for i, c in enumerate(question.choices)]
                control = wx.Choice(self._asked, choices=["choose…", *names])
                control.SetSelection(question.usual + 1)
            column.Add(control, 0, wx.EXPAND | wx.TOP | wx.RIGHT, 4)
            self._ways.append((question, control))
        self._asked.SetSizer(column)
        self._asked.FitInside()
        self._go_on.Enable(bool(questions))
        self._pages.SetPageText(1, f"Questions: {len(questions)}" if questions else "Questions")
        if questions:
            self._pages.SetSelection(1)

    def _show_prices(self, table: Any) -> None:
        self._table.DestroyChildren()
        self._grid = grid(table) if table else None
        self._about.SetLabelText(line(table["board"] or "") if table else "")
        self._notes.SetValue("\n".join([f"Press a price to open its page; nothing is ordered before it is paid there. The prices hold until {line(table['expires_at'])[:16].replace('T', ' ')} UTC.", *map(line, table["notes"])]) if table else "")
        if self._grid is None:
            return
        cells = wx.FlexGridSizer(cols=1 + len(self._grid.builds), vgap=4, hgap=4)
        cells.Add(wx.StaticText(self._table, label="boards"))
        for build in self._grid.builds:
            cells.Add(wx.StaticText(self._table, label=build), 0, wx.ALIGN_CENTER_HORIZONTAL)
        for quantity, row in zip(self._grid.quantities, self._grid.cells):
            cells.Add(wx.StaticText(self._table, label=str(quantity)), 0, wx.ALIGN_CENTER_VERTICAL)
            for cell in row:
                shown = show_cell(cell).replace("&", "&&")
                control: wx.Window = wx.Button(self._table, label=shown) if can_order(cell) else wx.StaticText(self._table, label=shown)
                if can_order(cell):
                    control.Bind(wx.EVT_BUTTON, lambda _, c=cell: self._order(c))
                cells.Add(control, 0, wx.EXPAND)
        self._table.SetSizer(cells)
        self._table.FitInside()
        self._table.Layout()
        self._pages.SetSelection(2)

    def _open(self, link: str) -> None:
        try:
            if not webbrowser.open(check_link(link)):
                self._tell(f"No browser could be opened. The address is\n{line(link)}")
        except ValueError as error:
            self._tell(str(error))

    def _say(self, text: str) -> None:
        if self:
            self._said.SetLabelText(text)
            self._panel.Layout()

    def _tell(self, text: str) -> None:
        wx.MessageBox(text, "Board Ordering", wx.OK | wx.ICON_INFORMATION, self)

    def _confirm(self, text: str) -> bool:
        return bool(wx.MessageBox(text, "Board Ordering", wx.YES_NO | wx.NO_DEFAULT | wx.ICON_QUESTION, self) == wx.YES)


def _button(page: wx.Panel, row: wx.Sizer, label: str, do: Callable[[], object]) -> wx.Button:
    button = wx.Button(page, label=label)
    button.Bind(wx.EVT_BUTTON, lambda _: do())
    row.Add(button, 0, wx.RIGHT, 4)
    return button
