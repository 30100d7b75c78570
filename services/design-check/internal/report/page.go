package report

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"slices"
	"strconv"
	"strings"
	"sync"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/contract/designchecks"
)

var (
	//go:embed assets/page.html
	pageHTML string
	//go:embed assets/page.css
	pageCSS string
	//go:embed assets/page.js
	pageJS string
)

var pageTemplate = sync.OnceValues(func() (*template.Template, error) {
	return template.New("page").Parse(pageHTML)
})

// Page writes the report as one HTML document that needs nothing else, of at
// most about half a megabyte as it is sent, packed. Of a check that was refused there
// is no board.
func Page(ctx context.Context, d designchecks.DesignCheck, b *pcb.Board) ([]byte, error) {
	t, err := pageTemplate()
	if err != nil {
		return nil, fmt.Errorf("report page: %w", err)
	}
	if r := d.Refusal; r != nil {
		for _, f := range r.Findings {
			d.Findings = append(d.Findings, designchecks.Finding{Finding: f})
		}
	}
	v := newView(d)
	if b != nil {
		v.draw(ctx, b)
	}
	v.mark(d)
	v.Findings = v.rows(d)
	var out bytes.Buffer
	if err := t.Execute(&out, v); err != nil {
		return nil, fmt.Errorf("report page: %w", err)
	}
	return untrusted.IsolatePage(out.Bytes()), nil
}

// view is what the page shows. Words from the files are plain strings, which
// the template escapes.
type view struct {
	designchecks.DesignCheck
	Policy   string
	CSS      template.CSS
	JS       template.JS
	Verdict  string
	Counts   string
	About    []pair
	Drawing  template.HTML
	W, H     string
	Layers   []layerView
	LeftOut  string
	Findings []row
	More     string
	Made     string
	Levels   []levelView
	Export   string // address of the same report as JSON, beside the page
	Grave    bool   // there is worse than notes: those show only when they are chosen

	Fabricators []fabView
	frame       geom.Box
	paths       map[*pcb.Layer][]byte // layers drawn as paths; nil where those are too long
	marks       [][]markView
}

type pair struct{ Name, Value string }

// levelView is a level that findings can be filtered by.
type levelView struct{ Level, Words string }

type fabView struct {
	designchecks.FabVerdict
	Words string
}

var verdicts = map[designchecks.Status]string{
	designchecks.Pass: "Pass", designchecks.Warning: "Warning", designchecks.MustFix: "Must fix",
	designchecks.Refused: "Not checked",
}

var fabWords = map[string]string{"can_build": "Can build", "cannot_build": "Cannot build", "not_fully_checked": "Not fully checked"}

// Policy is the content security policy of pages: it names their script and
// their style by their hashes.
func Policy() string {
	return "default-src 'none'; img-src data:; style-src '" + hashOf(pageCSS) + "'; script-src '" + hashOf(pageJS) + "'"
}

func newView(d designchecks.DesignCheck) *view {
	v := &view{
		DesignCheck: d, CSS: template.CSS(pageCSS), JS: template.JS(pageJS), //nolint:gosec // our own files
		Policy:  Policy(),
		Verdict: verdicts[d.Status], Counts: counts(d.Findings, d.MoreFindings),
		Export: "report.json",
		Made:   d.StartedAt.UTC().Format("2006-01-02 15:04"),
		About: []pair{
			{"Outer copper", decimal(d.CopperOz) + " oz"}, {"Thickness", decimal(d.ThicknessMM) + " mm"},
		},
	}
	for _, l := range []levelView{{"must_fix", "to fix"}, {"warning", "warnings"}, {"note", "notes"}} {
		if slices.ContainsFunc(d.Findings, func(f designchecks.Finding) bool { return f.Level == l.Level }) {
			v.Levels = append(v.Levels, l)
		}
	}
	v.Grave = d.Status != designchecks.Pass
	if d.MoreFindings > 0 {
		v.More = fmt.Sprintf("There are %d more findings, which are milder.", d.MoreFindings)
	}
	for _, f := range d.Fabricators {
		v.Fabricators = append(v.Fabricators, fabView{f, fabWords[f.Verdict]})
	}
	return v
}

