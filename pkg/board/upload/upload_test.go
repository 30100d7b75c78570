package upload_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/pcbdoc"
	"boardorder/pkg/board/upload"
)

// A set is an upload under construction: name and content of its files.
type set map[string]string

// gerberFile draws strokes (x1,y1 x2,y2 in millimetres) and flashes (x,y).
func gerberFile(head string, items ...string) string {
	var b strings.Builder
	b.WriteString("%FSLAX46Y46*%\n%MOMM*%\n" + head + "%ADD10C,0.2*%\n%ADD11C,1.6*%\nG01*\n")
	at := func(s string) string {
		var x, y float64
		fmt.Sscanf(s, "%f,%f", &x, &y)
		return fmt.Sprintf("X%dY%d", int64(x*1e6), int64(y*1e6))
	}
	for _, it := range items {
		if from, to, line := strings.Cut(it, " "); line {
			fmt.Fprintf(&b, "D10*\n%sD02*\n%sD01*\n", at(from), at(to))
		} else {
			fmt.Fprintf(&b, "D11*\n%sD03*\n", at(it))
		}
	}
	return b.String() + "M02*\n"
}

func function(f string) string { return "%TF.FileFunction," + f + "*%\n" }

// drillFile drills 0.8 mm holes at x,y in millimetres.
func drillFile(head string, holes ...string) string {
	s := "M48\n" + head + "METRIC\nT1C0.800\n%\nG90\nG05\nT1\n"
	for _, h := range holes {
		x, y, _ := strings.Cut(h, ",")
		s += "X" + x + ".0Y" + y + ".0\n"
	}
	return s + "M30\n"
}

var outlineLines = []string{"0,0 20,0", "20,0 20,10", "20,10 0,10", "0,10 0,0"}

// ordinary is a two-layer board of 20 by 10 mm with three plated holes.
func ordinary() set {
	pads := []string{"5,5", "10,5", "15,5", "5,5 15,5"}
	return set{
		"x-F_Cu.gbr":      gerberFile("", pads...),
		"x-B_Cu.gbr":      gerberFile("", pads...),
		"x-F_Mask.gbr":    gerberFile("", pads[:3]...),
		"x-B_Mask.gbr":    gerberFile("", pads[:3]...),
		"x-Edge_Cuts.gbr": gerberFile("", outlineLines...),
		"x-PTH.drl":       drillFile("", "5,5", "10,5", "15,5"),
	}
}

// merge gives the set with files added or replaced; "" takes one away.
func (s set) merge(more set) set {
	for name, data := range more {
		if data == "" {
			delete(s, name)
		} else {
			s[name] = data
		}
	}
	return s
}

func (s set) read(t *testing.T) *pcb.Project {
	t.Helper()
	return upload.Read(context.Background(), s.files(), upload.Options{})
}

