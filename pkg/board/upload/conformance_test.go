package upload_test

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/corpus"
	"boardorder/pkg/board/upload"
)

// A check is one thing of one design compared with what is known to be true.
type check struct {
	design, kind, item string
	want, got          string
	unread             bool
}

func (c check) right() bool { return !c.unread && c.want == c.got }

// TestConformance reads every real design and compares roles, layer counts,
// sizes, holes, nets and parts with what is known of them. Differences must be
// explained in testdata/explained.csv, and explanations must be needed.
func TestConformance(t *testing.T) {
	t.Parallel()
	dir := corpus.Dir(t)
	designs := corpus.Designs(t)
	roles := map[string][]map[string]string{}
	for _, r := range corpus.Table(t, filepath.Join(dir, "truth", "layer_roles-shared.csv")) {
		roles[r["design"]] = append(roles[r["design"]], r)
	}
	var checks []check
	var problems []string
	for _, d := range designs {
		name := d["name"]
		files, _ := loadDesign(t, name)
		p := upload.Read(context.Background(), files, upload.Options{})
		known := readTruth(t, filepath.Join(dir, "truth", name+".json"))
		checks = append(checks, roleChecks(name, roles[name], p)...)
		checks = append(checks, layerCheck(d, p)...)
		checks = append(checks, sizeCheck(d, p)...)
		checks = append(checks, holeChecks(name, known, p)...)
		checks = append(checks, netChecks(name, known, p)...)
		problems = append(problems, problemsOf(name, p)...)
	}
	judge(t, checks)
	judgeProblems(t, problems)
}

// problemsOf gives what stops a published design: each must be true.
func problemsOf(design string, p *pcb.Project) (out []string) {
	if strings.HasPrefix(design, "broken-") || strings.HasPrefix(design, "fault-") {
		return nil
	}
	all := slices.Clone(p.Findings)
	for _, b := range p.Boards {
		all = append(all, b.Findings...)
	}
	for _, f := range all {
		if f.Level == pcb.Problem {
			out = append(out, design+"/"+f.Code)
		}
	}
	return out
}

// judgeProblems fails on problems of published designs that nobody looked into.
func judgeProblems(t *testing.T, problems []string) {
	t.Helper()
	known := map[string]bool{}
	for _, e := range corpus.Table(t, filepath.Join("testdata", "problems.csv")) {
		known[e["design"]+"/"+e["code"]] = true
	}
	for _, p := range problems {
		if !known[p] {
			t.Errorf("%s stops a published design, and testdata/problems.csv does not say why that is right", p)
		}
	}
	for p := range known {
		if !slices.Contains(problems, p) {
			t.Errorf("%s is explained, but did not occur", p)
		}
	}
}

// judge prints what is right, explained, wrong and unread, and fails on what
// is not explained or explained in vain.
func judge(t *testing.T, checks []check) {
	t.Helper()
	explained := map[string]string{}
	for _, e := range corpus.Table(t, filepath.Join("testdata", "explained.csv")) {
		explained[e["design"]+"/"+e["kind"]+"/"+e["item"]] = e["reason"]
	}
	type row struct{ right, explained, wrong, unread int }
	rows := map[string]*row{}
	for _, c := range checks {
		r := rows[c.kind]
		if r == nil {
			r = &row{}
			rows[c.kind] = r
		}
		key := c.design + "/" + c.kind + "/" + c.item
		reason, known := explained[key]
		delete(explained, key)
		switch {
		case c.right() && known:
			t.Errorf("%s is explained (%s) but right", key, reason)
		case c.right():
			r.right++
		case known && c.unread:
			r.unread++
		case known:
			r.explained++
		default:
			r.wrong++
			t.Errorf("%s: want %s, got %s (unread: %v)", key, c.want, c.got, c.unread)
		}
	}
	for key := range explained {
		t.Errorf("%s is explained, but nothing of that name was checked", key)
	}
	t.Logf("%-12s %6s %9s %6s %6s", "", "right", "explained", "unread", "wrong")
	for _, kind := range []string{"role", "layers", "size", "holes", "slots", "drill", "plated", "nets", "parts"} {
		if r := rows[kind]; r != nil {
			t.Logf("%-12s %6d %9d %6d %6d", kind, r.right, r.explained, r.unread, r.wrong)
		}
	}
}

// roleChecks compares the role of every artwork and drill file.
func roleChecks(design string, want []map[string]string, p *pcb.Project) []check {
	byName := map[string]pcb.FileReport{}
	for _, f := range p.Files {
		byName[f.Name] = f
	}
	var out []check
	for _, w := range want {
		switch w["role"] {
		case "test", "unlabelled", "?": // nobody can tell
			continue
		}
		name := archiveName(w["archive"], w["file"])
		c := check{design: design, kind: "role", item: name, want: w["role"]}
		f, ok := byName[name]
		if !ok { // loose folders lack in the table, and tars have one more there
			for n, r := range byName {
				if strings.HasSuffix("/"+n, "/"+name) || strings.HasPrefix(n, w["archive"]) && strings.HasSuffix(n, "/"+w["file"][strings.IndexByte(w["file"], '/')+1:]) {
					f, ok = r, true
				}
			}
		}
		c.unread = !ok
		if ok {
			c.got = roleName(f, w["role"])
		}
		out = append(out, c)
	}
	return out
}

