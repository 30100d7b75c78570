package upload_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/pcbdoc"
	"boardorder/pkg/board/testkit/uploads"
	"boardorder/pkg/board/upload"
)

func TestOrdinaryBoard(t *testing.T) {
	t.Parallel()
	p := uploads.Ordinary().Read(t)
	if len(p.Boards) != 1 {
		t.Fatalf("%d boards, want 1", len(p.Boards))
	}
	b := p.Boards[0]
	f := b.Facts
	got := fmt.Sprintf("%d layers, %d x %d, %d plated %d bare %d open, drill %d, track %d", f.CopperLayers.Value, f.Width.Value, f.Height.Value,
		f.PlatedHoles.Value, f.NonPlatedHoles.Value, f.UnknownHoles.Value, f.MinDrill.Value, f.MinTrack.Value)
	if want := "2 layers, 20000000 x 10000000, 3 plated 0 bare 0 open, drill 800000, track 200000"; got != want {
		t.Errorf("an ordinary board is %s, want %s", got, want)
	}
	if diff := cmp.Diff([]string(nil), uploads.Codes(p, pcb.Warning)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", t.Name(), diff)
	}
	for _, r := range p.Files {
		if !r.Used || r.Board != b.Name || r.Why == "" || r.Confidence == 0 {
			t.Errorf("file %+v, want it used for %q, with a reason and a confidence", r, b.Name)
		}
	}
	if f.Width.Source.File != "x-Edge_Cuts.gbr" || f.MinDrill.Source.Line == 0 {
		t.Errorf("sources are %+v and %+v, want x-Edge_Cuts.gbr, and a line", f.Width.Source, f.MinDrill.Source)
	}
}