func (s set) files() []upload.File {
	var out []upload.File
	for name, data := range s {
		out = append(out, upload.File{Name: name, Data: []byte(data)})
	}
	slices.SortFunc(out, func(a, b upload.File) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// findings lists the codes of all findings at or above a level.
func findings(p *pcb.Project, least pcb.Level) []string {
	var out []string
	add := func(fs []pcb.Finding) {
		for _, f := range fs {
			if f.Level >= least {
				out = append(out, f.Code)
			}
		}
	}
	add(p.Findings)
	for _, b := range p.Boards {
		add(b.Findings)
	}
	slices.Sort(out)
	return out
}

func TestOrdinaryBoard(t *testing.T) {
	t.Parallel()
	p := ordinary().read(t)
	if len(p.Boards) != 1 {
		t.Fatalf("%d boards", len(p.Boards))
	}
	b := p.Boards[0]
	f := b.Facts
	got := fmt.Sprintf("%d layers, %d x %d, %d plated %d bare %d open, drill %d, track %d", f.CopperLayers.Value, f.Width.Value, f.Height.Value,
		f.PlatedHoles.Value, f.NonPlatedHoles.Value, f.UnknownHoles.Value, f.MinDrill.Value, f.MinTrack.Value)
	if want := "2 layers, 20000000 x 10000000, 3 plated 0 bare 0 open, drill 800000, track 200000"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if diff := cmp.Diff([]string(nil), findings(p, pcb.Warning)); diff != "" {
		t.Error(diff)
	}
	for _, r := range p.Files {
		if !r.Used || r.Board != b.Name || r.Why == "" || r.Confidence == 0 {
			t.Errorf("%+v", r)
		}
	}
	if f.Width.Source.File != "x-Edge_Cuts.gbr" || f.MinDrill.Source.Line == 0 {
		t.Errorf("sources %+v %+v", f.Width.Source, f.MinDrill.Source)
	}
}

// TestFindings: everything odd about an upload is said.
func TestFindings(t *testing.T) {
	t.Parallel()
	inner := gerberFile(function("Copper,L2,Inr"), "5,5")
	for _, c := range []struct {
		name   string
		change set
		want   []string // all findings from warnings up
	}{
		{"no drill", set{"x-PTH.drl": ""}, []string{"drill_missing"}},
		{"no outline", set{"x-Edge_Cuts.gbr": ""}, []string{"outline_missing"}},
		{"outline with a gap", set{"x-Edge_Cuts.gbr": gerberFile("", "0,0 20,0", "20,0 20,10", "20,10 0,10", "0,10 0,4")}, []string{"outline_open"}},
		{"one inner layer is missing", set{"x-In1_Cu.gbr": inner, "x-B_Cu.gbr": gerberFile(function("Copper,L4,Bot"), "5,5")}, []string{"layer_missing"}},
		{"an odd number of layers", set{"x-In1_Cu.gbr": gerberFile("", "5,5")}, []string{"layer_count_odd"}},
		{"no bottom mask", set{"x-B_Mask.gbr": ""}, []string{"mask_missing"}},
		{"a second top mask", set{"x-TopSolderMask.gbr": gerberFile("", "1,1")}, []string{"layer_twice"}},
		{"the job file knows more layers", set{"x.gbrjob": `{"Header":{"GenerationSoftware":{}},"GeneralSpecs":{"LayerNumber":4,"Size":{"X":20,"Y":10}}}`}, []string{"layer_count_mismatch"}},
		{"the job file knows another size", set{"x.gbrjob": `{"Header":{"GenerationSoftware":{}},"GeneralSpecs":{"LayerNumber":2,"Size":{"X":50,"Y":10}}}`}, []string{"size_mismatch"}},
		{"the job file lists a file that is not there", set{"x.gbrjob": `{"Header":{"GenerationSoftware":{}},"FilesAttributes":[{"Path":"x-F_Cu.gbr","FileFunction":"Copper,L1,Top"},` +
			`{"Path":"x-B_Cu.gbr","FileFunction":"Copper,L2,Bot"},{"Path":"x-F_Paste.gbr","FileFunction":"SolderPaste,Top"}]}`}, []string{"job_file_missing"}},
		{"the job file lists a file under another extension", set{"x.gbrjob": `{"Header":{"GenerationSoftware":{}},"FilesAttributes":[{"Path":"x-B_Cu.gbr","FileFunction":"Copper,L2,Bot"},{"Path":"x-F_Mask.gbr","FileFunction":"SolderMask,Top"},{"Path":"x-F_Cu.gtl","FileFunction":"Copper,L1,Top"}]}`}, nil},
		{"the job file lists another layer of that name", set{"x.gbrjob": `{"Header":{"GenerationSoftware":{}},"FilesAttributes":[{"Path":"x-B_Cu.gbr","FileFunction":"Copper,L2,Bot"},{"Path":"x-F_Mask.gbr","FileFunction":"SolderMask,Top"},{"Path":"x-F_Cu.gtl","FileFunction":"Profile,NP"}]}`}, []string{"job_file_missing"}},
		{"a drill deeper than the board", set{"x-PTH.drl": drillFile("; #@! TF.FileFunction,Plated,1,4,PTH\n", "5,5", "10,5", "15,5")}, []string{"layer_count_mismatch"}},
		{"a drill without holes that names more layers than there are", set{"x-NPTH.drl": drillFile("; #@! TF.FileFunction,NonPlated,1,4,NPTH\n")}, nil},
		{"holes beside the board", set{"x-PTH.drl": drillFile("", "5,5", "10,5", "15,5", "90,5")}, []string{"holes_off_board"}},
		{"a drill file cut off", set{"x-PTH.drl": strings.TrimSuffix(drillFile("", "5,5", "10,5", "15,5"), "M30\n")}, []string{"drill_truncated"}},
		{"an unnamed layer", set{"x-1234.gbr": gerberFile("", "5,5")}, []string{"role_unknown"}},
		{"an empty layer file", set{"x-F_Paste.gtp": " "}, []string{"file_empty"}},
		{"an archive that stayed packed", set{"inner.zip": "PK\x03\x04"}, []string{"archive_unread"}},
		{"a design file", set{"x.PcbDoc": "\xd0\xcf\x11\xe0rest"}, nil},
		{"files of the system", set{"__MACOSX/._x-F_Cu.gbr": "\x00\x05", ".DS_Store": "x"}, nil},
		{"bill of materials and notes", set{"bom.csv": "Ref,Qty,Value\nR1,1,10k\n", "README.md": "# hi\n"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, findings(ordinary().merge(c.change).read(t), pcb.Warning)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestNoOutline: what is drawn is not the board's size, though it tells that the same
// board is there twice; a size that a file states is taken.
func TestNoOutline(t *testing.T) {
	t.Parallel()
	without := ordinary().merge(set{"x-Edge_Cuts.gbr": ""})
	twice := set{}
	for name, data := range without {
		twice[name], twice["again/"+name] = data, data
	}
	for name, c := range map[string]struct {
		files set
		width int64
		said  string
	}{
		"copper alone":        {without, 0, "outline_missing"},
		"twice":               {twice, 0, "board_twice"},
		"a netlist of points": {set{"x.d356": points}.merge(without), 0, "outline_missing"},
		"a job file":          {set{"x.gbrjob": `{"Header":{"GenerationSoftware":{}},"GeneralSpecs":{"LayerNumber":2,"Size":{"X":20,"Y":10}}}`}.merge(without), 20, "outline_missing"},
		"notes":               {set{"readme.txt": "Board size: 20 x 10 mm\nLayers: 2\n"}.merge(without), 20, "outline_missing"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := c.files.read(t)
			if len(p.Boards) != 1 || !slices.Contains(findings(p, pcb.Note), c.said) {
				t.Fatalf("%d boards, findings %v, want %s", len(p.Boards), findings(p, pcb.Note), c.said)
			}
			if w := p.Boards[0].Facts.Width; w.Known != (c.width > 0) || w.Value != c.width*geom.Millimetre {
				t.Errorf("width %+v, want %d mm", w, c.width)
			}
		})
	}
}

// points is a netlist of three pads without an outline.
const points = "C  IPC-D-356 Netlist\nP  UNITS CUST 1\n" +
	"317N1              U1    -1    D0800PA00X+005000Y+005000X1500Y1500R000S0\n" +
	"317N1              U1    -2    D0800PA00X+010000Y+005000X1500Y1500R000S0\n" +
	"317N1              U1    -3    D0800PA00X+015000Y+005000X1500Y1500R000S0\n999\n"

// TestOverlappingContour: what programs fill differently stops the order in copper,
// and not in ink.
func TestOverlappingContour(t *testing.T) {
	t.Parallel()
	const loop = "G36*\nX1000000Y1000000D02*\nX9000000D01*\nY9000000D01*\nX5000000D01*\nY7000000D01*\nX3000000D01*\nY3000000D01*\nX7000000D01*\nY7000000D01*\nX5000000D01*\nY9000000D01*\nX1000000D01*\nY1000000D01*\nG37*\nM02*\n"
	twice := func(f string) string { return strings.Replace(gerberFile(function(f)), "M02*\n", loop, 1) }
	for file, want := range map[string]pcb.Level{
		"x-F_Silkscreen.gbr Legend,Top": pcb.Warning, "x-F_Cu.gbr Copper,L1,Top": pcb.Problem,
		"x-F_Mask.gbr Soldermask,Top": pcb.Problem,
	} {
		name, f, _ := strings.Cut(file, " ")
		p := ordinary().merge(set{name: twice(f)}).read(t)
		if got := findings(p, want); !slices.Contains(got, "overlapping_contour") {
			t.Errorf("%s: findings %v", file, got)
		}
		if got := findings(p, pcb.Problem); want < pcb.Problem && slices.Contains(got, "overlapping_contour") {
			t.Errorf("%s: stops the order", file)
		}
	}
}

// TestLetteringInMask: a contour that overlaps itself away from pads opens lettering, which
// stops nothing.
func TestLetteringInMask(t *testing.T) {
	t.Parallel()
	const loop = "G36*\nX1000000Y7000000D02*\nX4000000D01*\nY9500000D01*\nX2500000D01*\nY9000000D01*\nX1500000D01*\nY8000000D01*\nX3500000D01*\nY9000000D01*\nX2500000D01*\nY9500000D01*\nX1000000D01*\nY7000000D01*\nG37*\nM02*\n"
	mask := strings.Replace(gerberFile(function("Soldermask,Top"), "5,5", "10,5", "15,5"), "M02*\n", loop, 1)
	p := ordinary().merge(set{"x-F_Mask.gbr": mask}).read(t)
	if got := findings(p, pcb.Warning); !slices.Contains(got, "overlapping_contour") {
		t.Errorf("findings %v", got)
	}
	if got := findings(p, pcb.Problem); slices.Contains(got, "overlapping_contour") {
		t.Errorf("stops the order: %v", got)
	}
}

// TestBadApertureOfInk: an aperture that cannot be drawn stops the order in copper, and
// not in ink.
func TestBadApertureOfInk(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]pcb.Level{"x-F_Silkscreen.gbr Legend,Top": pcb.Warning, "x-F_Cu.gbr Copper,L1,Top": pcb.Problem} {
		name, f, _ := strings.Cut(file, " ")
		bad := strings.Replace(gerberFile(function(f), "5,5 15,5"), "%ADD10C,0.2*%", "%ADD10C,-0.2*%", 1)
		p := ordinary().merge(set{name: bad}).read(t)
		if got := findings(p, want); !slices.Contains(got, "bad_aperture") {
			t.Errorf("%s: findings %v", file, got)
		}
		if got := findings(p, pcb.Problem); want < pcb.Problem && slices.Contains(got, "bad_aperture") {
			t.Errorf("%s: stops the order", file)
		}
	}
}

// TestShortSlots: a slot whose ends differ by the rounding of numbers is a round hole.
func TestShortSlots(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		to   string
		kind pcb.HoleKind
	}{
		{"X5.0003Y5.0", pcb.DrillHole}, {"X5.0099Y5.0", pcb.DrillHole}, {"X5.05Y5.0", pcb.DrillHole}, {"X5.06Y5.0", pcb.SlotHole},
	} {
		p := ordinary().merge(set{"x-PTH.drl": "M48\nMETRIC\nT1C0.800\n%\nG90\nG05\nT1\nX5.0Y5.0G85" + c.to + "\nX10.0Y5.0\nX15.0Y5.0\nM30\n"}).read(t)
		holes := p.Boards[0].Holes
		h := holes[slices.IndexFunc(holes, func(h pcb.Hole) bool { return h.A.X < 6*geom.Millimetre })]
		if h.Kind != c.kind || (h.A == h.B) != (c.kind == pcb.DrillHole) {
			t.Errorf("to %s: %+v", c.to, h)
		}
	}
}

func TestNothing(t *testing.T) {
	t.Parallel()
	if diff := cmp.Diff([]string{"no_board"}, findings(set{}.read(t), pcb.Note)); diff != "" {
		t.Error(diff)
	}
}

func TestOnlyAnUnreadDesign(t *testing.T) {
	t.Parallel()
	p := set{"x.PcbDoc": "\xd0\xcf\x11\xe0rest"}.read(t)
	if diff := cmp.Diff([]string{"format_unread", "no_board"}, findings(p, pcb.Problem)); diff != "" {
		t.Error(diff)
	}
}

// TestProjectBeside: a KiCad project with the Gerbers is read and compared.
func TestProjectBeside(t *testing.T) {
	t.Parallel()
	source := `(kicad_pcb (version 20221018) (generator pcbnew) (general (thickness 0.8))
 (layers (0 "F.Cu" signal) (31 "B.Cu" signal) (44 "Edge.Cuts" user))
 (setup (stackup (layer "F.Mask" (type "Top Solder Mask") (color "Black")) (copper_finish "ENIG")))
 (net 0 "") (net 1 "GND")
 (footprint "R" (layer "F.Cu") (at 5 5) (fp_text reference "R1" (at 0 0) (layer "F.SilkS")) (pad "1" thru_hole circle (at 0 0) (size 1.6 1.6) (drill 0.8) (layers "*.Cu") (net 1 "GND")))
 (gr_rect (start 0 0) (end 30 10) (layer "Edge.Cuts") (width 0.1)))`
	p := ordinary().merge(set{"x.kicad_pcb": source}).read(t)
	if len(p.Boards) != 1 {
		t.Fatalf("%d boards", len(p.Boards))
	}
	b := p.Boards[0]
	got := strings.TrimSpace(fmt.Sprintln(b.Facts.Width.Value, b.Facts.Finish.Value, b.Facts.MaskColour.Value, len(b.Components), len(b.Nets)))
	if want := "20000000 ENIG Black 1 2"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if diff := cmp.Diff([]string{"project_holes_differ", "project_size_differs"}, findings(p, pcb.Warning)); diff != "" {
		t.Error(diff)
	}
	for _, f := range b.Findings {
		if strings.HasPrefix(f.Code, "project_") && (strings.Contains(f.Message, "%!") || !strings.Contains(f.Message, "the Gerbers would be built")) {
			t.Error(f.Message)
		}
	}
}

func TestTimeOut(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	p := upload.Read(ctx, ordinary().files(), upload.Options{})
	if got := findings(p, pcb.Note); !slices.Contains(got, "time_out") || len(p.Files) != 6 {
		t.Errorf("%v, %d files", got, len(p.Files))
	}
}

// TestHolesOfTwoPlatings: where a file says of holes that they are not plated and another
// that they are, they are plated, and both are named.
func TestHolesOfTwoPlatings(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name         string
		more         set
		plated, bare int
		said         pcb.Level // of the repeated file
	}{
		{"all of them", set{"x-NPTH.drl": drillFile("", "5,5", "10,5", "15,5")}, 3, 0, pcb.Warning},
		{"beside one that is not plated", set{"x-NPTH.drl": drillFile("", "2,2"), "y-NPTH.drl": drillFile("", "5,5", "10,5", "15,5")}, 3, 1, pcb.Warning},
		{"one file of both, first by its name, beside its parts", set{"a.drl": drillFile("", "5,5", "10,5", "15,5", "2,2"), "x-NPTH.drl": drillFile("", "2,2")}, 3, 1, pcb.Note},
		{"the same holes without plating twice", set{"x-NPTH.drl": drillFile("", "2,2"), "y-NPTH.drl": drillFile("", "2,2")}, 3, 1, pcb.Note},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := ordinary().merge(c.more).read(t).Boards[0]
			if f := b.Facts; f.PlatedHoles.Value != c.plated || f.NonPlatedHoles.Value != c.bare {
				t.Errorf("%d plated, %d bare", f.PlatedHoles.Value, f.NonPlatedHoles.Value)
			}
			for _, f := range b.Findings {
				if f.Code == "drill_repeated" {
					if f.Level != c.said || strings.Contains(f.Message, "which is right") != (c.said == pcb.Warning) {
						t.Errorf("%v: %s", f.Level, f.Message)
					}
					return
				}
			}
			t.Error("not said")
		})
	}
}