// roleName is the role in the words of the corpus. Where the corpus does not
// tell kinds apart, what is finer counts as what it says.
func roleName(f pcb.FileReport, want string) string {
	side := map[pcb.Side]string{pcb.Top: "top", pcb.Bottom: "bot"}[f.Side]
	got := "other"
	switch f.Role {
	case pcb.RoleCopper:
		got = "cu-" + strconv.Itoa(f.Layer)
	case pcb.RoleMask:
		got = "mask-" + side
	case pcb.RoleSilk:
		got = "silk-" + side
	case pcb.RolePaste:
		got = "paste-" + side
	case pcb.RoleOutline:
		got = "outline"
	case pcb.RoleVCut:
		got = "vcut"
	case pcb.RoleUnknown:
		got = "unknown"
	case pcb.RoleDrillDrawing, pcb.RoleFabDrawing, pcb.RoleAssembly, pcb.RoleCourtyard, pcb.RoleMechanical, pcb.RoleKeepOut:
		got = "drawing"
	case pcb.RoleDrill:
		got = drillName(f, want)
	}
	switch {
	case strings.TrimSuffix(want, "?") == got, // the corpus is not sure itself
		want == "rout" && f.Role == pcb.RoleMechanical,
		strings.HasPrefix(want, "padmaster") && f.Role == pcb.RoleOther:
		return want
	}
	return got
}

func drillName(f pcb.FileReport, want string) string {
	switch {
	case f.Format == "gerber":
		return "drill-as-gerber"
	case want == "drill", strings.HasPrefix(want, "drill-slots"):
		return want // the corpus leaves the plating open, or tells slots apart
	case f.Plating == pcb.Plated:
		return "drill-pth"
	case f.Plating == pcb.NonPlated:
		return "drill-npth"
	}
	return "drill"
}

// mainBoard is the board that the manifest speaks of: the first.
func mainBoard(p *pcb.Project) *pcb.Board {
	if len(p.Boards) == 0 {
		return nil
	}
	return p.Boards[0]
}

func layerCheck(d map[string]string, p *pcb.Project) []check {
	if d["true_copper_layers"] == "" {
		return nil
	}
	c := check{design: d["name"], kind: "layers", want: d["true_copper_layers"]}
	if b := mainBoard(p); b == nil || !b.Facts.CopperLayers.Known {
		c.unread = true
	} else {
		c.got = strconv.Itoa(b.Facts.CopperLayers.Value)
	}
	return []check{c}
}

// sizeCheck allows a tenth of a millimetre, and the board turned.
func sizeCheck(d map[string]string, p *pcb.Project) []check {
	x, y, ok := strings.Cut(d["size_mm"], "x")
	if !ok {
		return nil
	}
	w, _ := strconv.ParseFloat(x, 64)
	h, _ := strconv.ParseFloat(y, 64)
	c := check{design: d["name"], kind: "size", want: d["size_mm"]}
	b := mainBoard(p)
	if b == nil || !b.Facts.Width.Known {
		c.unread = true
		return []check{c}
	}
	gw, gh := geom.Millimetres(b.Facts.Width.Value), geom.Millimetres(b.Facts.Height.Value)
	c.got = fmt.Sprintf("%.3fx%.3f", gw, gh)
	if isNear(gw, w) && isNear(gh, h) || isNear(gw, h) && isNear(gh, w) {
		c.got = c.want
	}
	return []check{c}
}

func isNear(a, b float64) bool { return math.Abs(a-b) <= 0.1 }

// holeChecks compares hole counts with what two other programs agree on, or
// with KiCad's where there is only a project.
func holeChecks(design string, known truth, p *pcb.Project) []check {
	b := mainBoard(p)
	if b == nil {
		return nil
	}
	holes, slots := 0, 0
	for i := range b.Holes {
		if b.Holes[i].Kind == pcb.DrillHole {
			holes++
		} else {
			slots++
		}
	}
	if len(known.Sets) > 0 && known.Sets[0].Agreed {
		s := known.Sets[0]
		out := []check{
			{design: design, kind: "holes", want: strconv.Itoa(s.Gerbonara.Hits), got: strconv.Itoa(holes)},
			{design: design, kind: "slots", want: strconv.Itoa(s.Gerbonara.Routes), got: strconv.Itoa(slots)},
		}
		if h := s.Gerbonara.Hole; h > 0 && math.Abs(h-s.Tracespace.Hole) < 0.002 {
			out = append(out, drillCheck(design, h, b))
		}
		if s.Gerbonara.Plated["None"] == 0 && len(s.Gerbonara.Plated) > 0 {
			out = append(out, check{design: design, kind: "plated", want: strconv.Itoa(s.Gerbonara.Plated["True"]), got: strconv.Itoa(b.Facts.PlatedHoles.Value)})
		}
		return out
	}
	if len(known.Sets) == 0 && len(known.KiCad) == 1 && known.KiCad[0].Opens {
		return []check{{design: design, kind: "holes", want: strconv.Itoa(known.KiCad[0].Holes), got: strconv.Itoa(holes + slots)},
			drillCheck(design, known.KiCad[0].Hole, b)}
	}
	return nil
}