// TestFindings: everything odd about an upload is said.
func TestFindings(t *testing.T) {
	t.Parallel()
	inner := uploads.Gerber(uploads.Function("Copper,L2,Inr"), "5,5")
	for _, c := range []struct {
		name   string
		change uploads.Set
		want   []string // all findings from warnings up
	}{
		{"no drill", uploads.Set{"x-PTH.drl": ""}, []string{"drill_missing"}},
		{"no outline", uploads.Set{"x-Edge_Cuts.gbr": ""}, []string{"outline_missing"}},
		{"outline with a gap", uploads.Set{"x-Edge_Cuts.gbr": uploads.Gerber("", "0,0 20,0", "20,0 20,10", "20,10 0,10", "0,10 0,4")}, []string{"outline_open"}},
		{"one inner layer is missing", uploads.Set{"x-In1_Cu.gbr": inner, "x-B_Cu.gbr": uploads.Gerber(uploads.Function("Copper,L4,Bot"), "5,5")}, []string{"layer_missing"}},
		{"an odd number of layers", uploads.Set{"x-In1_Cu.gbr": uploads.Gerber("", "5,5")}, []string{"layer_count_odd"}},
		{"no bottom mask", uploads.Set{"x-B_Mask.gbr": ""}, []string{"mask_missing"}},
		{"a second top mask", uploads.Set{"x-TopSolderMask.gbr": uploads.Gerber("", "1,1")}, []string{"layer_twice"}},
		{"the job file knows more layers", uploads.Set{"x.gbrjob": `{"Header":{"GenerationSoftware":{}},"GeneralSpecs":{"LayerNumber":4,"Size":{"X":20,"Y":10}}}`}, []string{"layer_count_mismatch"}},
		{"the job file knows another size", uploads.Set{"x.gbrjob": `{"Header":{"GenerationSoftware":{}},"GeneralSpecs":{"LayerNumber":2,"Size":{"X":50,"Y":10}}}`}, []string{"size_mismatch"}},
		{"the job file lists a file that is not there", uploads.Set{"x.gbrjob": `{"Header":{"GenerationSoftware":{}},"FilesAttributes":[{"Path":"x-F_Cu.gbr","FileFunction":"Copper,L1,Top"},` +
			`{"Path":"x-B_Cu.gbr","FileFunction":"Copper,L2,Bot"},{"Path":"x-F_Paste.gbr","FileFunction":"SolderPaste,Top"}]}`}, []string{"job_file_missing"}},
		{"the job file lists a file under another extension", uploads.Set{"x.gbrjob": `{"Header":{"GenerationSoftware":{}},"FilesAttributes":[{"Path":"x-B_Cu.gbr","FileFunction":"Copper,L2,Bot"},{"Path":"x-F_Mask.gbr","FileFunction":"SolderMask,Top"},{"Path":"x-F_Cu.gtl","FileFunction":"Copper,L1,Top"}]}`}, nil},
		{"the job file lists another layer of that name", uploads.Set{"x.gbrjob": `{"Header":{"GenerationSoftware":{}},"FilesAttributes":[{"Path":"x-B_Cu.gbr","FileFunction":"Copper,L2,Bot"},{"Path":"x-F_Mask.gbr","FileFunction":"SolderMask,Top"},{"Path":"x-F_Cu.gtl","FileFunction":"Profile,NP"}]}`}, []string{"job_file_missing"}},
		{"a drill deeper than the board", uploads.Set{"x-PTH.drl": uploads.Drill("; #@! TF.FileFunction,Plated,1,4,PTH\n", "5,5", "10,5", "15,5")}, []string{"layer_count_mismatch"}},
		{"a drill without holes that names more layers than there are", uploads.Set{"x-NPTH.drl": uploads.Drill("; #@! TF.FileFunction,NonPlated,1,4,NPTH\n")}, nil},
		{"holes beside the board", uploads.Set{"x-PTH.drl": uploads.Drill("", "5,5", "10,5", "15,5", "90,5")}, []string{"holes_off_board"}},
		{"a drill file cut off", uploads.Set{"x-PTH.drl": strings.TrimSuffix(uploads.Drill("", "5,5", "10,5", "15,5"), "M30\n")}, []string{"drill_truncated"}},
		{"an unnamed layer", uploads.Set{"x-1234.gbr": uploads.Gerber("", "5,5")}, []string{"role_unknown"}},
		{"an empty layer file", uploads.Set{"x-F_Paste.gtp": " "}, []string{"file_empty"}},
		{"an archive that stayed packed", uploads.Set{"inner.zip": "PK\x03\x04"}, []string{"archive_unread"}},
		{"a design file", uploads.Set{"x.PcbDoc": "\xd0\xcf\x11\xe0rest"}, nil},
		{"files of the system", uploads.Set{"__MACOSX/._x-F_Cu.gbr": "\x00\x05", ".DS_Store": "x"}, nil},
		{"bill of materials and notes", uploads.Set{"bom.csv": "Ref,Qty,Value\nR1,1,10k\n", "README.md": "# hi\n"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, uploads.Codes(uploads.Ordinary().Merge(c.change).Read(t), pcb.Warning)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", t.Name(), diff)
			}
		})
	}
}

func TestNothing(t *testing.T) {
	t.Parallel()
	if diff := cmp.Diff([]string{"no_board"}, uploads.Codes(uploads.Set{}.Read(t), pcb.Note)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", t.Name(), diff)
	}
}

func TestOnlyAnUnreadDesign(t *testing.T) {
	t.Parallel()
	p := uploads.Set{"x.PcbDoc": "\xd0\xcf\x11\xe0rest"}.Read(t)
	if diff := cmp.Diff([]string{"format_unread", "no_board"}, uploads.Codes(p, pcb.Problem)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", t.Name(), diff)
	}
}

func TestTimeOut(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	p := upload.Read(ctx, uploads.Ordinary().Files(), upload.Options{})
	if got := uploads.Codes(p, pcb.Note); !slices.Contains(got, "time_out") || len(p.Files) != 6 {
		t.Errorf("findings %v, %d files; want time_out and 6", got, len(p.Files))
	}
}

