package ipc2581

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"strings"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/markup"
	"boardorder/pkg/board/pcb"
)

// File is one file of an upload.
type File struct {
	Name string // path within the upload
	Data []byte
}

// Is tells an IPC-2581 file by its beginning, whatever it is called.
func Is(_ string, data []byte) bool {
	head := data[:min(len(data), 4096)]
	return bytes.Contains(head, []byte("<IPC-2581")) || bytes.Contains(head, []byte(":IPC-2581"))
}

// Read makes boards of every file. Findings are about files that gave none.
func Read(ctx context.Context, files []File) ([]*pcb.Board, []pcb.Finding) {
	var all []document
	var findings []pcb.Finding
	for _, f := range files {
		if ctx.Err() != nil {
			break
		}
		r := newReader(pcb.FileContext(ctx, f.Name), f)
		r.document()
		d := document{file: f.Name, mode: r.mode, boards: r.boards()}
		if len(r.steps) == 0 && !d.partial() {
			findings = append(findings, r.findings...)
			findings = append(findings, pcb.Finding{Code: "no_board", Level: pcb.Problem, File: f.Name,
				Message: "the IPC-2581 file holds no step with a board in it"})
		}
		all = append(all, d)
	}
	boards, reported := whole(all)
	return boards, append(findings, reported...)
}

// A reader goes through one file once.
type reader struct {
	ctx   context.Context
	meter pcb.Meter
	file  string
	in    *markup.Reader
	unit  float64 // nanometres per unit of the design

	lines    map[string]int64 // widths of line descriptions
	fills    map[string]string
	standard map[string][]piece
	user     map[string][]piece
	layers   []*layer
	byName   map[string]*layer
	specs    map[string]*spec
	stackup  stackup
	parts    parts
	mode     string // what the file is for: its FunctionMode
	tool     string
	date     string
	revision string

	steps    []*step
	findings []pcb.Finding
	counts   map[string]int
	firstAt  map[string]int
	order    []string
	nested   int
}

func newReader(ctx context.Context, f File) *reader {
	return &reader{
		ctx: ctx, file: f.Name, meter: pcb.MeterOf(ctx), in: markup.NewReader(ctx, f.Data), unit: 1e6,
		lines: map[string]int64{}, fills: map[string]string{}, standard: map[string][]piece{}, user: map[string][]piece{},
		byName: map[string]*layer{}, specs: map[string]*spec{}, counts: map[string]int{}, firstAt: map[string]int{},
		parts: newParts(),
	}
}

func (r *reader) document() {
	for root := range r.in.Children() {
		if root.Name() != "IPC-2581" {
			r.passOver(root.Name(), root.Line())
			continue
		}
		for e := range r.in.Children() {
			if r.ctx.Err() != nil {
				return
			}
			switch e.Name() {
			case "Content":
				r.content()
			case "LogisticHeader":
				r.parts.logistics(r.in)
			case "HistoryRecord":
				r.history(e)
			case "Bom":
				r.parts.bom(r.in)
			case "Avl":
				r.parts.avl(r.in)
			case "Ecad":
				r.ecad()
			}
		}
	}
	for _, f := range r.in.Faults() {
		r.finding(pcb.Problem, "file_damaged", f.Line, "%s; what stands before was read", f.Text)
	}
	for _, name := range r.order {
		r.finding(pcb.Warning, "element_not_read", r.firstAt[name], "%q is not understood and was left out", name)
		r.findings[len(r.findings)-1].Count = r.counts[name]
	}
}

func (r *reader) history(e markup.Element) {
	r.date = e.Attr("lastChange")
	if r.date == "" {
		r.date = e.Attr("origination")
	}
	r.tool = e.Attr("software")
	for c := range r.in.Children() {
		if c.Name() != "FileRevision" {
			continue
		}
		r.revision = c.Attr("fileRevisionId")
		for s := range r.in.Children() {
			if s.Name() == "SoftwarePackage" {
				r.tool = strings.TrimSpace(s.Attr("vendor") + " " + s.Attr("name") + " " + s.Attr("revision"))
			}
		}
	}
}

func (r *reader) ecad() {
	for e := range r.in.Children() {
		switch e.Name() {
		case "CadHeader":
			r.unit = unitOf(e.Attr("units"), r.unit)
			for s := range r.in.Children() {
				if s.Name() == "Spec" {
					r.spec(s)
				}
			}
		case "CadData":
			r.cadData()
		}
	}
}

func (r *reader) cadData() {
	for e := range r.in.Children() {
		switch e.Name() {
		case "Layer":
			r.layer(e)
		case "Stackup":
			r.readStackup(e)
		case "Step":
			r.step(e)
		}
	}
}

// unitOf gives the nanometres of a unit; otherwise where none is named.
func unitOf(name string, otherwise float64) float64 {
	switch strings.ToUpper(name) {
	case "MILLIMETER", "MM":
		return 1e6
	case "MICRON":
		return 1e3
	case "INCH":
		return 25.4e6
	}
	return otherwise
}

func (r *reader) length(e markup.Element, name string) int64 {
	return lengthIn(e, name, r.unit)
}

func lengthIn(e markup.Element, name string, unit float64) int64 {
	v := e.Float(name) * unit
	if v > float64(geom.MaxCoord) || v < -float64(geom.MaxCoord) {
		return 0
	}
	return geom.MM(v / 1e6)
}

func (r *reader) point(e markup.Element, x, y string) geom.Point {
	return geom.Pt(r.length(e, x), r.length(e, y))
}

func (r *reader) passOver(name string, line int) {
	if len(name) > 40 {
		name = name[:40]
	}
	if _, ok := r.counts[name]; !ok {
		if len(r.order) > 50 {
			return
		}
		r.order = append(r.order, name)
		r.firstAt[name] = line
	}
	r.counts[name]++
}

func (r *reader) finding(level pcb.Level, code string, line int, format string, args ...any) {
	r.findings = append(r.findings, pcb.Finding{
		Code: code, Level: level, File: r.file, Line: line, Message: fmt.Sprintf(format, args...),
	})
}

// boardName names the board of a step.
func (r *reader) boardName(s *step) string {
	name := strings.TrimSuffix(r.file, path.Ext(r.file))
	if len(r.steps) > 1 {
		name += ":" + s.name
	}
	return name
}
