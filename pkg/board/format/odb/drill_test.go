package odb

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

const (
	drillRow = "LAYER {\n ROW=2\n CONTEXT=BOARD\n TYPE=DRILL\n NAME=DRL\n POLARITY=POSITIVE\n START_NAME=TOP\n END_NAME=TOP\n}\n"
	routRow  = "LAYER {\n ROW=3\n CONTEXT=BOARD\n TYPE=ROUT\n NAME=ROUT\n POLARITY=POSITIVE\n}\n"
	toolText = "UNITS=MM\nTHICKNESS=0\nTOOLS {\n NUM=1\n TYPE=VIA\n FINISH_SIZE=300\n DRILL_SIZE=350\n}\nTOOLS {\n NUM=2\n TYPE=NON_PLATED\n FINISH_SIZE=3000\n DRILL_SIZE=3000\n}\nTOOLS {\n NUM=3\n TYPE=PLATED\n FINISH_SIZE=1000\n DRILL_SIZE=1100\n}\n"
)

// readDrilled reads a job with a drill layer of the name and features given.
func readDrilled(t *testing.T, name, tools, features string, more ...File) *pcb.Board {
	t.Helper()
	files := append(smallest(strings.ReplaceAll(matrixText+drillRow, "NAME=DRL", "NAME="+name)+routRow, "UNITS=MM\n"),
		File{"job/steps/pcb/layers/" + strings.ToLower(name) + "/features", []byte(features)})
	if tools != "" {
		files = append(files, File{"job/steps/pcb/layers/" + strings.ToLower(name) + "/tools", []byte(tools)})
	}
	boards, findings := Read(t.Context(), append(files, more...))
	if len(boards) != 1 {
		t.Fatalf("%d boards, want one; findings %v", len(boards), findings)
	}
	return boards[0]
}

// holesOf writes holes as kind, place, size in micrometres, plating and function.
func holesOf(b *pcb.Board) string {
	var out []string
	for i := range b.Holes {
		h := &b.Holes[i]
		kind := map[pcb.HoleKind]string{pcb.DrillHole: "hole", pcb.SlotHole: "slot", pcb.RoutedHole: "routed"}[h.Kind]
		out = append(out, fmt.Sprintf("%s %d,%d %d %s tool %d via %v", kind, h.A.X/um, h.A.Y/um, h.Diameter/um, h.Plating, h.Tool, h.Function == pcb.FuncViaDrill))
	}
	return strings.Join(out, "\n")
}

