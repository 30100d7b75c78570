package fab_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/services/design-check/internal/fab"
)

const um = geom.Micrometre

func load(t *testing.T) *fab.Fabs {
	t.Helper()
	f, err := fab.Load()
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// facts of a board of 50 by 40 mm.
func facts(layers int) pcb.Facts {
	f := pcb.Facts{}
	f.CopperLayers = pcb.State(layers, pcb.Source{}, 1, "")
	f.Width = pcb.State(50*geom.Millimetre, pcb.Source{}, 1, "")
	f.Height = pcb.State(40*geom.Millimetre, pcb.Source{}, 1, "")
	return f
}

func reportOf(values map[dfm.Name]int64) *dfm.Report {
	r := &dfm.Report{}
	for n, v := range values {
		r.Measures = append(r.Measures, dfm.Measure{Check: n, Place: dfm.Place{Layer: "Top", Value: v}})
	}
	return r
}

// easy are the sizes of a board that everybody builds.
func easy() map[dfm.Name]int64 {
	return map[dfm.Name]int64{
		dfm.TrackWidth: 250 * um, dfm.TrackClearance: 250 * um, dfm.DrillSize: 400 * um,
		dfm.ViaRing: 250 * um, dfm.AnnularRing: 300 * um, dfm.CopperToEdge: 500 * um,
	}
}

func verdictOf(t *testing.T, all []fab.Verdict, id string) fab.Verdict {
	t.Helper()
	for _, v := range all {
		if v.ID == id {
			return v
		}
	}
	t.Fatalf("no verdict of %q", id)
	return fab.Verdict{}
}

func TestVerdicts(t *testing.T) {
	t.Parallel()
	fabs := load(t)
	with := func(n dfm.Name, v int64) map[dfm.Name]int64 {
		m := easy()
		m[n] = v
		return m
	}
	for name, c := range map[string]struct {
		fab    string
		layers int
		build  fab.Build
		sizes  map[dfm.Name]int64
		want   string
		broken []dfm.Name
	}{
		"easy board":                        {"osh-park", 2, fab.Build{}, easy(), fab.CanBuild, nil},
		"just inside":                       {"osh-park", 2, fab.Build{}, with(dfm.TrackWidth, 152400), fab.CanBuild, nil},
		"rounding of a file":                {"osh-park", 2, fab.Build{}, with(dfm.TrackWidth, 152000), fab.CanBuild, nil},
		"just outside":                      {"osh-park", 2, fab.Build{}, with(dfm.TrackWidth, 150000), fab.CannotBuild, []dfm.Name{dfm.TrackWidth}},
		"finer on more layers":              {"osh-park", 4, fab.Build{}, with(dfm.TrackWidth, 150000), fab.CanBuild, nil},
		"more layers than offered":          {"osh-park", 8, fab.Build{}, easy(), fab.CannotBuild, []dfm.Name{dfm.LayerCount}},
		"copper not offered":                {"osh-park", 2, fab.Build{CopperOz: 2}, easy(), fab.CannotBuild, []dfm.Name{dfm.CopperWeight}},
		"thickness not offered":             {"osh-park", 2, fab.Build{Thickness: 800 * um}, easy(), fab.CannotBuild, []dfm.Name{dfm.BoardThickness}},
		"heavy copper needs wider tracks":   {"pcbway", 2, fab.Build{CopperOz: 2}, with(dfm.TrackWidth, 140*um), fab.CannotBuild, []dfm.Name{dfm.TrackWidth}},
		"the same with usual copper":        {"pcbway", 2, fab.Build{CopperOz: 1}, with(dfm.TrackWidth, 140*um), fab.CanBuild, nil},
		"copper without published limits":   {"pcbway", 2, fab.Build{CopperOz: 6}, easy(), fab.NotFullyChecked, nil},
		"limits that nobody published":      {"sierra-no-touch", 2, fab.Build{}, easy(), fab.NotFullyChecked, nil},
		"broken, whatever is not published": {"sierra-no-touch", 2, fab.Build{}, with(dfm.DrillSize, 100*um), fab.CannotBuild, []dfm.Name{dfm.DrillSize}},
		"primary fabricator":                {"primary", 2, fab.Build{}, easy(), fab.CanBuild, nil},
		"ring of a lead's hole at primary":  {"primary", 2, fab.Build{}, with(dfm.AnnularRing, 80*um), fab.CannotBuild, []dfm.Name{dfm.AnnularRing}},
		"a ring that may be accepted":       {"primary", 2, fab.Build{}, with(dfm.AnnularRing, 150*um), fab.NotFullyChecked, nil},
		"the same ring on four layers":      {"primary", 4, fab.Build{}, with(dfm.AnnularRing, 150*um), fab.CanBuild, nil},
		"ring of a via may be narrower":     {"primary", 2, fab.Build{}, with(dfm.ViaRing, 100*um), fab.CanBuild, nil},
		"drill larger than the largest":     {"primary", 2, fab.Build{}, with(dfm.DrillMaximum, 7*geom.Millimetre), fab.CannotBuild, []dfm.Name{dfm.DrillMaximum}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := verdictOf(t, fabs.Judge(reportOf(c.sizes), facts(c.layers), c.build), c.fab)
			var names []dfm.Name
			for _, b := range got.Broken {
				names = append(names, b.Check)
				if b.What == "" {
					t.Error("a broken limit without words")
				}
			}
			if d := cmp.Diff(c.broken, names); got.Verdict != c.want || d != "" {
				t.Errorf("%s, want %s; broken %s; unchecked %q", got.Verdict, c.want, d, got.Unchecked)
			}
			if (got.Verdict == fab.NotFullyChecked) && len(got.Unchecked) == 0 {
				t.Errorf("the verdict is %v, and %d things were not checked; want it to say which", got.Verdict, len(got.Unchecked))
			}
		})
	}
}