// drillCheck compares the smallest drill, to a hundredth of a millimetre.
func drillCheck(design string, want float64, b *pcb.Board) check {
	c := check{design: design, kind: "drill", want: fmt.Sprintf("%.3f", want)}
	got := geom.Millimetres(b.Facts.MinDrill.Value)
	c.got = fmt.Sprintf("%.3f", got)
	if math.Abs(got-want) <= 0.01 {
		c.got = c.want
	}
	return c
}

// netChecks compares nets with those of netlist files, and nets and parts with
// KiCad's where there is only a project.
func netChecks(design string, known truth, p *pcb.Project) []check {
	b := mainBoard(p)
	if b == nil {
		return nil
	}
	var out []check
	if len(known.Netlists) > 0 {
		out = append(out, check{design: design, kind: "nets", want: strconv.Itoa(known.Netlists[0].Nets), got: strconv.Itoa(len(b.Nets) - 1)})
	} else if len(known.Sets) == 0 && len(known.KiCad) == 1 && known.KiCad[0].Opens {
		out = append(out, check{design: design, kind: "nets", want: strconv.Itoa(known.KiCad[0].Nets), got: strconv.Itoa(len(b.Nets) - 1)},
			check{design: design, kind: "parts", want: strconv.Itoa(known.KiCad[0].Parts), got: strconv.Itoa(len(b.Components))})
	}
	return out
}

// TestBrokenDesigns: every damaged upload gets the finding that it calls for.
func TestBrokenDesigns(t *testing.T) {
	t.Parallel()
	corpus.Dir(t)
	for design, want := range map[string][]string{ // any of these
		"broken-anonymous-names": {"role_unknown"},
		"broken-bom-cpl":         {"placement_missing"},
		"broken-bom-encodings":   {"bom_several"},
		"broken-crc":             {"damaged"},
		"broken-empty-zip":       {"empty"},
		"broken-kicad-truncated": {"file_damaged"},
		"broken-missing-inner":   {"layer_missing"},
		"broken-no-outline":      {"outline_missing", "outline_repeated"},
		"broken-outline-gap":     {"outline_open", "outline_gap"},
		"broken-truncated-zip":   {"damaged"},
		"broken-zip-bomb":        {"too_large"},
	} {
		t.Run(design, func(t *testing.T) {
			t.Parallel()
			files, broken := loadDesign(t, design)
			var got []string
			for _, e := range broken {
				got = append(got, string(e.Code))
			}
			p := upload.Read(context.Background(), files, upload.Options{})
			for _, f := range p.Findings {
				got = append(got, f.Code)
			}
			for _, b := range p.Boards {
				for _, f := range b.Findings {
					got = append(got, f.Code)
				}
			}
			if !slices.ContainsFunc(want, func(w string) bool { return slices.Contains(got, w) }) {
				t.Errorf("findings %v lack %v", got, want)
			}
		})
	}
}

// TestPartLists: the damaged placement file of a published design lacks four parts
// of its bill of materials, places one twice and one that is not there; its bill
// of materials in seven guises names the same parts.
func TestPartLists(t *testing.T) {
	t.Parallel()
	corpus.Dir(t)
	for design, want := range map[string]map[string]string{
		"broken-bom-cpl":       {"placement_missing": "C13, C4, J1, LED8", "placement_twice": "C7", "placement_without_part": "ZZ99"},
		"broken-bom-encodings": {"bom_several": "the same parts"},
		"crkbd-cherry":         {},
	} {
		t.Run(design, func(t *testing.T) {
			t.Parallel()
			files, _ := loadDesign(t, design)
			p := upload.Read(context.Background(), files, upload.Options{})
			got := map[string]string{}
			for _, f := range p.Findings {
				if strings.HasPrefix(f.Code, "placement_") || f.Code == "bom_several" {
					got[f.Code] = f.Message
				}
			}
			for code, words := range want {
				if !strings.Contains(got[code], words) {
					t.Errorf("%s says %q, want %q", code, got[code], words)
				}
				delete(got, code)
			}
			if len(got) > 0 {
				t.Errorf("more was said than wanted: %v", got)
			}
		})
	}
}