func TestDrillRecords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, layer, tools, features, want string
	}{
		{"by its tool, a via", "DRL", toolText, "UNITS=MM\n$0 r350\nP 1 2 0 P 0 0\n", "hole 1000,2000 350 plated tool 1 via true"},
		{"by its tool's finished size", "DRL", toolText, "UNITS=MM\n$0 r300\nP 1 2 0 P 0 0\n", "hole 1000,2000 300 plated tool 1 via true"},
		{"by its tool, not plated", "DRL", toolText, "UNITS=MM\n$0 r3000\nP 1 2 0 P 0 0\n", "hole 1000,2000 3000 non-plated tool 2 via false"},
		{"by its tool, for a lead", "DRL", toolText, "UNITS=MM\n$0 r1000\nP 1 2 0 P 0 0\n", "hole 1000,2000 1000 plated tool 3 via false"},
		{"its own word goes first", "DRL", toolText, "UNITS=MM\n$0 r3000\n@0 .drill\nP 1 2 0 P 0 0 ;0=2\n", "hole 1000,2000 3000 plated tool 2 via true"},
		{"its own word alone", "DRL", "", "UNITS=MM\n$0 r500\n@0 .drill\nP 1 2 0 P 0 0 ;0=1\n", "hole 1000,2000 500 non-plated tool 0 via false"},
		{"its own word in letters", "DRL", "", "UNITS=MM\n$0 r500\n@0 .drill\nP 1 2 0 P 0 0 ;0=plated\n", "hole 1000,2000 500 plated tool 0 via false"},
		{"by the layer's name", "D_PLATED", "", "UNITS=MM\n$0 r500\nP 1 2 0 P 0 0\n", "hole 1000,2000 500 plated tool 0 via false"},
		{"by the layer's other name", "D_NON-PLATED", "", "UNITS=MM\n$0 r500\nP 1 2 0 P 0 0\n", "hole 1000,2000 500 non-plated tool 0 via false"},
		{"nothing tells", "DRL", "", "UNITS=MM\n$0 r500\nP 1 2 0 P 0 0\n", "hole 1000,2000 500 unknown tool 0 via false"},
		{"a slot as a line", "DRL", toolText, "UNITS=MM\n$0 r1000\nL 1 2 3 2 0 P 0\n", "slot 1000,2000 1000 plated tool 3 via false"},
		{"a slot as an oval pad", "DRL", "", "UNITS=MM\n$0 oval2000x1000\n@0 .drill\nP 5 5 0 P 0 0 ;0=0\n", "slot 4500,5000 1000 plated tool 0 via false"},
		{"a slot that is turned", "DRL", "", "UNITS=MM\n$0 oval2000x1000\n@0 .drill\nP 5 5 0 P 0 1 ;0=0\n", "slot 5000,5500 1000 plated tool 0 via false"},
		{"a bent slot", "DRL", "", "UNITS=MM\n$0 r1000\n@0 .drill\nA 1 2 3 2 2 2 0 P 0 N ;0=0\n", "routed 1000,2000 1000 plated tool 0 via false"},
		{"inches", "DRL", "", "UNITS=INCH\n$0 r20\nP 0.1 0.2 0 P 0 0\n", "hole 2540,5080 508 unknown tool 0 via false"},
		{"a null symbol drills nothing", "DRL", "", "UNITS=MM\n$0 null1\nP 1 2 0 P 0 0\n", ""},
		{"no symbol at all", "DRL", "", "UNITS=MM\nP 1 2 0 P 0 0\nL 1 2 3 4 0 P 0\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, holesOf(readDrilled(t, c.layer, c.tools, c.features))); diff != "" {
				t.Errorf("holes of layer %s, tools %q, features %q (-want +got):\n%s", c.layer, c.tools, c.features, diff)
			}
		})
	}
}

// TestRouts: what a cutter goes round within the board is cut out of it; its way along
// the edge is the edge once more.
func TestRouts(t *testing.T) {
	t.Parallel()
	square := func(x, y, w float64) string {
		return fmt.Sprintf("L %g %g %g %g 0 P 0\nL %g %g %g %g 0 P 0\nL %g %g %g %g 0 P 0\nL %g %g %g %g 0 P 0\n",
			x, y, x+w, y, x+w, y, x+w, y+w, x+w, y+w, x, y+w, x, y+w, x, y)
	}
	for _, c := range []struct {
		name, features string
		cutouts        int
	}{
		{"nothing", "UNITS=MM\n", 0},
		{"a closed way", "UNITS=MM\n$0 r500\n" + square(3, 3, 4), 1},
		{"a closed way as a surface", "UNITS=MM\nS P 0\nOB 3 3 I\nOS 7 3\nOS 7 7\nOS 3 7\nOE\nSE\n", 1},
		{"the edge", "UNITS=MM\n$0 r500\n" + square(0, 0, 10), 0},
		{"an open way", "UNITS=MM\n$0 r500\nL 3 3 6 3 0 P 0\n", 0},
		{"beside the board", "UNITS=MM\n$0 r500\n" + square(20, 20, 4), 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := readDrilled(t, "DRL", "", "UNITS=MM\n", File{"job/steps/pcb/layers/rout/features", []byte(c.features)})
			if n := len(b.Outline.Areas[0].Holes); n != c.cutouts {
				t.Errorf("%d cutouts, want %d", n, c.cutouts)
			}
		})
	}
}