// TestHolesOnce: a merged drill file beside its parts adds nothing.
func TestHolesOnce(t *testing.T) {
	t.Parallel()
	p := ordinary().merge(set{"x-NPTH.drl": drillFile("", "2,2"), "x.drl": drillFile("", "5,5", "10,5", "15,5", "2,2")}).read(t)
	f := p.Boards[0].Facts
	if f.PlatedHoles.Value != 3 || f.NonPlatedHoles.Value != 1 || f.UnknownHoles.Value != 0 {
		t.Errorf("%d plated, %d bare, %d open", f.PlatedHoles.Value, f.NonPlatedHoles.Value, f.UnknownHoles.Value)
	}
	if got := findings(p, pcb.Note); !slices.Contains(got, "drill_repeated") {
		t.Errorf("%v", got)
	}
}

// TestPlating: what the files leave open follows from other files and pads.
func TestPlating(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name                string
		change              set
		plated, bare, opens int
	}{
		{"the other file is the bare one", set{"x-PTH.drl": "", "x.drl": drillFile("", "5,5", "3,3"), "x-NPTH.drl": drillFile("", "2,2")}, 2, 1, 0},
		{"pads around the holes", set{"x-PTH.drl": "", "x.drl": drillFile("", "5,5", "10,5", "3,8", "7,5")}, 2, 1, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := ordinary().merge(c.change).read(t).Boards[0].Facts
			if f.PlatedHoles.Value != c.plated || f.NonPlatedHoles.Value != c.bare || f.UnknownHoles.Value != c.opens {
				t.Errorf("%d plated, %d bare, %d open", f.PlatedHoles.Value, f.NonPlatedHoles.Value, f.UnknownHoles.Value)
			}
		})
	}
}

func TestBlindVias(t *testing.T) {
	t.Parallel()
	p := ordinary().merge(set{
		"x-In1_Cu.gbr": gerberFile("", "5,5"), "x-In2_Cu.gbr": gerberFile("", "5,5"),
		"x-front-in1.drl": drillFile("; #@! TF.FileFunction,Plated,1,2,Blind\n", "5,5", "7,7"),
	}).read(t)
	b := p.Boards[0]
	if !b.Facts.BlindVias.Value || b.Facts.CopperLayers.Value != 4 || len(b.Holes) != 5 {
		t.Errorf("blind %v, %d layers, %d holes", b.Facts.BlindVias.Value, b.Facts.CopperLayers.Value, len(b.Holes))
	}
}

