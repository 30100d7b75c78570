package designcheck_test

import (
	"archive/zip"
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
)

// A project of one board: a pad, a track, a via, a mounting hole and a legend.
const blinker = `(kicad_pcb (version 20241229) (generator pcbnew)
	(layers (0 "F.Cu" signal) (2 "B.Cu" signal) (5 "F.SilkS" user) (1 "F.Mask" user) (3 "B.Mask" user) (25 "Edge.Cuts" user))
	(net 0 "") (net 1 "GND")
	(gr_rect (start 10 10) (end 40 30) (stroke (width 0.1)) (fill none) (layer "Edge.Cuts"))
	(gr_line (start 12 12) (end 20 12) (stroke (width 0.15)) (layer "F.SilkS"))
	(footprint "R" (layer "F.Cu") (at 20 20 30)
		(property "Reference" "R1" (at 0 0) (layer "F.SilkS") (hide yes))
		(pad "1" smd roundrect (at -1 0 30) (size 1 1.2) (layers "F.Cu" "F.Mask") (roundrect_rratio 0.25) (net 1 "GND"))
		(pad "" np_thru_hole circle (at 5 0) (size 3 3) (drill 3) (layers "*.Cu" "*.Mask")))
	(segment (start 19 20) (end 25 20) (width 0.25) (layer "F.Cu") (net 1))
	(via (at 25 20) (size 0.8) (drill 0.4) (layers "F.Cu" "B.Cu") (net 1)))`

// TestProjectIsPlotted: a fabricator builds from artwork, so a project's board
// comes with artwork that reads as the same board.
func TestProjectIsPlotted(t *testing.T) {
	t.Parallel()
	d := setup(t)
	d.do(t, boards.Read, d.upload(t, map[string]string{"blinker/blinker.kicad_pcb": blinker, "blinker/notes.txt": "hello"}))
	s := d.state(t)
	if len(s.Boards) != 1 {
		t.Fatalf("%d boards; findings %+v, want one", len(s.Boards), s.Findings)
	}
	if n := members(t, d, s.Package); n != 2 {
		t.Errorf("package of the upload has %d files, want both", n)
	}
	files := unzip(t, d, s.PackageOf(s.Boards[0].Name))
	var names []string
	for _, f := range files {
		names = append(names, f.Name)
	}
	slices.Sort(names)
	want := []string{"blinker-B_Cu.gbr", "blinker-B_Mask.gbr", "blinker-Edge_Cuts.gbr", "blinker-F_Cu.gbr", "blinker-F_Mask.gbr",
		"blinker-F_Silkscreen.gbr", "blinker-NPTH.drl", "blinker-PTH.drl", "blinker-job.gbrjob"}
	if !slices.Equal(want, names) {
		t.Fatalf("package holds %v, want %v", names, want)
	}
	p := upload.Read(t.Context(), files, upload.Options{})
	if len(p.Boards) != 1 {
		t.Fatalf("%d boards in the package; findings %+v, want one", len(p.Boards), p.Findings)
	}
	f := p.Boards[0].Facts
	if f.CopperLayers.Value != 2 || f.Width.Value != 30_000_000 || f.Height.Value != 20_000_000 || f.PlatedHoles.Value != 1 || f.NonPlatedHoles.Value != 1 {
		t.Errorf("the plotted board: %+v, want 2 copper layers, 30 x 20 mm, a plated and an unplated hole", f)
	}
	for _, r := range p.Files {
		if !r.Used || r.Role == pcb.RoleUnknown {
			t.Errorf("%s is %s, used %t (%s); want a role, and it used", r.Name, r.Role, r.Used, r.Why)
		}
	}
	d.do(t, boards.Forget, boards.ForgetData{Digest: "digest", Must: true})
	d.do(t, boards.Read, d.upload(t, map[string]string{"blinker/blinker.kicad_pcb": blinker}))
	if again := unzip(t, d, d.state(t).Boards[0].Package); !slices.EqualFunc(files, again, func(a, b upload.File) bool { return a.Name == b.Name && bytes.Equal(a.Data, b.Data) }) {
		t.Errorf("the same project was plotted in another way the second time: %d files, %d before, or other content", len(again), len(files))
	}
}