func TestTools(t *testing.T) {
	t.Parallel()
	j := newJob(t.Context(), newTree("job/", []File{{"job/d/tools", []byte(toolText)}, {"job/e/tools", []byte("TOOLS {\n NUM=x\n DRILL_SIZE=20\n}\n")}}, []string{"job/"}))
	got := j.readTools("d")
	if len(got) != 3 || got[0] != (tool{1, "VIA", 300 * um, 350 * um}) {
		t.Errorf("tools %+v, want three, the first VIA of 300 and 350 µm", got)
	}
	if other := j.readTools("e"); len(other) != 1 || other[0].drill != 508*um || other[0].number != 0 {
		t.Errorf("in mils %+v, want one of number 0, 508 µm", other)
	}
	if none := j.readTools("f"); none != nil {
		t.Errorf("of no file %+v, want nothing", none)
	}
	for d, want := range map[int64]int{350 * um: 1, 351 * um: 1, 352 * um: 0, 3000 * um: 2, 0: 0} {
		n := 0
		if x := toolFor(got, d); x != nil {
			n = x.number
		}
		if n != want {
			t.Errorf("the tool of %d nm is %d, want %d", d, n, want)
		}
	}
}

const componentRow = "LAYER {\n ROW=0\n CONTEXT=BOARD\n TYPE=COMPONENT\n NAME=comp_+_top\n POLARITY=POSITIVE\n}\n"

const componentText = `UNITS=MM
@0 .comp_mount_type
@1 .no_pop
@2 .comp_ignore
CMP 0 1.5 2.5 90 N R1 RES-10K ;0=1;ID=3
PRP VALUE '10k'
PRP MPN 'RC0402'
TOP 0 1 2 0 N 0 0 1
TOP 1 2 2 0 N 1 0 2
CMP 1 5 5 0 N J1 ;0=2,1
TOP 0 5 5 0 N 0 0 J1-A1
CMP 0 7 7 270 N FID1 ;0=3,2
`

const edaText = `HDR Some CAD
LYR TOP DRL
NET GND
SNT TOP T 0 0
FID C 0 0
SNT VIA
FID H 1 0
NET $NONE$
SNT TOP T 0 1
FID C 0 1
NET GND
SNT TRC
FID C 0 2
PKG R0402
PKG HDR-1
`

// TestComponentsAndNets: parts, their pins, and the nets that eda/data gives to pins,
// pads, tracks and holes.
func TestComponentsAndNets(t *testing.T) {
	t.Parallel()
	files := append(smallest(componentRow+matrixText+drillRow, "UNITS=MM\n$0 r500\nP 1 2 0 P 0 0\nP 2 2 0 P 0 0\nL 1 2 2 2 0 P 0\n"),
		File{"job/steps/pcb/layers/comp_+_top/components", []byte(componentText)},
		File{"job/steps/pcb/layers/drl/features", []byte("UNITS=MM\n$0 r300\nP 1 2 0 P 0 0\n")},
		File{"job/steps/pcb/eda/data", []byte(edaText)})
	boards, findings := Read(t.Context(), files)
	if len(boards) != 1 {
		t.Fatalf("%d boards, want one; findings %v", len(boards), findings)
	}
	b := boards[0]
	if len(b.Components) != 3 {
		t.Fatalf("components %+v, want three", b.Components)
	}
	r1, j1, fid := b.Components[0], b.Components[1], b.Components[2]
	if r1.Ref != "R1" || r1.Value != "10k" || r1.MPN != "RC0402" || r1.Rotation != 270 || r1.At != geom.Pt(1500*um, 2500*um) || r1.Mount != pcb.SurfaceMount || r1.DNP || r1.Footprint != "R0402" {
		t.Errorf("R1 = %+v; want 10k, RC0402 in R0402, at 1.5, 2.5 mm, turned by 270, surface mounted", r1)
	}
	if j1.Mount != pcb.ThroughHole || !j1.DNP || j1.Footprint != "HDR-1" {
		t.Errorf("J1 = %+v; want it through hole, not fitted, HDR-1", j1)
	}
	if !fid.NoBOM || !fid.NoPlace || fid.Mount != pcb.MountOther || fid.Rotation != 90 {
		t.Errorf("FID1 = %+v; want it neither listed nor placed, turned by 90", fid)
	}
	if p := b.Pins[b.Pin("R1", "1")]; b.Nets[p.Net].Name != "GND" || p.At != geom.Pt(1000*um, 2000*um) || p.Side != pcb.Top {
		t.Errorf("R1-1 = %+v; want GND, at 1, 2 mm on top", p)
	}
	if p := b.Pins[b.Pin("J1", "A1")]; p.At != geom.Pt(5000*um, 5000*um) {
		t.Errorf("J1-A1 = %+v, want it at 5, 5 mm", p)
	}
	top := b.Copper()[0]
	if f := top.Features[0]; b.Nets[f.Net].Name != "GND" || f.Pin != b.Pin("R1", "1") || f.Function != pcb.FuncComponentPad {
		t.Errorf("the pad of R1-1 = %+v, want a component's, of that pin, net GND", f)
	}
	if f := top.Features[1]; f.Net != 0 {
		t.Errorf("the pad of no net = %+v, want net 0", f)
	}
	if f := top.Features[2]; b.Nets[f.Net].Name != "GND (2)" { // another net of the same name
		t.Errorf("the track is of %q, want GND (2)", b.Nets[f.Net].Name)
	}
	if h := b.Holes[0]; b.Nets[h.Net].Name != "GND" {
		t.Errorf("the hole is of %q, want GND", b.Nets[h.Net].Name)
	}
}