// What a fabricator mends itself breaks no limit, and one limit is said once.
func TestMildAndRepeatedMeasures(t *testing.T) {
	t.Parallel()
	report := reportOf(easy())
	mild := dfm.Measure{Check: dfm.CopperToEdge, Mild: true, Place: dfm.Place{Value: 10 * um}}
	report.Measures = append(report.Measures, mild)
	fabs := load(t)
	if v := verdictOf(t, fabs.Judge(report, facts(2), fab.Build{}), "osh-park"); v.Verdict != fab.CanBuild {
		t.Errorf("an area near the edge: %s, %v; want %s", v.Verdict, v.Broken, fab.CanBuild)
	}
	for _, value := range []int64{30, 20, 25} {
		report.Measures = append(report.Measures, dfm.Measure{Check: dfm.CopperToEdge, Place: dfm.Place{Value: value * um}})
	}
	v := verdictOf(t, fabs.Judge(report, facts(2), fab.Build{}), "osh-park")
	if v.Verdict != fab.CannotBuild || len(v.Broken) != 1 || v.Broken[0].Measured != 20*um {
		t.Errorf("tracks near the edge: %s, %v; want %s because of 20 µm alone", v.Verdict, v.Broken, fab.CannotBuild)
	}
}

// TestDoubtfulMeasures: no verdict rests on a value that may not be the board's.
func TestDoubtfulMeasures(t *testing.T) {
	t.Parallel()
	fabs := load(t)
	r := reportOf(easy())
	r.Measures = append(r.Measures, dfm.Measure{Check: dfm.PadClearance, Doubt: "Nets and copper contradict each other.", Place: dfm.Place{Value: 10 * um}})
	for _, v := range fabs.Judge(r, facts(2), fab.Build{}) {
		if v.Verdict == fab.CannotBuild {
			t.Errorf("%s cannot build, for %+v; want no verdict by a measure in doubt", v.ID, v.Broken)
		}
		if v.Primary && (v.Verdict != fab.NotFullyChecked || !strings.Contains(strings.Join(v.Unchecked, "\n"), "(Nets and copper contradict each other)")) {
			t.Errorf("%s: %s, unchecked %q; want %s, and the doubt", v.ID, v.Verdict, v.Unchecked, fab.NotFullyChecked)
		}
	}
}

func TestSizeOfTheBoard(t *testing.T) {
	t.Parallel()
	fabs := load(t)
	for name, c := range map[string]struct {
		width, height int64
		fab, want     string
	}{
		"lies across":      {400, 300, "bay-area-circuits", fab.CanBuild},
		"stands":           {300, 400, "bay-area-circuits", fab.CanBuild},
		"too long":         {600, 300, "bay-area-circuits", fab.CannotBuild},
		"too wide":         {500, 450, "bay-area-circuits", fab.CannotBuild},
		"too small":        {5, 5, "bay-area-circuits", fab.CannotBuild},
		"too large at all": {350, 300, "eurocircuits", fab.CannotBuild},
		"not known":        {0, 0, "bay-area-circuits", fab.NotFullyChecked},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := facts(2)
			f.Width.Value, f.Height.Value = c.width*geom.Millimetre, c.height*geom.Millimetre
			if c.width == 0 {
				f.Width = pcb.Fact[int64]{}
			}
			got := verdictOf(t, fabs.Judge(reportOf(easy()), f, fab.Build{}), c.fab)
			if got.Verdict != c.want {
				t.Errorf("%s, want %s: %v %q", got.Verdict, c.want, got.Broken, got.Unchecked)
			}
		})
	}
}