// TestStatedSpanWithoutFile: vias that a report states lead to people, whatever file holds them.
func TestStatedSpanWithoutFile(t *testing.T) {
	t.Parallel()
	for ldp, want := range map[string]bool{
		"LayersSetName=L1_L2_Blind_Vias|DrillFile=|\nLayersSetName=L2_L3_Buried_Vias|DrillFile=|\n": true,
		"LayersSetName=Top_Bot_Thru_Holes|DrillFile=|\n":                                            false,
	} {
		b := ordinary().merge(set{"x-In1_Cu.gbr": gerberFile("", "5,5"), "x-In2_Cu.gbr": gerberFile("", "5,5"), "x.LDP": ldp}).read(t).Boards[0]
		told := slices.ContainsFunc(b.Findings, func(f pcb.Finding) bool {
			return f.Code == "drill_span" && strings.Contains(f.Message, "special_notes")
		})
		if b.Facts.BlindVias.Value != want || told != want {
			t.Errorf("%s: blind %v, told %v", ldp, b.Facts.BlindVias.Value, told)
		}
	}
}

// TestRoutedOutline: the router's way round the board where nothing else is.
func TestRoutedOutline(t *testing.T) {
	t.Parallel()
	rout := "M48\nMETRIC\nT1C2.000\n%\nG90\nT1\nG00X-1.0Y-1.0\nM15\nG01X21.0Y-1.0\nG01X21.0Y11.0\nG01X-1.0Y11.0\nG01X-1.0Y-1.0\nM16\nM30\n"
	p := ordinary().merge(set{"x-Edge_Cuts.gbr": "", "x.rou": rout}).read(t)
	b := p.Boards[0]
	if b.Facts.Width.Value != geom.MM(22) || b.Facts.Height.Value != geom.MM(12) || !b.Outline.Closed || len(b.Holes) != 3 {
		t.Errorf("%d x %d, closed %v, %d holes", b.Facts.Width.Value, b.Facts.Height.Value, b.Outline.Closed, len(b.Holes))
	}
	if diff := cmp.Diff([]string{"outline_from_rout"}, findings(p, pcb.Warning)); diff != "" {
		t.Error(diff)
	}
}

// TestMistakenOutline: a file that is the outline by its name, but draws a title
// beside the board, gives way to a mechanical layer with a line round the board.
func TestMistakenOutline(t *testing.T) {
	t.Parallel()
	var pads []string
	for x := 2; x <= 18; x += 4 {
		pads = append(pads, fmt.Sprintf("%d,3", x), fmt.Sprintf("%d,7", x))
	}
	title := gerberFile("", "5,14 9,14", "9,14 9,16", "9,16 5,16", "5,16 5,14")
	copper := gerberFile("", pads...)
	beside := gerberFile("", append([]string{"-3,0 -3,10"}, outlineLines...)...)
	lost := set{"x.gtl": copper, "x.gbl": copper, "x.gts": copper, "x.gbs": copper, "x.gm13": title, "x.drl": drillFile("", pads...)}.read(t)
	if diff := cmp.Diff([]string{"outline_missing"}, findings(lost, pcb.Warning)); diff != "" {
		t.Errorf("a drawing as the only mechanical layer: %s", diff)
	}
	corners := gerberFile("", "0,1 1,0", "19,0 20,1", "20,9 19,10", "1,10 0,9")
	if alone := (set{"x.gtl": copper, "x.gbl": copper, "x.gts": copper, "x.gbs": copper, "x.gko": corners, "x.drl": drillFile("", pads...)}).read(t); boardFinding(alone, "outline_open") == nil {
		t.Errorf("corners without a frame elsewhere: %v", findings(alone, pcb.Warning))
	}
	for name, c := range map[string]struct {
		outline, mechanical string
		width               int64
		findings            []string
	}{
		"the edge in a mechanical layer": {title, beside, geom.MM(20), []string{"outline_elsewhere"}},
		"dimensions round the board": {gerberFile("", "0,0 0,-5", "20,0 20,-5", "0,-4 9,-4", "11,-4 20,-4", "9,-5 10,-5", "10,-5 10,-3", "10,-3 9,-3", "9,-3 9,-5",
			"0,0 -5,0", "0,10 -5,10", "-4,0 -4,4", "-4,6 -4,10"), gerberFile("", outlineLines...), geom.MM(20), []string{"outline_elsewhere"}},
		"the edge where it should be": {beside, title, geom.MM(20), nil},
		"a gap in the outline":        {gerberFile("", outlineLines[:3]...), beside, geom.MM(20), []string{"outline_open"}},
		"corners of a keep-out":       {corners, beside, geom.MM(20), []string{"outline_elsewhere"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := set{"x.gtl": copper, "x.gbl": copper, "x.gts": copper, "x.gbs": copper, "x.gko": c.outline, "x.gm2": c.mechanical, "x.drl": drillFile("", pads...)}.read(t)
			if len(p.Boards) != 1 || p.Boards[0].Facts.Width.Value != c.width {
				t.Fatalf("%d boards, %+v", len(p.Boards), p.Boards[0].Facts.Width)
			}
			if diff := cmp.Diff(c.findings, findings(p, pcb.Warning)); diff != "" {
				t.Error(diff)
			}
			for _, f := range p.Files {
				if taken := c.findings != nil && c.findings[0] == "outline_elsewhere"; taken && f.Name == "x.gko" && f.Used || taken && f.Name == "x.gm2" && (!f.Used || f.Role != pcb.RoleOutline) {
					t.Errorf("%+v", f)
				}
			}
		})
	}
}

func TestEagleLayers(t *testing.T) {
	t.Parallel()
	s := ordinary().merge(set{"x-PTH.drl": "", "x-In1_Cu.gbr": gerberFile("", "5,5"), "x-In2_Cu.gbr": gerberFile("", "5,5")})
	s["drill_1_16.xln"] = drillFile("", "5,5", "10,5")
	s["drill_15_16.xln"] = drillFile("", "3,3")
	for _, h := range s.read(t).Boards[0].Holes {
		want := [2]int16{1, 4}
		if h.A.X == 3_000_000 {
			want = [2]int16{3, 4}
		}
		if got := [2]int16{h.From, h.To}; got != want {
			t.Errorf("hole at %v spans %v, want %v", h.A, got, want)
		}
	}
}

func TestCastellations(t *testing.T) {
	t.Parallel()
	pads := []string{"5,5", "20,3", "20,7"}
	p := ordinary().merge(set{
		"x-F_Cu.gbr": gerberFile("", pads...), "x-B_Cu.gbr": gerberFile("", pads...), "x-PTH.drl": drillFile("", "5,5", "20,3", "20,7"),
	}).read(t)
	if !p.Boards[0].Facts.Castellations.Value {
		t.Error("plated holes with pads on the edge are castellations")
	}
	p = ordinary().merge(set{"x-PTH.drl": drillFile("", "5,5", "20,3", "20,7")}).read(t)
	if p.Boards[0].Facts.Castellations.Known {
		t.Error("holes without pads on the edge are where the board breaks out of a panel")
	}
}