// TestNetsDamaged: records that refer to nothing are passed over.
func TestNetsDamaged(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"layers that there are not":   "LYR NONE\nNET A\nSNT TRC\nFID C 0 0\nFID C 7 0\n",
		"features that there are not": "LYR TOP\nNET A\nSNT TRC\nFID C 0 99\nFID C 0 -1\nFID C -1 0\n",
		"parts that there are not":    "LYR TOP\nNET A\nSNT TOP T 99 0\nSNT TOP B 0 0\nSNT TOP T -1 -1\nFID C 0 0\n",
		"FID before any net":          "LYR TOP\nFID C 0 0\n",
		"words cut off":               "LYR\nNET\nSNT\nFID\nPKG\nX\n\n",
		"counts beyond all reason":    "LYR TOP\nNET A\nSNT TRC\nFID C 99999999999999999999 1e300\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			boards, _ := Read(t.Context(), append(smallest(matrixText, featuresText), File{"job/steps/pcb/eda/data", []byte(text)}))
			if len(boards) != 1 {
				t.Fatalf("%d boards of %s, want one", len(boards), text)
			}
			for i := range boards[0].Copper()[0].Features {
				if f := &boards[0].Copper()[0].Features[i]; int(f.Net) >= len(boards[0].Nets) || int(f.Pin) >= len(boards[0].Pins) {
					t.Errorf("feature %+v refers to nothing: there are %d nets and %d pins", f, len(boards[0].Nets), len(boards[0].Pins))
				}
			}
		})
	}
}

// TestNetlistAlone: without eda/data the netlist of the CAD names the nets.
func TestNetlistAlone(t *testing.T) {
	t.Parallel()
	boards, _ := Read(t.Context(), append(smallest(matrixText, featuresText),
		File{"job/steps/pcb/netlists/cadnet/netlist", []byte("H optimize n staggered n\n$0 $NONE$\n$1 GND\n$2 VCC\n#\n0 0 1 1 T e s staggered 0 0 0 v\n")}))
	var names []string
	for _, n := range boards[0].Nets {
		if n.Name != "" {
			names = append(names, n.Name)
		}
	}
	if strings.Join(names, " ") != "GND VCC" {
		t.Errorf("nets %q, want GND and VCC", names)
	}
}

