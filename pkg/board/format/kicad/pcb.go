package kicad

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/sexpr"
	"boardorder/pkg/board/internal/strokefont"
	"boardorder/pkg/board/pcb"
)

// Versions of the board format at which the meaning of something changed.
const (
	version4 = 4        // 2015: layer numbers count from the top
	version6 = 20200000 // first formats of what became KiCad 6
	version7 = 20220000
	version8 = 20230600 // margins may be set to 0; text fields are properties
	version9 = 20240200 // vias have tenting of their own
	netNames = 20250000 // KiCad 10 on the way: items name their nets, without a table
	newest   = 20261231 // KiCad 10 and what we have seen of it
)

// A pcbReader fills a board from one .kicad_pcb.
type pcbReader struct {
	ctx      context.Context
	meter    pcb.Meter
	file     string
	b        *pcb.Board
	in       *sexpr.Reader
	partSize int
	version  int
	tool     string

	layers   layerTable
	setup    setup
	title    titleBlock
	nets     map[string]int32 // by the number, or the name, that the file uses
	table    map[string]int32 // of a part: the nets of the whole, not to be written to
	classes  map[string]viaSize
	classOf  map[int32]string
	variable map[string]string // text variables

	tally
	scattered  bool // the body is in pieces, with other elements between
	drillTools map[int64]int32
	shapes     plainShapes
	marked     map[int32]bool // nets of unfilled zones
	listing    bool           // inside a list of all layers that a pad is made for

	// Room that is used again for the next item.
	padLayers, trackLayers []*pcbLayer
	edges                  []geom.Edge
	letters                strokefont.Writer
}

type titleBlock struct{ title, date, revision, company string }

// readBoard reads a .kicad_pcb as far as it goes, its body in parts of some bytes;
// nil when ctx ended first.
func readBoard(ctx context.Context, f File, part int) *pcb.Board {
	r := newReader(pcb.FileContext(ctx, f.Name), f.Name)
	r.b.Name = strings.TrimSuffix(f.Name, f.Name[len(f.Name)-len(ext(f.Name)):])
	r.in, r.partSize = sexpr.NewReader(f.Data), part
	r.setup = defaultSetup()
	root, ok := r.in.Open()
	if !ok || root != "kicad_pcb" && root != "PCBNEW-BOARD" {
		r.finding(pcb.Problem, "unreadable_file", 1, "this is not a KiCad board: it does not begin with (kicad_pcb")
		return r.b
	}
	for n, ok := r.in.Next(); ok; n, ok = r.in.Next() {
		r.element(n)
		if r.divisible() {
			r.readParts(ctx)
		}
		if ctx.Err() != nil {
			return nil
		}
	}
	r.finish(ctx)
	return r.b
}

func newReader(ctx context.Context, file string) *pcbReader {
	return &pcbReader{
		ctx: ctx, meter: pcb.MeterOf(ctx), file: file, b: pcb.NewBoard(""),
		nets: map[string]int32{}, classes: map[string]viaSize{}, classOf: map[int32]string{}, variable: map[string]string{},
		tally:      tally{counts: map[string]int{}, countLine: map[string]int{}},
		drillTools: map[int64]int32{}, shapes: plainShapes{}, marked: map[int32]bool{},
	}
}

// element reads one child of (kicad_pcb …).
func (r *pcbReader) element(n sexpr.Node) {
	if !r.meter.Spend(pcb.Lookups, 1+len(n.Raw())/64) {
		return
	}
	switch name := n.Name(); string(name) {
	case "segment":
		r.segment(n)
	case "arc":
		r.trackArc(n)
	case "via":
		r.readVia(n)
	case "footprint", "module":
		r.footprint(n)
	case "zone":
		r.zone(n, geom.Transform{})
	case "gr_line", "gr_arc", "gr_circle", "gr_rect", "gr_poly", "gr_curve", "gr_bbox":
		r.graphic(n, figureKind(name), geom.Transform{}, graphicContext{})
	case "bezier":
		r.graphic(n, "curve", geom.Transform{}, graphicContext{})
	case "gr_text", "gr_text_box", "table":
		r.boardText(n, string(name))
	case "dimension":
		r.dimension(n)
	case "target":
		r.target(n)
	default:
		r.header(n, string(name))
	}
}