// TestGoldFingers: long pads in a row at the edge, without paste.
func TestGoldFingers(t *testing.T) {
	t.Parallel()
	fingers := func(y float64) string {
		s := "%FSLAX46Y46*%\n%MOMM*%\n%ADD12R,1X4*%\nG01*\nD12*\n"
		for i := range 9 {
			s += fmt.Sprintf("X%dY%dD03*\n", int64(2e6+2e6*float64(i)), int64(y*1e6))
		}
		return s + "M02*\n"
	}
	const guessed, sure = 0.6, 0.85
	paste := gerberFile("", "5,8")
	bars := func(length float64) string { // eight along the left edge
		s := fmt.Sprintf("%%FSLAX46Y46*%%\n%%MOMM*%%\n%%ADD12R,%gX0.6*%%\nG01*\nD12*\n", length)
		for i := range 8 {
			s += fmt.Sprintf("X%dY%dD03*\n", int64((0.65+length/2)*1e6), int64(1.6e6+0.9e6*float64(i)))
		}
		return s + "M02*\n"
	}
	connector := strings.Replace(fingers(2.5), "%ADD12", "%TA.AperFunction,ConnectorPad*%\n%ADD12", 1)
	for _, c := range []struct {
		name   string
		change set
		want   float64
	}{
		{"at the edge of one side", set{"x-F_Cu.gbr": fingers(2.5), "x-F_Paste.gbr": paste}, guessed},
		{"at the edge of both sides", set{"x-F_Cu.gbr": fingers(2.5), "x-B_Cu.gbr": fingers(2.5), "x-F_Paste.gbr": paste, "x-B_Paste.gbr": paste}, sure},
		{"at two edges", set{"x-F_Cu.gbr": fingers(2.5), "x-B_Cu.gbr": fingers(7.5), "x-F_Paste.gbr": paste, "x-B_Paste.gbr": paste}, guessed},
		{"at the edge, with paste on the other side", set{"x-F_Cu.gbr": fingers(2.5), "x-B_Cu.gbr": fingers(2.5), "x-F_Paste.gbr": paste, "x-B_Paste.gbr": fingers(2.5)}, guessed},
		{"of a connector, as they say", set{"x-F_Cu.gbr": connector, "x-F_Paste.gbr": paste}, sure},
		{"as long as those of old modules", set{"x-F_Cu.gbr": bars(12.7), "x-F_Paste.gbr": paste}, guessed},
		{"longer than any contact", set{"x-F_Cu.gbr": bars(16), "x-F_Paste.gbr": paste}, 0},
		{"with paste", set{"x-F_Cu.gbr": fingers(2.5), "x-F_Paste.gbr": fingers(2.5)}, 0},
		{"in the middle", set{"x-F_Cu.gbr": fingers(5), "x-F_Paste.gbr": paste}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := ordinary().merge(c.change).merge(set{"x-PTH.drl": drillFile("", "3,9")}).read(t).Boards[0].Facts.GoldFingers; got.Value != (c.want > 0) || got.Confidence != c.want {
				t.Errorf("gold fingers: %+v", got)
			}
		})
	}
}

// TestNotes: what somebody wrote for the fabricator.
func TestNotes(t *testing.T) {
	t.Parallel()
	p := ordinary().merge(set{
		"README.txt": "PCB notes\n2 layers\n0.8mm finished thickness\nBlack soldermask\nFinish: ENIG\n",
		"x.gbrjob":   `{"Header":{"GenerationSoftware":{}},"GeneralSpecs":{"LayerNumber":2,"Size":{"X":20,"Y":10},"BoardThickness":1.0}}`,
	}).read(t)
	f := p.Boards[0].Facts
	got := strings.TrimSpace(fmt.Sprintln(f.Thickness.Value, f.Thickness.Source.Line, f.MaskColour.Value, f.Finish.Value))
	if want := "800000 3 black ENIG"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if diff := cmp.Diff([]string{"notes_differ"}, findings(p, pcb.Warning)); diff != "" {
		t.Error(diff)
	}
}

// stackupJob is a job file with a stackup as tools write it.
func stackupJob(mask, finish, copper, thickness string) string {
	return `{"Header":{"GenerationSoftware":{"Vendor":"KiCad"}},"GeneralSpecs":{"LayerNumber":2,"Size":{"X":20,"Y":10},"BoardThickness":` + thickness +
		`,"Finish":"` + finish + `"},"MaterialStackup":[{"Type":"SolderMask","Color":"` + mask + `"},{"Type":"Copper","Thickness":` + copper +
		`},{"Type":"Dielectric","Material":"FR4","Thickness":1.51},{"Type":"Copper","Thickness":` + copper + `}]}`
}

// What a tool's setup begins with is nobody's choice, for no option of it; what
// the customer wrote goes before what somebody set up.
func TestUntouchedSetupsStateNothing(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		job, readme string
		mask        string
		stated      bool // the mask
		thickness   bool // is stated
		differ      bool
	}{
		"untouched":                  {stackupJob("Green", "None", "0.035", "1.6"), "", "Green", false, false, false},
		"untouched, and words":       {stackupJob("Green", "None", "0.035", "1.6"), "Black soldermask\n", "black", true, false, false},
		"another mask":               {stackupJob("Red", "None", "0.035", "1.6"), "", "Red", true, false, false},
		"another finish":             {stackupJob("Green", "ENIG", "0.035", "1.6"), "", "Green", true, false, false},
		"another copper":             {stackupJob("Green", "None", "0.07", "1.6"), "", "Green", true, false, false},
		"another thickness":          {stackupJob("Green", "None", "0.035", "0.8"), "", "Green", true, true, false},
		"a choice, and other words":  {stackupJob("Red", "None", "0.035", "1.6"), "Black soldermask\n", "black", true, false, true},
		"words of the usual, stated": {stackupJob("Green", "None", "0.035", "1.6"), "1.6mm thick\nGreen soldermask\n", "green", true, true, false},
	} {
		files := set{"x.gbrjob": c.job}
		if c.readme != "" {
			files["README.txt"] = "PCB notes\n2 layers\n" + c.readme
		}
		p := ordinary().merge(files).read(t)
		f := p.Boards[0].Facts
		if f.MaskColour.Value != c.mask || f.MaskColour.IsStated() != c.stated || f.Thickness.IsStated() != c.thickness {
			t.Errorf("%s: mask %+v, thickness %+v", name, f.MaskColour, f.Thickness)
		}
		if got := slices.Contains(findings(p, pcb.Warning), "notes_differ"); got != c.differ {
			t.Errorf("%s: notes differ: %v", name, got)
		}
	}
}

// A setup in the board file is no better known than what the customer wrote.
func TestNotesGoBeforeTheBoardFile(t *testing.T) {
	t.Parallel()
	p := set{
		"README.txt": "PCB notes\nBlack soldermask\n0.8mm finished thickness\n",
		"x.kicad_pcb": `(kicad_pcb (version 20211014) (general (thickness 1.2)) (layers (0 "F.Cu" signal) (31 "B.Cu" signal) (44 "Edge.Cuts" user))
			(setup (stackup (layer "F.Mask" (type "Top Solder Mask") (color "Red") (thickness 0.01)) (layer "F.Cu" (type "copper") (thickness 0.035))
				(layer "B.Cu" (type "copper") (thickness 0.035)) (copper_finish "ENIG")))
			(gr_rect (start 0 0) (end 30 20) (layer "Edge.Cuts") (width 0.1)))`,
	}.read(t)
	f := p.Boards[0].Facts
	if f.MaskColour.Value != "black" || f.Thickness.Value != 800_000 || f.Finish.Value != "ENIG" || f.MaskColour.Source.File != "README.txt" {
		t.Errorf("mask %+v, thickness %+v, finish %+v", f.MaskColour, f.Thickness, f.Finish)
	}
	if diff := cmp.Diff([]string{"notes_differ", "notes_differ", "thickness_mismatch"}, findings(p, pcb.Warning)); diff != "" {
		t.Error(diff)
	}
}