// TestPanel: steps that repeat others hold their drawing as often.
func TestPanel(t *testing.T) {
	t.Parallel()
	const panelStep = "STEP {\n COL=2\n NAME=PANEL\n}\n"
	header := func(repeat string) File { return File{"job/steps/panel/stephdr", []byte("UNITS=MM\n" + repeat)} }
	for _, c := range []struct {
		name, header string
		count        int
		finding      string
	}{
		{"two by three", "STEP-REPEAT {\n NAME=PCB\n X=0\n Y=0\n DX=12\n DY=12\n NX=2\n NY=3\n ANGLE=0\n MIRROR=NO\n}\n", 6, ""},
		{"in small letters", "STEP-REPEAT {\n NAME=pcb\n X=0\n Y=0\n NX=1\n NY=1\n}\n", 1, ""},
		{"turned and mirrored", "STEP-REPEAT {\n NAME=PCB\n X=0\n Y=0\n NX=1\n NY=1\n ANGLE=90\n MIRROR=YES\n}\nSTEP-REPEAT {\n NAME=PCB\n X=30\n Y=0\n}\n", 2, ""},
		{"a step that there is not", "STEP-REPEAT {\n NAME=OTHER\n X=0\n Y=0\n}\n", 0, "panel_step_missing"},
		{"itself", "STEP-REPEAT {\n NAME=PANEL\n X=0\n Y=0\n}\n", 0, "panel_step_missing"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			boards, _ := Read(t.Context(), append(smallest(matrixText+panelStep, featuresText), header(c.header)))
			if len(boards) != 2 || boards[0].Name != "job:PCB" || boards[1].Name != "job:PANEL" {
				t.Fatalf("%d boards of %+v, want job:PCB and job:PANEL", len(boards), c)
			}
			p := boards[1]
			if !p.Facts.Panel.Value || p.Facts.BoardsInPanel.Value != c.count {
				t.Errorf("panel %v of %d, want %d", p.Facts.Panel.Value, p.Facts.BoardsInPanel.Value, c.count)
			}
			one, all := len(boards[0].Copper()[0].Features), 0
			for _, l := range p.Copper() {
				all += len(l.Features)
			}
			if all != one*c.count {
				t.Errorf("%d features, want %d times %d", all, c.count, one)
			}
			reported := false
			for _, f := range append(boards[0].Findings, p.Findings...) {
				reported = reported || f.Code == c.finding
			}
			if c.finding != "" && !reported {
				t.Errorf("no finding %s in %+v", c.finding, boards[0].Findings)
			}
		})
	}
}

// TestAttributesOfTheJob: thickness, copper and tool stand in the attributes.
func TestAttributesOfTheJob(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name      string
		files     []File
		thickness int64
		oz        float64
		chosen    bool
	}{
		{"nothing", nil, 0, 0, false},
		{"of the step, in millimetres", []File{{"job/steps/pcb/attrlist", []byte("UNITS=MM\n.board_thickness=0.8\n")}}, 800 * um, 0, false},
		{"of the job, in inches", []File{{"job/misc/attrlist", []byte("UNITS=INCH\n.board_thickness=0.062\n")}}, 1_574_800, 0, false},
		{"beyond any board", []File{{"job/misc/attrlist", []byte("UNITS=INCH\n.board_thickness=62\n")}}, 0, 0, false},
		{"copper in ounces", []File{{"job/steps/pcb/layers/top/attrlist", []byte(".copper_weight=2\n")}}, 0, 2, true},
		{"an ounce everywhere is nobody's choice", []File{{"job/steps/pcb/layers/top/attrlist", []byte(".copper_weight=1\n")}}, 0, 1, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			boards, _ := Read(t.Context(), append(append(smallest(matrixText, featuresText), File{"job/misc/info", []byte("UNITS=INCH\nSAVE_APP=Tool 1.0\nSAVE_DATE=20260102\n")}), c.files...))
			f := boards[0].Facts
			if f.Thickness.Value != c.thickness || f.OuterCopper.Value != c.oz || c.oz > 0 && f.OuterCopper.IsStated() != c.chosen {
				t.Errorf("thickness %d nm, copper %v oz, chosen %v; want %d, %v, %v", f.Thickness.Value, f.OuterCopper.Value, f.OuterCopper.IsStated(), c.thickness, c.oz, c.chosen)
			}
			if f.Tool.Value != "Tool 1.0" || f.Date.Value != "20260102" {
				t.Errorf("written by %q at %q, want by Tool 1.0 at 20260102", f.Tool.Value, f.Date.Value)
			}
		})
	}
}
