package report_test

import (
	"context"
	"regexp"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/check"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/faulty"
	"boardorder/pkg/board/upload"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/designchecks"
	"boardorder/pkg/language"
	"boardorder/pkg/phrase"
	"boardorder/services/design-check/internal/fab"
	"boardorder/services/design-check/internal/report"

	"github.com/google/go-cmp/cmp"
)

func ptr(v float64) *float64 { return &v }

func TestFinding(t *testing.T) {
	t.Parallel()
	um := func(v int64) int64 { return v * geom.Micrometre }
	for name, tt := range map[string]struct {
		in   dfm.Finding
		want designchecks.Finding
	}{
		"a length": {
			dfm.Finding{Check: dfm.TrackWidth, Level: dfm.MustFix, What: "w", Limit: um(127), Value: um(90), Count: 2, Places: []dfm.Place{
				{Layer: "F.Cu", At: geom.Pt(um(1500), -um(20)), To: geom.Pt(um(1500), um(70)), Value: um(90), Nets: [2]string{"GND"}, Distance: true},
				{Layer: "B.Cu", At: geom.Pt(1, 2), Value: um(100)},
			}},
			designchecks.Finding{
				Finding: contract.Finding{Level: "must_fix", Check: "track_width", What: "w", Layer: "F.Cu", Nets: []string{"GND"}, AtMM: []float64{1.5, -0.02}},
				ValueMM: ptr(0.09), LimitMM: ptr(0.127), Count: 2, Places: []designchecks.Place{
					{Layer: "F.Cu", AtMM: []float64{1.5, -0.02}, ToMM: []float64{1.5, 0.07}, ValueMM: ptr(0.09), Nets: []string{"GND"}},
					{Layer: "B.Cu", AtMM: []float64{0, 0}, ValueMM: ptr(0.1)},
				},
			},
		},
		"a ratio": {
			dfm.Finding{Check: dfm.AspectRatio, Level: dfm.Warning, What: "w", Limit: 8000, Value: 10_500, Count: 1, Places: []dfm.Place{{At: geom.Pt(um(1000), 0), Value: 10_500}}},
			designchecks.Finding{
				Finding: contract.Finding{Level: "warning", Check: "aspect_ratio", What: "w", AtMM: []float64{1, 0}}, Value: ptr(10.5), Limit: ptr(8), Count: 1,
				Places: []designchecks.Place{{AtMM: []float64{1, 0}}},
			},
		},
		"of a whole layer": {
			dfm.Finding{Check: dfm.LayerEmpty, Level: dfm.Note, What: "w", Count: 1, Places: []dfm.Place{{Layer: "F.Mask"}}},
			designchecks.Finding{Finding: contract.Finding{Level: "note", Check: "layer_empty", What: "w", Layer: "F.Mask"}, Count: 1},
		},
	} {
		if diff := cmp.Diff(tt.want, report.Finding(tt.in)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestListIsWorstFirstAndBounded(t *testing.T) {
	t.Parallel()
	var all []designchecks.Finding
	for i := range 60 {
		level := []string{"note", "warning", "must_fix"}[i%3]
		all = append(all, designchecks.Finding{Finding: contract.Finding{Level: level, Check: "c", What: strings.Repeat("x", i)}})
	}
	listed, more := report.List(append(all, all...)) // the same again is the same
	if len(listed) != report.MaxFindings || more != 10 || listed[0].Level != "must_fix" || listed[20].Level != "warning" || listed[49].Level != "note" {
		t.Errorf("%d listed, %d more, %s %s %s; want %d, 10, must_fix, warning, note", len(listed), more, listed[0].Level, listed[20].Level, listed[49].Level, report.MaxFindings)
	}
	if designchecks.StatusOf(listed[40:]) != designchecks.Pass || designchecks.StatusOf(listed[30:]) != designchecks.Warning || designchecks.StatusOf(listed) != designchecks.MustFix {
		t.Errorf("results are %v, %v, %v; want that of the worst finding: %v, %v, %v", designchecks.StatusOf(listed[40:]), designchecks.StatusOf(listed[30:]), designchecks.StatusOf(listed), designchecks.Pass, designchecks.Warning, designchecks.MustFix)
	}
}

// TestSaidOnce: what a reader says of the outline is not said a second time as a warning
// of the check; what has to be mended is.
func TestSaidOnce(t *testing.T) {
	t.Parallel()
	finding := func(level, check string) designchecks.Finding {
		return designchecks.Finding{Finding: contract.Finding{Level: level, Check: check}}
	}
	must, warning := finding("must_fix", "outline_missing"), finding("warning", "outline_missing")
	want := func(want []designchecks.Finding, all ...designchecks.Finding) {
		t.Helper()
		if d := cmp.Diff(want, report.DropImplied(all)); d != "" {
			t.Errorf("DropImplied(%+v), want -, got +:\n%s", all, d)
		}
	}
	want([]designchecks.Finding{warning}, warning)
	for _, code := range []string{"outline_elsewhere", "outline_repeated", "outline_parts"} {
		own := finding("warning", code)
		want([]designchecks.Finding{own}, own, warning)
		want([]designchecks.Finding{must, own}, must, own)
	}
}

func TestWordsFromFilesAreHarmless(t *testing.T) {
	t.Parallel()
	odd := "GND\u202e\x00\x1b[31m" + strings.Repeat("x", 900) + "\xff"
	listed, _ := report.List([]designchecks.Finding{{
		Finding: contract.Finding{Level: "note", Check: "c", What: odd, Layer: odd, File: odd},
		Places:  []designchecks.Place{{Layer: odd, AtMM: []float64{1, 2}, Nets: []string{odd}, Objects: []string{odd}}},
	}})
	f := listed[0]
	for name, got := range map[string]string{"what": f.What, "layer": f.Layer, "file": f.File, "net": f.Places[0].Nets[0], "object": f.Places[0].Objects[0]} {
		if strings.ContainsAny(got, "\u202e\x00\x1b\ufffd") || len([]rune(got)) > 801 || !strings.HasPrefix(got, "GND[31mx") {
			t.Errorf("%s of %.20q… is %q; want GND[31mx…, 801 characters at most, none that controls", name, odd, got)
		}
	}
}

func TestVerdicts(t *testing.T) {
	t.Parallel()
	got := report.Verdicts([]fab.Verdict{{
		ID: "x", Name: "X", Verdict: fab.CannotBuild, Unchecked: []string{"u"}, Sources: []dfm.Source{{Title: "t", URL: "https://x", Checked: "2026-11-01"}},
		Broken: []fab.Break{
			{Check: dfm.DrillSize, Measured: 150_000, Limit: 200_000, Layer: "F.Cu", What: "w"}, {Check: dfm.LayerCount, Measured: 8, Limit: 6, What: "w"},
			{Check: dfm.CopperWeight, What: "none"}, {Check: dfm.BoardLength, Measured: 600_000_000, What: "long"},
		},
	}})
	want := []designchecks.FabVerdict{{
		ID: "x", Fabricator: "X", Verdict: "cannot_build", Unchecked: []string{"u"}, Sources: []designchecks.FabSource{{Title: "t", URL: "https://x", Checked: "2026-11-01"}},
		Broken: []designchecks.FabBroken{
			{Check: "drill_size", What: "w", Layer: "F.Cu", ValueMM: ptr(0.15), LimitMM: ptr(0.2)}, {Check: "layer_count", What: "w", Value: ptr(8), Limit: ptr(6)},
			{Check: "copper_weight", What: "none"}, {Check: "board_length", What: "long", ValueMM: ptr(600)},
		},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

const hostile = `<script>alert(1)</script>"'><img src=x onerror=alert(1)>`

// checkSketch reads and checks a sketch as the service does.
func checkSketch(ctx context.Context, t testing.TB, s *faulty.Sketch) (*pcb.Board, designchecks.DesignCheck, *dfm.Report) {
	t.Helper()
	p := upload.Read(ctx, s.KiCad(), upload.Options{})
	if len(p.Boards) != 1 {
		t.Fatalf("%d boards, want one", len(p.Boards))
	}
	d, found := checkBoard(ctx, t, p.Boards[0])
	return p.Boards[0], d, found
}

// checkBoard checks a board as the service does.
func checkBoard(ctx context.Context, t testing.TB, b *pcb.Board) (designchecks.DesignCheck, *dfm.Report) {
	t.Helper()
	fabs, err := fab.Load()
	if err != nil {
		t.Fatal(err)
	}
	build := fab.Build{CopperOz: 1, Thickness: 1600 * geom.Micrometre}
	found, err := check.Run(ctx, b, dfm.Options{Limits: fabs.Limits(b.Facts, build), Reach: fabs.Reach(b.Facts, build), CopperOz: 1, Thickness: build.Thickness})
	if err != nil {
		t.Fatal(err)
	}
	d := designchecks.DesignCheck{Board: b.Name, CopperOz: 1, ThicknessMM: 1.6, StartedAt: time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC), Status: designchecks.Pass}
	d.Findings, d.MoreFindings = report.List(report.Findings(found))
	d.Status = designchecks.StatusOf(d.Findings)
	d.Fabricators, d.FabricatorsNote = report.Verdicts(fabs.Judge(found, b.Facts, build)), fabs.Note()
	d.Assumed = report.Assumptions(d, b, found)
	return d, found
}

// write writes a report.
func write(ctx context.Context, t testing.TB, d designchecks.DesignCheck, b *pcb.Board, found *dfm.Report) report.Pages {
	t.Helper()
	pages, err := report.Write(ctx, d, b, found)
	if err != nil {
		t.Fatalf("report.Write of %q: %v", d.Board, err)
	}
	pages.HTML = phrase.TranslatePage(language.Find(language.English), pages.HTML) // as it is sent
	return pages
}

// reportIn is the report of a board as it is sent to a reader.
func reportIn(t *testing.T, p *language.Printer, b *pcb.Board, found *dfm.Report) report.Pages {
	t.Helper()
	d := designchecks.DesignCheck{Board: b.Name, CopperOz: 1, ThicknessMM: 1.6, Status: designchecks.MustFix}
	d.Findings, d.MoreFindings = report.List(report.Findings(found))
	pages, err := report.Write(t.Context(), d, b, found)
	if err != nil {
		t.Fatal(err)
	}
	pages.HTML = phrase.TranslatePage(p, pages.HTML)
	return pages
}

func fault(t testing.TB, name dfm.Name) *faulty.Sketch {
	t.Helper()
	for _, f := range faulty.Faults() {
		if f.Check == name && f.AllowsForm(faulty.KiCad) {
			s, _ := f.Board(true)
			return s
		}
	}
	t.Fatalf("no fault %s", name)
	return nil
}

var elsewhere = regexp.MustCompile(`(?i)(src|href|action)\s*=\s*"?(https?:)?//|url\(\s*['"]?http|@import`)

// Whatever stands in the files, the page holds it as words, and needs nothing
// from elsewhere.
func TestPageIsWholeAndSafe(t *testing.T) {
	t.Parallel()
	b, d, found := checkSketch(t.Context(), t, fault(t, dfm.Short))
	for _, l := range b.Layers {
		l.Name += hostile
	}
	d.Board, d.Assumed = hostile, []string{hostile}
	d.Files = []boards.FileClass{{Name: hostile, Role: hostile, Why: hostile}}
	d.Fabricators[0].Fabricator = hostile
	for i := range d.Findings {
		f := &d.Findings[i]
		f.What, f.Layer, f.File = hostile, hostile, hostile
		for k := range f.Places {
			f.Places[k].Layer, f.Places[k].Nets, f.Places[k].Objects = hostile, []string{hostile}, []string{hostile}
		}
	}
	page := write(t.Context(), t, d, b, found).HTML
	text := string(page)
	for _, bad := range []string{"<script>alert", "<img", "onerror=alert(1)>"} {
		if i := strings.Index(text, bad); i >= 0 {
			t.Errorf("%q stands in the page: …%s…", bad, text[max(0, i-80):min(len(text), i+80)])
		}
	}
	if m := elsewhere.FindString(text); m != "" {
		t.Errorf("the page needs %s, want nothing from elsewhere", m)
	}
	if n := strings.Count(text, "sha256-"); n != 2 || strings.Contains(text, "unsafe-inline") {
		t.Errorf("the page's policy names %d hashes, unsafe-inline %v; want 2, false", n, strings.Contains(text, "unsafe-inline"))
	}
	for _, want := range []string{`data-mark="1"`, `data-finding="1"`, `class="layer`, "</html>"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}

// TestNamesFromTheRight: what files are called from the right stands apart on the page,
// everywhere that it is text, so that no figure of ours changes places with it.
func TestNamesFromTheRight(t *testing.T) {
	t.Parallel()
	const name, turned = "לוח", "\u202eלוח"
	b, d, found := checkSketch(t.Context(), t, fault(t, dfm.Short))
	for _, l := range b.Layers {
		l.Name = name + " " + l.Name
	}
	d.Board, d.Assumed = name+" 7", []string{"The layer \"" + name + " 2\" has 5 holes."}
	d.Files = []boards.FileClass{{Name: name + ".gbr", Role: "copper", Why: "12 of 20 lines of " + turned + " say so."}}
	for i := range d.Findings {
		f := &d.Findings[i]
		f.What, f.Layer, f.File, f.Line = "2 of 5 pads of "+name+" 3 are bare.", name, name+".gbr", 12
		for k := range f.Places {
			f.Places[k].Layer, f.Places[k].Nets, f.Places[k].Objects = name, []string{name, "GND"}, []string{"pad " + name}
		}
	}
	page := write(t.Context(), t, d, b, found).HTML
	for _, want := range []string{
		"<h1>\u2068לוח 7\u2069</h1>", "2 of 5 pads of \u2068לוח\u2069 3 are bare.", "The layer &#34;\u2068לוח 2\u2069&#34; has 5 holes.",
		"\u2068לוח.gbr\u2069:12", "12 of 20 lines of \u2068לוח\u2069 say so.", "pad \u2068לוח\u2069 · nets \u2068לוח\u2069 / GND",
	} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.ContainsRune(string(page), '\u202e') {
		t.Error("the page turns its direction of writing")
	}
	texts := regexp.MustCompile(`(?s)<(script|style).*?</(script|style)>|<[^>]*>`).ReplaceAllString(string(page), "\n")
	apart := strings.Count(texts, "\u2068"+name) + strings.Count(texts, "/ \u2068"+name)
	if n := strings.Count(texts, name); n < 8 || n > apart {
		t.Errorf("%d of %d names stand apart, want all, and 8 at least", apart, n)
	}
}

// A large board's layers become pictures, so that its page can still be opened.
func TestPageStaysSmall(t *testing.T) {
	t.Parallel()
	b, d, found := checkSketch(t.Context(), t, faulty.Series(20_000))
	page := write(t.Context(), t, d, b, found).HTML
	if len(page) > 5<<20 || !strings.Contains(string(page), "data:image/png;base64,") {
		t.Errorf("the page has %d bytes, want 5 MiB at most, with a picture: %v", len(page), strings.Contains(string(page), "data:image/png;base64,"))
	}
}

// A board of nothing has a page too.
func TestPageOfNothing(t *testing.T) {
	t.Parallel()
	page := write(t.Context(), t, designchecks.DesignCheck{Board: "empty", Status: designchecks.Pass}, pcb.NewBoard("empty"), nil).HTML
	if !strings.Contains(string(page), "contain nothing that can be drawn") {
		t.Errorf("page of an empty board, want words that nothing can be drawn; got\n%s", page)
	}
}