func TestPanelOfTheBoard(t *testing.T) {
	t.Parallel()
	s := ordinary()
	s["x-PTH.drl"] = drillFile("", "5,5", "10,5", "15,5", "5,8")
	for name, data := range ordinary() {
		s["panel.zip!/"+strings.Replace(name, "x-", "array-", 1)] = data
	}
	s["panel.zip!/array-Edge_Cuts.gbr"] = gerberFile("", "0,0 20,0", "20,0 20,22", "20,22 0,22", "0,22 0,0")
	s["panel.zip!/array-PTH.drl"] = drillFile("", "5,5", "10,5", "15,5", "5,8", "5,17", "10,17", "15,17", "5,20")
	p := s.read(t)
	if len(p.Boards) != 2 || !slices.Contains(findings(p, pcb.Note), "panel_of_board") {
		t.Fatalf("%d boards, %v", len(p.Boards), findings(p, pcb.Note))
	}
	for _, b := range p.Boards {
		if want := b.Name == "array"; b.Facts.Panel.Value != want {
			t.Errorf("%s: panel %v", b.Name, b.Facts.Panel.Value)
		}
	}
}

func TestLayerStackTable(t *testing.T) {
	t.Parallel()
	p := ordinary().merge(set{"stack.csv": "Board Layer Stack\nNumber,Name,Type,Material,Process,Thickness (mm),Weight (oz)\n" +
		"1,Top Layer,Signal,CF,ED,0.07,2\n,Dielectric 1,Core,FR4,,0.66,\n2,Bottom Layer,Signal,CF,ED,0.07,2\n,Finish,Surface Finish,,ENIG,0.004,\n"}).read(t)
	b := p.Boards[0]
	got := strings.TrimSpace(fmt.Sprintln(b.Facts.Thickness.Value, b.Facts.OuterCopper.Value, b.Facts.Finish.Value, len(b.Stackup)))
	if want := "800000 2 ENIG 3"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestDrillsAsGerber(t *testing.T) {
	t.Parallel()
	p := ordinary().merge(set{"x-PTH.drl": gerberFile("", "5,5", "10,5")}).read(t)
	if n := len(p.Boards[0].Holes); n != 2 || !slices.Contains(findings(p, pcb.Note), "drill_as_gerber") {
		t.Errorf("%d holes, %v", n, findings(p, pcb.Note))
	}
}

// TestDrillsAsGerberX2: the slots of a drill file in Gerber X2 are strokes; one that draws
// anything else is told of.
func TestDrillsAsGerberX2(t *testing.T) {
	t.Parallel()
	file := func(tool string) string {
		return gerberFile(function("Plated,1,2,PTH,Mixed")+"%TA.AperFunction,"+tool+"*%\n", "5,5", "10,5", "15,4 15,6")
	}
	p := ordinary().merge(set{"x-PTH.drl": "", "x-PTH-drl.gbr": file("ComponentDrill")}).read(t)
	holes := p.Boards[0].Holes
	if len(holes) != 3 || holes[2].Kind != pcb.SlotHole || holes[2].Plating != pcb.Plated || len(findings(p, pcb.Warning)) > 0 {
		t.Errorf("%+v, %v", holes, findings(p, pcb.Warning))
	}
	p = ordinary().merge(set{"x-PTH.drl": "", "x-PTH-drl.gbr": file("OtherDrawing")}).read(t)
	if got := strings.Join(findings(p, pcb.Warning), " "); len(p.Boards[0].Holes) > 0 || got != "drill_missing role_doubtful" {
		t.Errorf("%d holes, %s", len(p.Boards[0].Holes), got)
	}
	area := "G36*\nX0Y0D02*\nX1000000Y0D01*\nX0Y1000000D01*\nX0Y0D01*\nG37*\nM02*\n"
	p = ordinary().merge(set{"x-PTH.drl": "", "x-PTH-drl.gbr": strings.Replace(file("ComponentDrill"), "M02*\n", area, 1)}).read(t)
	if got := strings.Join(findings(p, pcb.Warning), " "); len(p.Boards[0].Holes) != 3 || got != "role_doubtful" {
		t.Errorf("with an area: %d holes, %s", len(p.Boards[0].Holes), got)
	}
	p = ordinary().merge(set{"x-PTH-drl.gbr": file("OtherDrawing")}).read(t)
	if got := findings(p, pcb.Warning); len(p.Boards[0].Holes) != 3 || len(got) > 0 {
		t.Errorf("beside a drill program: %d holes, %v", len(p.Boards[0].Holes), got)
	}
}

// TestProfileCalledHoles: Proteus states of its layer of the edge that it holds holes without
// plating, and of its lines that they are the profile.
func TestProfileCalledHoles(t *testing.T) {
	t.Parallel()
	for tool, want := range map[string]pcb.Role{"Profile": pcb.RoleOutline, "OtherDrawing": pcb.RoleDrillDrawing} {
		edge := gerberFile(function("NonPlated,1,2,NPTH")+"%TA.AperFunction,"+tool+"*%\n", outlineLines...)
		p := ordinary().merge(set{"x-Edge_Cuts.gbr": "", "x-Mechanical 1.gbr": edge}).read(t)
		i := slices.IndexFunc(p.Files, func(f pcb.FileReport) bool { return f.Name == "x-Mechanical 1.gbr" })
		if f := p.Files[i]; f.Role != want {
			t.Errorf("%s: %v, want %v", tool, f.Role, want)
		}
		if missing := slices.Contains(findings(p, pcb.Warning), "outline_repeated") || slices.Contains(findings(p, pcb.Warning), "outline_elsewhere"); want == pcb.RoleOutline && (missing || p.Boards[0].Facts.Width.Value != 20e6) {
			t.Errorf("%s: %v, %v", tool, p.Boards[0].Facts.Width, findings(p, pcb.Warning))
		}
	}
}

// TestRoutingFilms: a film that says of itself that it holds what is routed, and draws areas,
// is told beside the drill programs too, as no program has it.
func TestRoutingFilms(t *testing.T) {
	t.Parallel()
	const area = "G36*\nX4000000Y4000000D02*\nX5000000Y4000000D01*\nX5000000Y6000000D01*\nX4000000Y4000000D01*\nG37*\n"
	for _, c := range []struct {
		name, function, draws string
		told                  bool
	}{
		{"plated", "Plated,1,2,PTH,Route", area, true},
		{"not plated", "NonPlated,1,2,NPTH,Route", area, true},
		{"holes, which the programs have", "Plated,1,2,PTH,Drill", area, false},
		{"nothing drawn", "Plated,1,2,PTH,Route", "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			film := strings.Replace(gerberFile(function(c.function)), "M02*", c.draws+"M02*", 1)
			p := ordinary().merge(set{"x-milling.gbr": film}).read(t)
			if got := slices.Contains(findings(p, pcb.Warning), "role_doubtful"); got != c.told {
				t.Errorf("told %v: %v", got, findings(p, pcb.Warning))
			}
		})
	}
}

// TestSlotsBesideHoles: a Gerber file of slots alone is no repetition of the holes that
// the drill program has.
func TestSlotsBesideHoles(t *testing.T) {
	t.Parallel()
	slots := function("NonPlated,1,2,NPTH,Route") + "%TA.AperFunction,MechanicalDrill*%\n"
	for items, want := range map[string]int{"3,4 3,6": 4, "5,4 5,6": 3} {
		p := ordinary().merge(set{"x-slots.gbr": gerberFile(slots, items)}).read(t)
		if n := len(p.Boards[0].Holes); n != want {
			t.Errorf("%s: %d holes, want %d", items, n, want)
		}
	}
}

