package excellon

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"boardorder/pkg/board/pcb"

	"boardorder/pkg/board/geom"
)

// toolWord handles T(n) with its size and speeds: T01C0.6, T1F00S00C0.028,
// T1C.015F095S3, or a plain selection. It returns how many words after T it
// used.
func (s *scanner) toolWord(ws []word) int {
	if !ws[0].has {
		return 0
	}
	n, used := ws[0].num.integer(), 0
	var size word
	for _, w := range ws[1:] {
		if !strings.ContainsRune("CFSBHZ", rune(w.letter)) {
			break
		}
		if w.letter == 'C' && w.has {
			size = w
		}
		used++
	}
	if size.has {
		s.defineTool(n, size.num)
		if s.header {
			return used
		}
	} else if s.header {
		s.tool(n)
		return used
	}
	s.selectTool(n, ws[0].num.digits)
	return used
}

// tool is the index of tool n, which is created when new; -1 beyond the limit.
func (s *scanner) tool(n int) int {
	if i, ok := s.byNum[n]; ok {
		return i
	}
	if len(s.tools) >= maxTools {
		s.findings.add(s.line, true, "drill_tools", "more tools than any machine holds; the rest is left out")
		return -1
	}
	s.byNum[n] = len(s.tools)
	s.tools = append(s.tools, rawTool{Tool: Tool{Number: n, Line: s.line}})
	return len(s.tools) - 1
}

func (s *scanner) defineTool(n int, size number) {
	i := s.tool(n)
	if i < 0 {
		return
	}
	t := &s.tools[i]
	v := math.Abs(size.value())
	if t.hasSize && t.size != v && t.selected {
		// The same number with another size after use is another tool.
		s.byNum[n] = len(s.tools)
		s.tools = append(s.tools, rawTool{Tool: Tool{Number: n}})
		t = &s.tools[len(s.tools)-1]
	}
	t.size, t.hasSize, t.hasPoint, t.Line = v, true, size.decimals >= 0, s.line
	switch {
	case s.attr.plating != pcb.PlatingUnknown:
		t.Plating, t.Function = s.attr.plating, s.attr.function
	case s.section != pcb.PlatingUnknown:
		t.Plating = s.section
	}
}

// selectTool is a T word in the body. T0 parks the tool. Four digits may be a
// tool and its compensation.
func (s *scanner) selectTool(n int, digits int8) {
	if _, known := s.byNum[n]; !known {
		switch {
		case n == 0:
			return
		case digits == 4:
			if _, ok := s.byNum[n/100]; ok {
				n /= 100
			}
		}
	}
	if i := s.tool(n); i >= 0 {
		s.selects++
		s.tools[i].selected = true
		s.mark(opTool, i)
	}
}

// resolveTools gives every tool its diameter in nanometres.
func (s *scanner) resolveTools(f Format) []Tool {
	s.useRemarks()
	s.adoptReportTool()
	tools := make([]Tool, len(s.tools))
	for i := range s.tools {
		tools[i] = s.resolveTool(&s.tools[i], f)
	}
	return tools
}

func (s *scanner) resolveTool(t *rawTool, f Format) Tool {
	unit := f.Unit
	if t.unit != UnknownUnit {
		unit = t.unit
	}
	if t.hasSize {
		size := t.size
		if t.remarked && t.unit == UnknownUnit && unit == Inch && size >= 1 {
			size /= 1000 // mils: no drill is an inch wide
		}
		if !t.hasPoint && size >= 10 {
			size = s.inferSize(t, f)
		}
		t.Diameter = geom.MM(size * unit.nanometres() / float64(geom.Millimetre))
	}
	s.applyReport(t)
	s.applyAnswer(t)
	s.applyList(t)
	if s.backDrill && t.Function == "" {
		t.Function = backDrill
	}
	switch {
	case t.Diameter > 500*geom.Millimetre:
		s.findings.add(t.Line, true, "drill_tool_size", fmt.Sprintf("tool T%02d is %s wide: its size or unit is wrong",
			t.Number, millimetres(t.Diameter)))
		t.Diameter = 0
	case t.Diameter > 25*geom.Millimetre:
		s.findings.add(t.Line, false, "drill_tool_large", fmt.Sprintf("tool T%02d is %s wide: its holes are cut-outs, not drilled",
			t.Number, millimetres(t.Diameter)))
	}
	return t.Tool
}

// backDrill is the function of tools that take the wall of a plated hole away again, from
// one side and down to a layer.
const backDrill = "BackDrill"

// adoptReportTool makes the one tool of a drill report that of a program that names none.
func (s *scanner) adoptReportTool() {
	if len(s.tools) > 0 || s.selects > 0 || len(s.opt.Tools) != 1 {
		return
	}
	for n := range s.opt.Tools {
		s.tool(n)
	}
}

// inferSize reads a tool size that was written without its point, as
// coordinates are.
func (s *scanner) inferSize(t *rawTool, f Format) float64 {
	v := t.size * math.Pow10(-max(f.Decimal, 1))
	s.findings.add(t.Line, false, "drill_tool_size",
		fmt.Sprintf("tool T%02d has no decimal point in its size; read as %s %s", t.Number, strconv.FormatFloat(v, 'g', 6, 64), f.Unit))
	return v
}

// applyReport fills in what a drill report says, and tells where it differs.
func (s *scanner) applyReport(t *rawTool) {
	r, ok := s.opt.Tools[t.Number]
	if !ok {
		return
	}
	if t.Plating == pcb.PlatingUnknown {
		t.Plating = r.Plating
	}
	if t.Stated == 0 {
		t.Stated = r.Stated
	}
	switch {
	case r.Diameter == 0:
	case t.Diameter == 0:
		t.Diameter = r.Diameter
		s.findings.add(t.Line, false, "drill_tool_report",
			fmt.Sprintf("tool T%02d has no size here; the drill report gives %s", t.Number, millimetres(r.Diameter)))
	case abs(t.Diameter-r.Diameter) > 60*geom.Micrometre:
		s.findings.add(t.Line, true, "drill_tool_conflict", fmt.Sprintf("tool T%02d is %s here and %s in the drill report",
			t.Number, millimetres(t.Diameter), millimetres(r.Diameter)))
	}
}

// applyAnswer fills in the size that the customer gives, where the file does not.
func (s *scanner) applyAnswer(t *rawTool) {
	d := s.opt.Answered[t.Number]
	if d == 0 || t.Diameter != 0 {
		return
	}
	t.Diameter = d
	s.findings.add(t.Line, false, "drill_tool_answered",
		fmt.Sprintf("tool T%02d has no size here; it is %s, as the customer says", t.Number, millimetres(d)))
}

// applyList fills in the size that a list of tools gives, where nothing else does.
func (s *scanner) applyList(t *rawTool) {
	r, ok := s.opt.Lists[t.Number]
	if !ok || t.Diameter != 0 || r.Diameter == 0 {
		return
	}
	t.Diameter = r.Diameter
	if t.Plating == pcb.PlatingUnknown {
		t.Plating = r.Plating
	}
	if t.Stated == 0 {
		t.Stated = r.Stated
	}
	s.findings.add(t.Line, false, "drill_tool_report",
		fmt.Sprintf("tool T%02d has no size here; the list of tools beside the file gives %s", t.Number, millimetres(r.Diameter)))
}

func abs(v int64) int64 { return max(v, -v) }

func millimetres(nm int64) string {
	return strconv.FormatFloat(geom.Millimetres(nm), 'f', -1, 64) + " mm"
}
