package eagle

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

// Is tells a board of EAGLE: its other files begin in the same way.
func Is(name string, data []byte) bool {
	named := strings.EqualFold(path.Ext(name), ".brd")
	if !bytes.Contains(data[:min(len(data), 4096)], []byte("<eagle")) {
		return named && isBinary(data)
	}
	return named || bytes.Contains(data, []byte("<board>")) || bytes.Contains(data, []byte("<board "))
}

// isBinary tells whether data begins a file of EAGLE before version 6.
func isBinary(data []byte) bool {
	return len(data) > 2 && data[0] == 0x10 && (data[1] == 0 || data[1] == 0x80 || data[1] == 0xc0)
}

// Read makes a board of every file. Findings are about files that gave none.
func Read(ctx context.Context, files []File) ([]*pcb.Board, []pcb.Finding) {
	var boards []*pcb.Board
	var findings []pcb.Finding
	for _, f := range files {
		if ctx.Err() != nil {
			break
		}
		if isBinary(f.Data) {
			findings = append(findings, pcb.Finding{Code: "format_unread", Level: pcb.Problem, File: f.Name,
				Message: "the board is in the binary format of EAGLE before version 6, which is not read: open and save it in EAGLE 6 or later, or send the Gerbers and drill files that File > CAM Processor makes"})
			continue
		}
		r := newReader(pcb.FileContext(ctx, f.Name), f)
		r.document()
		if !r.hasBoard {
			findings = append(findings, r.findings...)
			findings = append(findings, pcb.Finding{Code: "no_board", Level: pcb.Problem, File: f.Name, Message: "the EAGLE file holds no board"})
			continue
		}
		boards = append(boards, r.build())
	}
	return boards, findings
}

// A reader goes through one file once and keeps what it holds.
type reader struct {
	ctx  context.Context
	file string
	in   *markup.Reader

	version  string
	hasBoard bool
	names    map[int]string // of layers
	plain    []item
	packages map[packageKey]*footprint
	elements []*element
	signals  []*signal
	rules    rules
	globals  map[string]string // attributes of the board
	findings []pcb.Finding
	remarks  []pcb.Remark
}

func newReader(ctx context.Context, f File) *reader {
	return &reader{ctx: ctx, file: f.Name, in: markup.NewReader(ctx, f.Data), names: map[int]string{},
		packages: map[packageKey]*footprint{}, globals: map[string]string{}, rules: defaultRules()}
}

func (r *reader) document() {
	for root := range r.in.Children() {
		if root.Name() != "eagle" {
			continue
		}
		r.version = root.Attr("version")
		for d := range r.in.Children() {
			if d.Name() == "drawing" {
				r.drawing()
			}
		}
	}
	for _, f := range r.in.Faults() {
		r.finding(pcb.Problem, "file_damaged", f.Line, "%s; what stands before was read", f.Text)
	}
}

func (r *reader) drawing() {
	for e := range r.in.Children() {
		switch e.Name() {
		case "layers":
			for l := range r.in.Children() {
				r.names[l.Int("number")] = l.Attr("name")
			}
		case "board":
			r.hasBoard = true
			r.board()
		}
	}
}

func (r *reader) board() {
	for e := range r.in.Children() {
		if r.ctx.Err() != nil {
			return
		}
		switch e.Name() {
		case "description":
			r.remarks = append(r.remarks, pcb.Remark{Text: r.in.Text(), Source: pcb.Source{File: r.file, Line: e.Line()}})
		case "plain":
			r.plain = append(r.plain, r.items()...)
		case "libraries":
			r.libraries()
		case "attributes":
			for a := range r.in.Children() {
				r.globals[a.Attr("name")] = a.Attr("value")
			}
		case "classes":
			r.classes()
		case "designrules":
			r.designRules(e)
		case "elements":
			for x := range r.in.Children() {
				r.elements = append(r.elements, r.element(x))
			}
		case "signals":
			for x := range r.in.Children() {
				r.signals = append(r.signals, r.signal(x))
			}
		}
	}
}

func (r *reader) finding(level pcb.Level, code string, line int, format string, args ...any) {
	r.findings = append(r.findings, pcb.Finding{Code: code, Level: level, File: r.file, Line: line, Message: fmt.Sprintf(format, args...)})
}

func (r *reader) boardName() string { return strings.TrimSuffix(r.file, path.Ext(r.file)) }

// length is an attribute in millimetres as nanometres; 0 where it is none.
func length(e markup.Element, name string) int64 {
	v := e.Float(name)
	if v > geom.Millimetres(geom.MaxCoord) || v < -geom.Millimetres(geom.MaxCoord) {
		return 0
	}
	return geom.MM(v)
}