// TestRoleUnknownOfABlankFile: whatever a file that draws nothing is for, nothing is lost.
func TestRoleUnknownOfABlankFile(t *testing.T) {
	t.Parallel()
	blank := "%FSLAX46Y46*%\n%MOMM*%\n%ADD10C,0.2*%\nM02*\n"
	for data, want := range map[string]pcb.Level{blank: pcb.Note, gerberFile("", "1,1 2,2"): pcb.Warning} {
		p := ordinary().merge(set{"x-Whatever.gbr": data}).read(t)
		for _, f := range p.Findings {
			if f.Code == "role_unknown" && f.Level != want {
				t.Errorf("%v, want %v", f.Level, want)
			}
		}
		if !slices.Contains(findings(p, want), "role_unknown") {
			t.Errorf("not told: %v", findings(p, pcb.Note))
		}
	}
}

// TestUnknownCopper: a board whose copper nobody recognises, or not all of it, says so.
func TestUnknownCopper(t *testing.T) {
	t.Parallel()
	copper := ordinary()["x-F_Cu.gbr"]
	for name, c := range map[string]struct {
		change set
		want   bool
	}{
		"all of it recognised": {set{}, false},
		"none":                 {set{"x-F_Cu.gbr": "", "x-B_Cu.gbr": "", "00.txt": copper, "01.txt": copper}, true},
	} {
		if p := ordinary().merge(c.change).read(t); len(p.Boards) != 1 || p.Boards[0].Facts.CopperUnknown.Value != c.want {
			t.Errorf("%s: %+v", name, p.Boards)
		}
	}
}

// TestSwappedNames: which side an extension and a report say, where they differ.
func TestSwappedNames(t *testing.T) {
	t.Parallel()
	p := ordinary().merge(set{"x.GTO": gerberFile("", "1,1 2,2"), "x.EXTREP": ".GTO   Bottom Overlay\n"}).read(t)
	silk := p.Boards[0].Find(pcb.RoleSilk, pcb.Top)
	if got := findings(p, pcb.Warning); len(silk) != 1 || !slices.Equal(got, []string{"role_doubtful"}) {
		t.Errorf("%d, %v", len(silk), got)
	}
}

// TestBoards: several boards, the same twice, and versions of one.
func TestBoards(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		other  func(name, data string) (string, string)
		boards int
		want   string
	}{
		{"the same again", func(n, d string) (string, string) { return "again/" + n, d }, 1, "board_twice"},
		{"plotted again at another time", func(n, d string) (string, string) {
			return "again/" + n, strings.Replace(d, "%MOMM*%\n", "%MOMM*%\n%TF.CreationDate,2026-01-01T00:00:00Z*%\n", 1)
		}, 1, "board_twice"},
		{"some of the same again, in an archive within", func(n, d string) (string, string) {
			if n == "x-Edge_Cuts.gbr" || n == "x-B_Mask.gbr" {
				return "", ""
			}
			return "x.rar/" + n, d
		}, 1, "board_twice"},
		{"some of the same again, and one that is not the same", func(n, d string) (string, string) {
			if n == "x-B_Mask.gbr" {
				return "", ""
			}
			if n == "x-F_Mask.gbr" {
				d = gerberFile("", "5,5", "15,5")
			}
			return "v2/" + n, d
		}, 2, "board_versions"},
		{"the same artwork, with other holes", func(n, d string) (string, string) {
			return "v2/" + n, strings.Replace(d, "T1C0.800", "T1C0.900", 1)
		}, 2, "board_versions"},
		{"another version", func(n, d string) (string, string) {
			return "v2/" + n, strings.ReplaceAll(d, "X10000000Y5000000", "X11000000Y5000000")
		}, 2, "board_versions"},
		{"another board", func(n, d string) (string, string) {
			return "other.zip!/" + strings.Replace(n, "x-", "other-", 1), strings.ReplaceAll(d, "X20000000", "X40000000")
		}, 2, "several_boards"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := ordinary()
			for name, data := range ordinary() {
				if n, d := c.other(name, data); n != "" {
					s[n] = d
				}
			}
			p := s.read(t)
			if len(p.Boards) != c.boards || !slices.Contains(findings(p, pcb.Note), c.want) {
				t.Errorf("%d boards, findings %v", len(p.Boards), findings(p, pcb.Note))
			}
		})
	}
}

func TestNetlist(t *testing.T) {
	t.Parallel()
	netlist := `P  UNITS CUST 1
317GND              R1    -1    D0800PA00X+005000Y+005000X1600Y0000R000S0
317SIGNAL           R1    -2    D0800PA00X+010000Y+005000X1600Y0000R000S0
317SIGNAL           VIA         D0800PA00X+015000Y+005000X1600Y0000R000S0
389BOARD_EDGE     X+000000Y+000000 X+021000 Y+011000 X+000000 Y+000000
999
`
	p := ordinary().merge(set{"x.d356": netlist, "x-Edge_Cuts.gbr": ""}).read(t)
	b := p.Boards[0]
	if len(b.Nets) != 3 || len(b.Pins) != 3 || len(b.Components) != 1 {
		t.Errorf("%d nets, %d pins, %d components", len(b.Nets), len(b.Pins), len(b.Components))
	}
	if b.Facts.Width.Value != geom.MM(21) || !strings.Contains(b.Facts.Width.How, "netlist") {
		t.Errorf("%+v", b.Facts.Width)
	}
	for i := range b.Holes {
		if b.Holes[i].Net == 0 {
			t.Errorf("hole %d has no net", i)
		}
	}
}

// TestSeparateApertures: RS-274-D with the list of apertures beside it.
func TestSeparateApertures(t *testing.T) {
	t.Parallel()
	old := func(items string) string { return "G04 RS-274-D*\nG90*\nG70*\n" + items + "M02*\n" }
	p := set{
		"x.top": old("D10*\nX1000Y1000D02*\nX2000Y1000D01*\nD11*\nX1000Y1000D03*\nX2000Y1000D03*\n"),
		"x.bot": old("D10*\nX1000Y1000D02*\nX2000Y1000D01*\nD11*\nX1000Y1000D03*\n"),
		"x.apt": "D10   ROUNDED            10.000      10.000       0.000 LINE       0.000\nD11   RECTANGULAR        60.000      60.000       0.000 FLASH     0.000\n",
	}.read(t)
	b := p.Boards[0]
	if !slices.Contains(findings(p, pcb.Note), "apertures_joined") || b.Facts.MinTrack.Value != 254_000 {
		t.Errorf("findings %v, track %d", findings(p, pcb.Note), b.Facts.MinTrack.Value)
	}
}