// TestProfileCalledHoles: Proteus states of its layer of the edge that it holds holes without
// plating, and of its lines that they are the profile.
func TestProfileCalledHoles(t *testing.T) {
	t.Parallel()
	for tool, want := range map[string]pcb.Role{"Profile": pcb.RoleOutline, "OtherDrawing": pcb.RoleDrillDrawing} {
		edge := uploads.Gerber(uploads.Function("NonPlated,1,2,NPTH")+"%TA.AperFunction,"+tool+"*%\n", uploads.OutlineLines...)
		p := uploads.Ordinary().Merge(uploads.Set{"x-Edge_Cuts.gbr": "", "x-Mechanical 1.gbr": edge}).Read(t)
		i := slices.IndexFunc(p.Files, func(f pcb.FileReport) bool { return f.Name == "x-Mechanical 1.gbr" })
		if f := p.Files[i]; f.Role != want {
			t.Errorf("%s: %v, want %v", tool, f.Role, want)
		}
		if missing := slices.Contains(uploads.Codes(p, pcb.Warning), "outline_repeated") || slices.Contains(uploads.Codes(p, pcb.Warning), "outline_elsewhere"); want == pcb.RoleOutline && (missing || p.Boards[0].Facts.Width.Value != 20e6) {
			t.Errorf("%s: width %v, warnings %v; want 20 mm and no outline_repeated or outline_elsewhere", tool, p.Boards[0].Facts.Width, uploads.Codes(p, pcb.Warning))
		}
	}
}

// TestRoutingFilms: a film that says of itself that it holds what is routed, and draws areas,
// is told beside the drill programs too, as no program has it; without plating it is cut out.
func TestRoutingFilms(t *testing.T) {
	t.Parallel()
	const area = "G36*\nX4000000Y4000000D02*\nX5000000Y4000000D01*\nX5000000Y6000000D01*\nX4000000Y4000000D01*\nG37*\n"
	for _, c := range []struct {
		name, function, draws string
		reported              bool
		cuts                  int
	}{
		{"plated", "Plated,1,2,PTH,Route", area, true, 0},
		{"not plated", "NonPlated,1,2,NPTH,Route", area, false, 1},
		{"holes, which the programs have", "Plated,1,2,PTH,Drill", area, false, 0},
		{"nothing drawn", "Plated,1,2,PTH,Route", "", false, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			film := strings.Replace(uploads.Gerber(uploads.Function(c.function)), "M02*", c.draws+"M02*", 1)
			p := uploads.Ordinary().Merge(uploads.Set{"x-milling.gbr": film}).Read(t)
			if got := slices.Contains(uploads.Codes(p, pcb.Warning), "role_doubtful"); got != c.reported {
				t.Errorf("role_doubtful told %v, want %v: %v", got, c.reported, uploads.Codes(p, pcb.Warning))
			}
			if got := len(p.Boards[0].Outline.Areas[0].Holes); got != c.cuts {
				t.Errorf("%d cutouts, want %d", got, c.cuts)
			}
		})
	}
}

// TestSwappedNames: which side an extension and a report say, where they differ.
func TestSwappedNames(t *testing.T) {
	t.Parallel()
	p := uploads.Ordinary().Merge(uploads.Set{"x.GTO": uploads.Gerber("", "1,1 2,2"), "x.EXTREP": ".GTO   Bottom Overlay\n"}).Read(t)
	silk := p.Boards[0].Find(pcb.RoleSilk, pcb.Top)
	if got := uploads.Codes(p, pcb.Warning); len(silk) != 1 || !slices.Equal(got, []string{"role_doubtful"}) {
		t.Errorf("%d silkscreens at the top, warnings %v; want one and role_doubtful", len(silk), got)
	}
}

func TestStencilIsNoBoard(t *testing.T) {
	t.Parallel()
	p := uploads.Ordinary().Merge(uploads.Set{"stencil.zip!/y.gtp": uploads.Gerber("", "5,5"), "stencil.zip!/y.gbp": uploads.Gerber("", "5,5")}).Read(t)
	if len(p.Boards) != 1 || !slices.Contains(uploads.Codes(p, pcb.Note), "artwork_without_board") {
		t.Errorf("%d boards, findings %v; want one and artwork_without_board", len(p.Boards), uploads.Codes(p, pcb.Note))
	}
}

