package faulty_test

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"text/tabwriter"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/check"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/corpus"
	"boardorder/pkg/board/upload"
)

// truth is what KiCad 6 found on a board by the rules that it took for it.
type truth struct {
	KiCad6 []struct {
		Board string
		DRC   *struct {
			Unconnected int
			Shorts      int
			ByType      map[string]int `json:"by_type"`
			Rules       struct {
				Track float64 `json:"min_track_mm"`
				Ring  float64 `json:"min_via_annular_mm"`
				Hole  float64 `json:"min_hole_mm"`
			}
		}
	}
}

// A comparison is one type of KiCad's violations with how we find the same.
type comparison struct {
	kind  string // KiCad's name
	names []dfm.Name
	limit func(b *pcb.Board, t *truth) int64 // nil: the check has none
}

// Rules of KiCad 6 for boards that state none.
const (
	usualHoleClearance = 250_000
	usualHoleToHole    = 250_000
)

func positiveOr(v, otherwise int64) int64 {
	if v > 0 {
		return v
	}
	return otherwise
}

var comparisons = []comparison{
	{"track_width", []dfm.Name{dfm.TrackWidth}, func(_ *pcb.Board, t *truth) int64 { return geom.MM(t.KiCad6[0].DRC.Rules.Track) }},
	{"drill_out_of_range", []dfm.Name{dfm.DrillSize}, func(_ *pcb.Board, t *truth) int64 { return geom.MM(t.KiCad6[0].DRC.Rules.Hole) }},
	{"annular_width", []dfm.Name{dfm.ViaRing, dfm.AnnularRing}, func(_ *pcb.Board, t *truth) int64 { return geom.MM(t.KiCad6[0].DRC.Rules.Ring) }},
	{"hole_near_hole", []dfm.Name{dfm.HoleToHole}, func(b *pcb.Board, _ *truth) int64 { return positiveOr(b.Rules.HoleToHole, usualHoleToHole) }},
	{"hole_clearance", []dfm.Name{dfm.CopperToHole}, func(b *pcb.Board, _ *truth) int64 { return positiveOr(b.Rules.HoleClearance, usualHoleClearance) }},
	{"copper_edge_clearance", []dfm.Name{dfm.CopperToEdge, dfm.CopperOutside}, func(b *pcb.Board, _ *truth) int64 { return positiveOr(b.Rules.EdgeClearance, 10_000) }},
	{"shorts", []dfm.Name{dfm.Short}, nil},
	{"unconnected_items", []dfm.Name{dfm.Unrouted}, nil},
}

// TestAgreement compares with KiCad 6 on its own boards, by its rules: a type of
// violation is on a board for both or for neither. Every difference is explained
// in testdata/agreement.csv, and every explanation is needed.
func TestAgreement(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("the corpus takes a while")
	}
	explained := map[string]string{}
	for _, row := range corpus.Table(t, filepath.Join("testdata", "agreement.csv")) {
		explained[row["design"]+"/"+row["kind"]] = row["why"]
	}
	var text bytes.Buffer
	w := tabwriter.NewWriter(&text, 0, 4, 1, ' ', 0)
	same, different := map[string]int{}, map[string]int{}
	for _, d := range compareDesigns(t) {
		for _, c := range comparisons {
			theirs, ours := d.theirs[c.kind], d.ours[c.kind]
			key := d.name + "/" + c.kind
			why, ok := explained[key]
			delete(explained, key)
			switch agree := (theirs > 0) == (ours > 0); {
			case agree && ok:
				t.Errorf("%s is explained (%s) but KiCad finds %d and we %d", key, why, theirs, ours)
			case agree:
				same[c.kind]++
			case !ok:
				t.Errorf("%s: KiCad finds %d, we %d; want the same or an explanation", key, theirs, ours)
			default:
				different[c.kind]++
			}
			if theirs > 0 || ours > 0 {
				fmt.Fprintf(w, "%s\t%s\tKiCad %d\tours %d\t%s\n", d.name, c.kind, theirs, ours, why)
			}
		}
	}
	for key := range explained {
		t.Errorf("%s is explained, but nothing of that name was compared", key)
	}
	_ = w.Flush()
	t.Logf("\n%s", text.String())
	for _, c := range comparisons {
		t.Logf("%-22s the same on %d boards, differently and explained on %d", c.kind, same[c.kind], different[c.kind])
	}
}

// counts are how often KiCad and we find each type on a design.
type counts struct {
	name         string
	theirs, ours map[string]int
}

// compareDesigns gives the counts of all designs that KiCad was asked about.
func compareDesigns(t *testing.T) []counts {
	t.Helper()
	rows := corpus.Designs(t)
	out := make([]counts, len(rows))
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	var all sync.WaitGroup
	for i, row := range rows {
		var known truth
		if !corpus.Truth(t, row["name"], &known) || len(known.KiCad6) == 0 || known.KiCad6[0].DRC == nil {
			continue
		}
		files := kicadProject(t, row["name"], known.KiCad6[0].Board)
		slots <- struct{}{}
		all.Go(func() {
			defer func() { <-slots }()
			if p := upload.Read(context.Background(), files, upload.Options{}); len(p.Boards) > 0 {
				out[i] = count(row["name"], p.Boards[0], &known)
			}
		})
	}
	all.Wait()
	return slices.DeleteFunc(out, func(c counts) bool { return c.name == "" })
}

// count checks a board by the rules that KiCad took for it.
func count(name string, b *pcb.Board, known *truth) counts {
	drc := known.KiCad6[0].DRC
	c := counts{name, map[string]int{}, map[string]int{}}
	o := dfm.Options{Limits: dfm.Limits{Outer: map[dfm.Name]dfm.Limit{}}}
	for _, k := range comparisons {
		c.theirs[k.kind] = drc.ByType[k.kind]
		o.Only = append(o.Only, k.names...)
		for _, n := range k.names {
			if k.limit != nil {
				o.Limits.Outer[n] = dfm.Limit{Min: k.limit(b, known)}
			}
		}
	}
	c.theirs["shorts"] = drc.Shorts
	r, err := check.Run(context.Background(), b, o)
	if err != nil {
		return counts{}
	}
	for _, f := range r.Findings {
		for _, k := range comparisons {
			if slices.Contains(k.names, f.Check) && !isAboutAreas(&f) {
				c.ours[k.kind] += f.Count
			}
		}
	}
	return c
}

// isAboutAreas tells whether a finding is about how narrow areas are, which KiCad does
// not measure.
func isAboutAreas(f *dfm.Finding) bool {
	return f.Check == dfm.TrackWidth && len(f.Places) > 0 && !strings.HasPrefix(f.Places[0].Objects[0], "track")
}

// kicadProject gives the board of a design that KiCad was asked about, with the
// files of its project.
func kicadProject(t *testing.T, design, name string) []upload.File {
	t.Helper()
	files, _ := corpus.Upload(t, design)
	var project []upload.File
	stem := strings.TrimSuffix(name, ".kicad_pcb")
	for _, f := range files {
		base := path.Base(strings.ReplaceAll(f.Name, "!/", "/"))
		if strings.TrimSuffix(base, path.Ext(base)) == stem && strings.Contains(f.Name, "kicad") {
			project = append(project, upload.File(f))
		}
	}
	return project
}