func hashOf(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

func counts(findings []designchecks.Finding, more int) string {
	n := map[string]int{}
	for _, f := range findings {
		n[f.Level]++
	}
	var parts []string
	for _, l := range []struct{ level, one, many string }{
		{"must_fix", "to fix", "to fix"}, {"warning", "warning", "warnings"}, {"note", "note", "notes"},
	} {
		switch n[l.level] {
		case 0:
		case 1:
			parts = append(parts, "1 "+l.one)
		default:
			parts = append(parts, strconv.Itoa(n[l.level])+" "+l.many)
		}
	}
	if more > 0 {
		parts = append(parts, strconv.Itoa(more)+" more")
	}
	if len(parts) == 0 {
		return "no findings"
	}
	return strings.Join(parts, ", ")
}

// row is one finding of the list.
type row struct {
	N            int
	Level        string
	LevelWords   string
	Check        string
	What         string
	Figures      string
	LayerNumbers string // of the page's layers that it is about
	Marks        []markView
	Places       []placeView
	PlacesWords  string
}

// markView is one place in the drawing.
type markView struct {
	R              string // of the rings, before the page knows its size
	X1, Y1, X2, Y2 string
	Line           bool
	Rings          []ring
}

type ring struct{ X, Y, Span string }

type placeView struct{ Layer, X, Y, At, Of, Measured, There string }

var levelWords = map[string]string{"must_fix": "Must fix", "warning": "Warning", "note": "Note"}

func (v *view) rows(d designchecks.DesignCheck) []row {
	out := make([]row, len(d.Findings))
	for i, f := range d.Findings {
		r := row{
			N: i + 1, Level: f.Level, LevelWords: levelWords[f.Level], Check: dfm.Name(f.Check).Words(), What: untrusted.Shorten(f.What, 600),
			Figures: figures(f), LayerNumbers: v.numbers(f), Marks: v.marks[i],
		}
		if len(f.Places) > 1 || len(f.Places) == 1 && (len(f.Places[0].Nets) > 0 || len(f.Places[0].Objects) > 0) {
			r.Places, r.PlacesWords = v.places(i, f), placesWords(f)
		}
		out[i] = r
	}
	return out
}

func placesWords(f designchecks.Finding) string {
	switch n := len(f.Places); {
	case n == 1:
		return "Where"
	case f.Count > n:
		return fmt.Sprintf("%d of %d places", n, f.Count)
	default:
		return fmt.Sprintf("%d places", n)
	}
}

func (v *view) places(i int, f designchecks.Finding) []placeView {
	var out []placeView
	for _, p := range f.Places {
		x, y := v.coordinates(nanometres(p.AtMM))
		pv := placeView{
			Layer: p.Layer, X: x, Y: y, Of: strconv.Itoa(i + 1), At: decimal(p.AtMM[0]) + ", " + decimal(p.AtMM[1]),
			There: untrusted.Shorten(describePlace(p), 200),
		}
		if p.ValueMM != nil {
			pv.Measured = decimal(*p.ValueMM) + " mm"
		}
		out = append(out, pv)
	}
	return out
}

func describePlace(p designchecks.Place) string {
	s := strings.Join(p.Objects, " / ")
	if nets := strings.Join(p.Nets, " / "); nets != "" {
		if s != "" {
			s += ", "
		}
		s += "nets " + nets
	}
	return s
}

// figures are what was measured, against what, and where.
func figures(f designchecks.Finding) string {
	var parts []string
	add := func(unit string, value, limit *float64) {
		if value != nil && limit != nil {
			parts = append(parts, decimal(*value)+unit+", limit "+decimal(*limit)+unit)
		}
	}
	add(" mm", f.ValueMM, f.LimitMM)
	add("", f.Value, f.Limit)
	if f.Layer != "" {
		parts = append(parts, untrusted.Shorten(f.Layer, 60))
	}
	if len(f.AtMM) == 2 {
		parts = append(parts, "x "+decimal(f.AtMM[0])+", y "+decimal(f.AtMM[1]))
	}
	if f.File != "" {
		file := untrusted.Shorten(f.File, 120)
		if f.Line > 0 {
			file += ":" + strconv.Itoa(f.Line)
		}
		parts = append(parts, file)
	}
	return strings.Join(parts, " · ")
}