// header reads the children that describe the board as a whole.
func (r *pcbReader) header(n sexpr.Node, name string) {
	switch name {
	case "version":
		r.setVersion(n)
	case "host", "generator":
		r.tool = n.Part(1).Text()
		if name == "host" {
			r.tool += " " + n.Part(2).Text()
		}
	case "generator_version":
		r.tool += " " + n.Part(1).Text()
	case "general":
		if v, ok := n.Value("thickness").Nm(); ok {
			r.setup.thickness, r.setup.thicknessLine = v, n.Find("thickness").Line()
		}
	case "title_block":
		r.titleBlock(n)
	case "layers":
		r.readLayers(n)
	case "setup":
		r.readSetup(n)
	case "property":
		r.variable[n.Part(1).Text()] = n.Part(2).Text()
	case "net":
		r.net(n)
	case "net_class":
		r.netClass(n)
	case "page", "paper", "group", "generated", "embedded_fonts", "embedded_files", "variants", "component_classes",
		"point", "links", "no_connects", "modules", "drawings", "zones", "nets", "tracks", "area", "setup_variants":
		// The sheet, the editor's bookkeeping and what only the editor shows.
	default:
		r.passOver(name, n.Line())
	}
}

func (r *pcbReader) setVersion(n sexpr.Node) {
	r.version = n.Part(1).Int()
	if r.version > newest {
		r.finding(pcb.Note, "newer_format", n.Line(),
			"the board was saved in format %d, newer than any we know; what we do not understand is listed", r.version)
	}
}

func (r *pcbReader) titleBlock(n sexpr.Node) {
	r.title = titleBlock{
		title: n.Value("title").Text(), date: n.Value("date").Text(),
		revision: n.Value("rev").Text(), company: n.Value("company").Text(),
	}
	for key, v := range map[string]string{
		"TITLE": r.title.title, "ISSUE_DATE": r.title.date, "REVISION": r.title.revision, "COMPANY": r.title.company,
	} {
		r.variable[key] = v
	}
	for c := range n.Lists("comment") {
		r.variable["COMMENT"+c.Part(1).Text()] = c.Part(2).Text()
		r.b.Remarks = append(r.b.Remarks, pcb.Remark{Text: c.Part(2).Text(), Source: pcb.Source{File: r.file, Line: c.Line()}})
	}
}

func (r *pcbReader) finding(level pcb.Level, code string, line int, format string, args ...any) {
	r.b.Findings = append(r.b.Findings, pcb.Finding{
		Code: code, Level: level, File: r.file, Line: line, Message: fmt.Sprintf(format, args...),
	})
}

// finish does what needs the whole file to be read.
func (r *pcbReader) finish(ctx context.Context) {
	for _, f := range r.in.Faults() {
		r.finding(pcb.Problem, "file_damaged", f.Line, "%s; what stands before was read", f.Text)
	}
	names := make([]string, 0, len(r.counts))
	for name := range r.counts {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		r.finding(pcb.Warning, "element_not_read", r.countLine[name], "%q is not understood and was left out", name)
		r.b.Findings[len(r.b.Findings)-1].Count = r.counts[name]
	}
	if r.offCount > 0 {
		r.finding(pcb.Note, "layer_switched_off", r.offLine,
			"elements lie on layers that the board does not have, such as %q; they are not plotted", r.offName)
		r.b.Findings[len(r.b.Findings)-1].Count = r.offCount
	}
	if !r.anyFill && r.emptyZones > 0 {
		r.unfilled, r.unfilledAt = r.unfilled+r.emptyZones, r.emptyZoneAt
		r.emptyZones = 0
	}
	if r.unfilled > 0 {
		r.finding(pcb.Warning, "zone_not_filled", r.unfilledAt,
			"copper zones are stored without their filling, so a plot would leave them empty: fill all zones and save")
		r.b.Findings[len(r.b.Findings)-1].Count = r.unfilled
	}
	if r.emptyZones > 0 {
		r.finding(pcb.Note, "zone_empty", r.emptyZoneAt, "copper zones were filled, but nothing is left of them")
		r.b.Findings[len(r.b.Findings)-1].Count = r.emptyZones
	}
	r.placeRemovable()
	r.joinOpenings(ctx)
	r.findOutline()
	r.takeLayers()
	r.judgeOpen()
	r.state()
}

// pt reads a list's two numbers as a point, Y turned upwards.
func (r *pcbReader) pt(n sexpr.Node) geom.Point {
	x, y, ok := n.XY()
	if !ok && n.Exists() {
		r.passOver("number in "+string(n.Name()), n.Line())
	}
	cx, okX := geom.Clamp(x)
	cy, okY := geom.Clamp(-y)
	if !okX || !okY {
		r.passOver("coordinate beyond 4 m", n.Line())
	}
	return geom.Pt(cx, cy)
}

// size reads one length of a list, such as (width 0.2); 0 when missing.
func size(n sexpr.Node) int64 {
	v, ok := n.Nm()
	if !ok {
		return 0
	}
	v, _ = geom.Clamp(v)
	return v
}