// TestProjectWithoutCopper cannot be built, and says so.
func TestProjectWithoutCopper(t *testing.T) {
	t.Parallel()
	d := setup(t)
	d.do(t, boards.Read, d.upload(t, map[string]string{
		"a.kicad_pcb": strings.NewReplacer(`(0 "F.Cu" signal) (2 "B.Cu" signal)`, "").Replace(blinker),
	}))
	s := d.state(t)
	if len(s.Boards) != 1 || s.Boards[0].Package != "" {
		t.Fatalf("boards = %+v, want one without a package", s.Boards)
	}
	if !slices.ContainsFunc(s.Boards[0].Findings, func(f contract.Finding) bool { return f.Check == "no_copper" && f.Level == "must_fix" }) {
		t.Errorf("findings %+v, want a must_fix of no_copper", s.Boards[0].Findings)
	}
}

// TestProjectBesideArtwork: a second board that is only there as a project is
// plotted, the one with artwork is sent as it came.
func TestProjectBesideArtwork(t *testing.T) {
	t.Parallel()
	d := setup(t)
	files := map[string]string{"other/blinker.kicad_pcb": blinker, "other2/blinker2.kicad_pcb": strings.Replace(blinker, "(end 40 30)", "(end 50 30)", 1)}
	for name, content := range square {
		files["gerbers/"+name] = content
	}
	d.do(t, boards.Read, d.upload(t, files))
	s := d.state(t)
	if len(s.Boards) != 3 {
		t.Fatalf("%d boards, want 3; findings %+v", len(s.Boards), s.Findings)
	}
	for i, want := range []string{"gerbers/sq-F_Cu.gbr", "blinker-F_Cu.gbr", "blinker2-F_Cu.gbr"} {
		got := unzip(t, d, s.PackageOf(s.Boards[i].Name))
		if !slices.ContainsFunc(got, func(f upload.File) bool { return f.Name == want }) {
			t.Errorf("package of %s lacks %s", s.Boards[i].Name, want)
		}
	}
}

// TestPackageLeavesNothingOut: what the fabricator may need goes with its board,
// read or not.
func TestPackageLeavesNothingOut(t *testing.T) {
	t.Parallel()
	d := setup(t)
	two := map[string]string{"order.txt": "both in green", "first/stackup.pdf": "%PDF-1.4", "first/docs/impedance.odd": "50 ohm"}
	for name, content := range square {
		two["first/"+name] = content
		two["second/"+name] = strings.NewReplacer("X20000000", "X30000000", "X8000000", "X9000000", "X2.0", "X3.0").Replace(content)
	}
	d.do(t, boards.Read, d.upload(t, two))
	s := d.state(t)
	if len(s.Boards) != 2 {
		t.Fatalf("%d boards, want 2", len(s.Boards))
	}
	for _, b := range s.Boards {
		var names []string
		for _, f := range unzip(t, d, b.Package) {
			names = append(names, f.Name)
		}
		dir := names[slices.IndexFunc(names, func(n string) bool { return strings.HasSuffix(n, "-F_Cu.gbr") })]
		dir, _, _ = strings.Cut(dir, "/")
		want := []string{"order.txt"}
		for name := range two {
			if strings.HasPrefix(name, dir+"/") {
				want = append(want, name)
			}
		}
		slices.Sort(want)
		slices.Sort(names)
		if !slices.Equal(want, names) {
			t.Errorf("package of %s holds %v, want %v", b.Name, names, want)
		}
	}
}

func unzip(t *testing.T, d *harness, key string) []upload.File {
	t.Helper()
	r, _, err := d.blobs.Get(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	var out []upload.File
	for _, m := range z.File {
		f, err := m.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(f)
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, upload.File{Name: m.Name, Data: content})
	}
	return out
}
