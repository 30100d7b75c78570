package altium

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"boardorder/pkg/board/compound"
	"boardorder/pkg/board/pcb"
)

// File is one file of an upload.
type File struct {
	Name string // path within the upload
	Data []byte
}

// Is tells a board of Altium, as a PCB binary file or in ASCII, whatever it is called.
func Is(_ string, data []byte) bool {
	if bytes.HasPrefix(data, []byte("\xd0\xcf\x11\xe0")) {
		return bytes.Contains(data, []byte("B\x00o\x00a\x00r\x00d\x006\x00")) // a storage of the container, in UTF-16
	}
	head := bytes.TrimPrefix(data[:min(len(data), 4096)], []byte("\xef\xbb\xbf"))
	return bytes.HasPrefix(bytes.TrimSpace(head), []byte("|RECORD=Board|"))
}

// Read makes a board of every file. Findings are about files that gave none.
func Read(ctx context.Context, files []File) ([]*pcb.Board, []pcb.Finding) {
	var boards []*pcb.Board
	var findings []pcb.Finding
	for _, f := range files {
		if ctx.Err() != nil {
			break
		}
		b, err := read(pcb.FileContext(ctx, f.Name), f)
		var no *refusal
		switch {
		case err == nil:
			boards = append(boards, b)
		case errors.As(err, &no):
			findings = append(findings, pcb.Finding{Code: no.code, Level: pcb.Problem, File: f.Name, Message: no.message})
		default:
			findings = append(findings, pcb.Finding{Code: "file_damaged", Level: pcb.Problem, File: f.Name,
				Message: "the Altium board could not be read: " + err.Error() + ". Save it again, or send Gerbers"})
		}
	}
	return boards, findings
}

// A refusal is why no board is made of a file that is not damaged.
type refusal struct{ code, message string }

func (r *refusal) Error() string { return r.message }

// refuse says what of a board is not read, and what to send instead.
func refuse(format string, args ...any) error {
	return &refusal{"format_unread", fmt.Sprintf(format, args...) + ", which is not read from an Altium board: send Gerbers and drill files"}
}

func read(ctx context.Context, f File) (*pcb.Board, error) {
	r := &reader{ctx: ctx, meter: pcb.MeterOf(ctx), file: f.Name}
	if strings.HasPrefix(string(f.Data[:min(len(f.Data), 16)]), "|RECORD=") {
		return nil, &refusal{"format_unread", "the board is saved as an ASCII file of Altium, which is not read: save it with File > Save As as a PCB binary file, or send what File > Fabrication Outputs makes with Gerber Files and NC Drill Files"}
	}
	in, err := compound.Open(f.Data)
	if err != nil {
		return nil, err
	}
	r.in = in
	if err := r.document(); err != nil {
		return nil, err
	}
	return r.build()
}

// A reader goes through the streams of one file and keeps what they hold.
type reader struct {
	ctx   context.Context
	meter pcb.Meter
	file  string
	in    *compound.File

	design   design
	findings []pcb.Finding
}

// A design is what the streams of a file state, in their order: others name nets,
// parts and polygons by their number.
type design struct {
	board    properties
	nets     []string
	parts    []part
	polygons []polygon
	rules    []rule
	lines    []line
	arcs     []arc
	fills    []fill
	pads     []pad
	vias     []via
	regions  []region
	texts    []text
	masks    map[maskKey]mask
}

// document reads every stream that a board is made of.
func (r *reader) document() error {
	raw, err := r.stream("Board6")
	if err != nil {
		return err
	}
	if len(raw) == 0 {
		return &refusal{"no_board", "the file holds no board of Altium Designer 6 or later: open and save the board there, or send Gerbers"}
	}
	d := &r.design
	c := &cursor{data: raw}
	if d.board, err = c.properties(r.meter), c.err; err != nil {
		return fmt.Errorf("Board6: %w", err)
	}
	for _, s := range []struct {
		name string
		read func(*cursor) error
	}{
		{"Nets6", r.net}, {"Components6", r.part}, {"Polygons6", r.polygon}, {"Rules6", r.rule},
		{"Tracks6", r.line}, {"Arcs6", r.arc}, {"Fills6", r.fill}, {"Pads6", r.pad}, {"Vias6", r.readVia},
		{"ExtendedPrimitiveInformation", r.mask},
	} {
		if err := r.records(s.name, s.read); err != nil {
			return err
		}
	}
	for _, read := range []func() error{r.readRegions, r.readTexts, r.parameters, r.checkRest} {
		if err := read(); err != nil {
			return err
		}
	}
	return r.meter.Err()
}

// stream gives the records of a kind of object; nothing where the file has none.
func (r *reader) stream(name string) ([]byte, error) {
	data, err := r.in.Stream(name, "Data")
	if errors.Is(err, compound.ErrNone) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return data, nil
}

// records reads a stream record by record, and holds their number against the one
// that the stream's header states.
func (r *reader) records(name string, read func(*cursor) error) error {
	data, err := r.stream(name)
	if err != nil {
		return err
	}
	c, n := &cursor{data: data}, 0
	for ; len(c.data) > 0; n++ {
		if !r.meter.Spend(pcb.Shapes, 1) {
			return r.meter.Err()
		}
		if err := read(c); err != nil {
			return fmt.Errorf("%s, record %d: %w", name, n+1, err)
		}
		if c.err != nil {
			return fmt.Errorf("%s, record %d: %w", name, n+1, c.err)
		}
	}
	h, err := r.in.Stream(name, "Header")
	if err == nil && len(h) >= 4 {
		if want := (&cursor{data: h}).u32(); int64(want) > int64(n) {
			return fmt.Errorf("%s holds %d records of %d", name, n, want)
		}
	}
	return nil
}

func (r *reader) finding(level pcb.Level, code, format string, args ...any) {
	r.findings = append(r.findings, pcb.Finding{Code: code, Level: level, File: r.file, Message: fmt.Sprintf(format, args...)})
}

func (r *reader) boardName() string { return strings.TrimSuffix(r.file, path.Ext(r.file)) }