func TestSpecialProcesses(t *testing.T) {
	t.Parallel()
	fabs := load(t)
	f := facts(4)
	f.BlindVias = pcb.State(true, pcb.Source{}, 1, "")
	all := fabs.Judge(reportOf(easy()), f, fab.Build{})
	for id, want := range map[string]string{
		"primary": fab.CannotBuild, "osh-park": fab.CannotBuild, "epec": fab.CanBuild, "pcbway": fab.NotFullyChecked,
	} {
		if got := verdictOf(t, all, id); got.Verdict != want {
			t.Errorf("%s: %s, want %s: %v %q", id, got.Verdict, want, got.Broken, got.Unchecked)
		}
	}
}

func TestWhatWasNotMeasuredLeavesVerdictsOpen(t *testing.T) {
	t.Parallel()
	fabs := load(t)
	open := reportOf(easy())
	open.Unchecked = []string{dfm.TrackClearance.Words() + ": the time was up"}
	missing := reportOf(easy())
	missing.Findings = []dfm.Finding{{Check: dfm.OutlineMissing, Level: dfm.MustFix, What: "There is no outline."}}
	for name, r := range map[string]*dfm.Report{"no report": nil, "out of time": open, "no outline": missing} {
		for _, v := range fabs.Judge(r, facts(2), fab.Build{}) {
			if v.Verdict == fab.CanBuild {
				t.Errorf("%s: %s can build", name, v.Name)
			}
		}
	}
}

func TestEveryFabricatorIsCited(t *testing.T) {
	t.Parallel()
	all := load(t).Judge(reportOf(easy()), facts(2), fab.Build{})
	if len(all) < 9 || !all[0].Primary || all[1].Primary {
		t.Fatalf("%d fabricators, the first primary: %v; want 9 at least, the first alone", len(all), all[0].Primary)
	}
	for _, v := range all {
		if len(v.Sources) == 0 {
			t.Errorf("%s has no sources", v.Name)
		}
		for _, s := range v.Sources {
			if _, err := time.Parse(time.DateOnly, s.Checked); err != nil || s.Title == "" || !strings.HasPrefix(s.URL, "http") {
				t.Errorf("%s: source %+v, want a title, a web address, and the day of the check", v.Name, s)
			}
		}
	}
}

func TestReachCoversEveryLimit(t *testing.T) {
	t.Parallel()
	fabs := load(t)
	reach := fabs.Reach(facts(4), fab.Build{CopperOz: 1})
	if got, want := reach[dfm.CopperToEdge], 508*um; got < want {
		t.Errorf("copper to edge is measured up to %d, want at least %d", got, want)
	}
}

func TestVersionAndNote(t *testing.T) {
	t.Parallel()
	a, b := load(t), load(t)
	if a.Version() == "" || a.Version() != b.Version() {
		t.Errorf("versions %q and %q, want the same, not empty", a.Version(), b.Version())
	}
	if n := a.Note(); !strings.Contains(n, "estimates") || !strings.Contains(n, "2026-") || !strings.Contains(n, "one partner does not keep those") {
		t.Errorf("note %q; want estimates, their year, and the partner that keeps them not", n)
	}
}

// A quote and a check take the same figure of a file for the same build.
func TestFiguresNearWhatIsBuiltAreBuilt(t *testing.T) {
	t.Parallel()
	fabs := load(t)
	for name, tt := range map[string]struct {
		change func(*pcb.Facts)
		broken []dfm.Name
	}{
		"half an ounce within, as etched": {func(f *pcb.Facts) { f.InnerCopper = pcb.State(0.45, pcb.Source{}, 1, "") }, nil},
		"a third of an ounce within":      {func(f *pcb.Facts) { f.InnerCopper = pcb.State(0.33, pcb.Source{}, 1, "") }, []dfm.Name{dfm.CopperWeight}},
		"foil outside that is plated":     {func(f *pcb.Facts) { f.OuterCopper = pcb.State(0.5, pcb.Source{}, 1, "") }, nil},
		"three ounces outside":            {func(f *pcb.Facts) { f.OuterCopper = pcb.State(3.0, pcb.Source{}, 1, "") }, []dfm.Name{dfm.CopperWeight}},
		"0.35 mm":                         {func(f *pcb.Facts) { f.Thickness = pcb.State(350*um, pcb.Source{}, 1, "") }, nil},
		"0.3 mm":                          {func(f *pcb.Facts) { f.Thickness = pcb.State(300*um, pcb.Source{}, 1, "") }, []dfm.Name{dfm.BoardThickness}},
	} {
		f := facts(4)
		tt.change(&f)
		var broken []dfm.Name
		for _, b := range fabs.Judge(reportOf(easy()), f, fab.Build{})[0].Broken {
			broken = append(broken, b.Check)
		}
		if diff := cmp.Diff(tt.broken, broken); diff != "" {
			t.Errorf("%s: broken (-want +got)\n%s", name, diff)
		}
	}
}