func FuzzRead(f *testing.F) {
	for name, data := range uploads.Ordinary() {
		f.Add(name, data)
	}
	f.Add("x.gbrjob", `{"GeneralSpecs":{"LayerNumber":4}}`)
	f.Add("x.d356", "P  UNITS CUST 1\n317GND              R1    -1    D0800PA00X+005000Y+005000X1600Y0000R000S0\n999\n")
	f.Add("x.kicad_pcb", "(kicad_pcb (version 20221018) (layers (0 \"F.Cu\" signal)))")
	f.Fuzz(func(t *testing.T, name, data string) {
		s := uploads.Ordinary()
		s[name] = data
		p := upload.Read(context.Background(), s.Files(), upload.Options{Limits: pcb.Limits{Objects: 20_000}})
		for _, b := range p.Boards {
			for i := range b.Holes {
				if h := &b.Holes[i]; int(h.Net) >= len(b.Nets) || h.Kind == pcb.RoutedHole && int(h.Path) >= len(b.Routes) {
					t.Fatalf("%q with %q gives hole %+v of %d nets and %d routes, want indexes that there are", name, data, h, len(b.Nets), len(b.Routes))
				}
			}
		}
	})
}

// TestAltiumBoard: a board of Altium is read by itself, and one that is not read beside
// Gerbers does not stop them.
func TestAltiumBoard(t *testing.T) {
	t.Parallel()
	f := pcbdoc.New(2000, 1000)
	f.Net("GND")
	f.Track(pcbdoc.NetObject(pcbdoc.Top, 0), 1100, 1100, 1200, 1100, 8)
	p := uploads.Set{"x.PcbDoc": string(f.Bytes())}.Read(t)
	if len(p.Boards) != 1 || !p.Files[0].Used || p.Boards[0].Name != "x" || len(p.Findings) > 0 {
		t.Errorf("%d boards, file %+v, findings %v; want one named x, used, none", len(p.Boards), p.Files[0], p.Findings)
	}
	p = uploads.Ordinary().Merge(uploads.Set{"x.PcbDoc": "|RECORD=Board|KIND=Protel_Advanced_PCB|"}).Read(t)
	if got := uploads.Codes(p, pcb.Warning); len(got) > 0 || len(p.Boards) != 1 {
		t.Errorf("beside Gerbers: %d boards, findings %v; want one, none", len(p.Boards), got)
	}
}

// TestScoresAmongComments: lines across all boards that a panel's comments call V-cuts are scores of
// the board, and nobody is told that none are drawn.
func TestScoresAmongComments(t *testing.T) {
	t.Parallel()
	const board = `(kicad_pcb (version 20221018) (generator pcbnew) (general (thickness 1.6))
 (layers (0 "F.Cu" signal) (31 "B.Cu" signal) (41 "Cmts.User" user "User.Comments") (44 "Edge.Cuts" user))
 (net 0 "")
 (gr_rect (start 0 0) (end 40 30) (layer "Edge.Cuts") (width 0.1))
 (gr_line (start 20 -3) (end 20 33) (layer "Cmts.User") (width 0.1))
 (gr_text "V-CUT" (at 20 -5) (layer "Cmts.User") (effects (font (size 2 2) (thickness 0.4))))
)`
	p := uploads.Set{"panel.kicad_pcb": board}.Read(t)
	if len(p.Boards) != 1 {
		t.Fatalf("%d boards, want one: %+v", len(p.Boards), p.Findings)
	}
	b := p.Boards[0]
	if scores := b.Find(pcb.RoleVCut, pcb.NoSide); len(scores) != 1 || len(scores[0].Features) != 1 {
		t.Errorf("%d layers of V-scores, want one with one line", len(scores))
	}
	for _, f := range b.Findings {
		if f.Code == "score_noted" && f.Level != pcb.Note {
			t.Errorf("finding %+v, want a note at most", f)
		}
	}
}