// TestWheelBesideInfoOfOnePlot: EAGLE's wheel serves every file of its folder; the info of a
// plot, which lists what that plot used, says how coordinates are written.
func TestWheelBesideInfoOfOnePlot(t *testing.T) {
	t.Parallel()
	old := func(items string) string { return "%\n" + items + "M02*\n" }
	wheel := ";aperture wheel file generated by EAGLE\n\nD10      draw      0.0000inch\nD11      round     0.0580inch\nD12      draw      0.0080inch\nD13      square    0.0660inch\n"
	info := func(units string) string {
		return "Photoplotter Info File: C:/b/x.gpi\n\n Plotfile          : C:/b/x.plc\n Apertures         : C:/b/x.whl\n\n Coordinate Format : 2.4\n Coordinate Units  : " + units +
			"\n Data Mode         : Absolute\n Zero Suppression  : None\n\n Code     Shape     Size                  used\n\n D12      draw      0.0080inch              28\n"
	}
	films := set{
		"x.cmp": old("D12*\nX010000Y010000D02*\nX020000Y010000D01*\nD11*\nX010000Y010000D03*\nX020000Y010000D03*\n"),
		"x.sol": old("D12*\nX010000Y010000D02*\nX020000Y010000D01*\nD13*\nX010000Y010000D03*\n"),
		"x.plc": old("D12*\nX010000Y010000D02*\nX020000Y010000D01*\n"),
	}
	for name, c := range map[string]struct {
		more   set
		whole  bool // every aperture is known
		stated bool // nothing about the coordinates is assumed
	}{
		"the wheel alone":          {set{"x.whl": wheel}, true, false},
		"called otherwise":         {set{"wheel.txt": wheel}, true, false},
		"the wheel and an info":    {set{"x.whl": wheel, "x.gpi": info("Inch")}, true, true},
		"infos that contradict":    {set{"x.whl": wheel, "x.gpi": info("Inch"), "y.gpi": strings.ReplaceAll(info("mm"), "x.plc", "y.plc")}, true, false},
		"the info of one plot":     {set{"x.gpi": info("Inch")}, false, false},
		"another folder's wheel":   {set{"old/x.whl": wheel}, false, false},
		"a wheel of another board": {set{"x.whl": wheel, "a.whl": strings.ReplaceAll(wheel, "0.0080", "0.0300") + "D14      draw      0.0900inch\n"}, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := maps.Clone(films).merge(c.more).read(t)
			problems, warnings := findings(p, pcb.Problem), findings(p, pcb.Warning)
			if got := !slices.Contains(problems, "apertures_missing") && !slices.Contains(problems, "aperture_undefined"); got != c.whole {
				t.Errorf("problems %v", problems)
			}
			if c.whole && p.Boards[0].Facts.MinTrack.Value != 8*geom.Mil {
				t.Errorf("track %d", p.Boards[0].Facts.MinTrack.Value)
			}
			if got := !slices.Contains(warnings, "format_assumed") && !slices.Contains(warnings, "unit_assumed"); c.whole && got != c.stated {
				t.Errorf("warnings %v", warnings)
			}
		})
	}
}

func TestJobFacts(t *testing.T) {
	t.Parallel()
	job := `{"Header":{"GenerationSoftware":{"Vendor":"KiCad","Application":"Pcbnew","Version":"9.0"}},
 "GeneralSpecs":{"ProjectId":{"Revision":"B"},"LayerNumber":2,"Size":{"X":20.2,"Y":10.2},"BoardThickness":0.8,"Finish":"ENIG","EdgeConnector":"yes"},
 "MaterialStackup":[{"Type":"SolderMask","Color":"Blue"},{"Type":"Copper","Thickness":0.07},{"Type":"Dielectric","Material":"FR4","Thickness":0.66},{"Type":"Copper","Thickness":0.07}]}`
	f := ordinary().merge(set{"x.gbrjob": job}).read(t).Boards[0].Facts
	got := strings.TrimSpace(fmt.Sprintln(f.Thickness.Value, f.Thickness.IsStated(), f.Finish.Value, f.MaskColour.Value, f.OuterCopper.Value, f.Material.Value, f.GoldFingers.Value, f.Revision.Value, f.Tool.Value))
	if want := "800000 true ENIG Blue 2 FR4 true B KiCad Pcbnew 9.0"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	f = ordinary().merge(set{"x.gbrjob": strings.ReplaceAll(strings.ReplaceAll(job, "0.8,", "1.6,"), "0.07", "0.035")}).read(t).Boards[0].Facts
	if !f.Thickness.Known || f.Thickness.IsStated() || f.OuterCopper.IsStated() {
		t.Error("a tool's presets are nobody's choice")
	}
}

func TestStencilIsNoBoard(t *testing.T) {
	t.Parallel()
	p := ordinary().merge(set{"stencil.zip!/y.gtp": gerberFile("", "5,5"), "stencil.zip!/y.gbp": gerberFile("", "5,5")}).read(t)
	if len(p.Boards) != 1 || !slices.Contains(findings(p, pcb.Note), "artwork_without_board") {
		t.Errorf("%d boards, %v", len(p.Boards), findings(p, pcb.Note))
	}
}

func FuzzRead(f *testing.F) {
	for name, data := range ordinary() {
		f.Add(name, data)
	}
	f.Add("x.gbrjob", `{"GeneralSpecs":{"LayerNumber":4}}`)
	f.Add("x.d356", "P  UNITS CUST 1\n317GND              R1    -1    D0800PA00X+005000Y+005000X1600Y0000R000S0\n999\n")
	f.Add("x.kicad_pcb", "(kicad_pcb (version 20221018) (layers (0 \"F.Cu\" signal)))")
	f.Fuzz(func(t *testing.T, name, data string) {
		s := ordinary()
		s[name] = data
		p := upload.Read(context.Background(), s.files(), upload.Options{Limits: pcb.Limits{Objects: 20_000}})
		for _, b := range p.Boards {
			for i := range b.Holes {
				if h := &b.Holes[i]; int(h.Net) >= len(b.Nets) || h.Kind == pcb.RoutedHole && int(h.Path) >= len(b.Routes) {
					t.Fatalf("%+v", h)
				}
			}
		}
	})
}

// TestGuesses: artwork without a name is told by what it draws, but not used.
func TestGuesses(t *testing.T) {
	t.Parallel()
	s := set{}
	for name, number := range map[string]string{
		"x-F_Cu.gbr": "11", "x-B_Cu.gbr": "12", "x-F_Mask.gbr": "21", "x-B_Mask.gbr": "22", "x-Edge_Cuts.gbr": "31", "x-PTH.drl": "41",
	} {
		s[number+".txt"] = ordinary()[name]
	}
	p := s.read(t)
	got := map[string]string{}
	for _, f := range p.Findings {
		if f.Code == "role_unknown" {
			_, looks, _ := strings.Cut(f.Message, "looks like ")
			looks, _, _ = strings.Cut(looks, ")")
			for _, a := range f.Answers { // what goes on from it, and is in its words
				looks += ", " + a.Field
				if !strings.Contains(f.Message, a.Field) {
					t.Errorf("%q does not name %s", f.Message, a.Field)
				}
			}
			got[f.File[:1]] = looks
		}
	}
	if diff := cmp.Diff(map[string]string{"1": "copper, file_answers.layer_order, file_answers.leave_out", "2": "mask", "3": "outline, file_answers.outline"}, got); diff != "" {
		t.Error(diff)
	}
	if f := p.Boards[0].Facts.CopperLayers; f.Value != 2 || f.Confidence > 0.4 {
		t.Errorf("%+v", f)
	}
}

// TestAltiumBoard: a board of Altium is read by itself, and one that is not read beside
// Gerbers does not stop them.
func TestAltiumBoard(t *testing.T) {
	t.Parallel()
	f := pcbdoc.New(2000, 1000)
	f.Net("GND")
	f.Track(pcbdoc.NetObject(pcbdoc.Top, 0), 1100, 1100, 1200, 1100, 8)
	p := set{"x.PcbDoc": string(f.Bytes())}.read(t)
	if len(p.Boards) != 1 || !p.Files[0].Used || p.Boards[0].Name != "x" || len(p.Findings) > 0 {
		t.Errorf("boards %d, file %+v, findings %v", len(p.Boards), p.Files[0], p.Findings)
	}
	p = ordinary().merge(set{"x.PcbDoc": "|RECORD=Board|KIND=Protel_Advanced_PCB|"}).read(t)
	if got := findings(p, pcb.Warning); len(got) > 0 || len(p.Boards) != 1 {
		t.Errorf("beside Gerbers: %d boards, findings %v", len(p.Boards), got)
	}
}
