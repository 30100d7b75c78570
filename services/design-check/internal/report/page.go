package report

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/kicadrules"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/contract/designchecks"
	"boardorder/pkg/language"
	"boardorder/pkg/phrase"
	"boardorder/services/design-check/internal/crop"
)

var (
	//go:embed assets/page.html
	pageHTML string
	//go:embed assets/page.css
	pageCSS string
	//go:embed assets/page.js
	pageJS string
	//go:embed assets/compare.js
	compareJS string
	//go:embed assets/search.js
	searchJS string
)

// scripts are what the page does: the others are used by page.js.
var scripts = compareJS + "\n" + searchJS + "\n" + pageJS

var pageTemplate = sync.OnceValues(func() (*template.Template, error) {
	return template.New("page").Funcs(template.FuncMap{
		"mark": phrase.Mark,
		"t":    func(text string, args ...any) string { return phrase.Mark(fmt.Sprintf(text, args...)) },
	}).Parse(pageHTML)
})

var (
	said   = regexp.MustCompile(`\bsay\(("(?:[^"\\]|\\.)*")`)
	things = regexp.MustCompile(`\bthings = (\[[^\]]*\])`)
)

// scriptTexts lists the texts that the page's script says, as JSON.
var scriptTexts = sync.OnceValue(func() string {
	var list []json.RawMessage
	for _, m := range said.FindAllStringSubmatch(scripts, -1) {
		list = append(list, json.RawMessage(m[1]))
	}
	if m := things.FindStringSubmatch(scripts); m != nil {
		var more []json.RawMessage
		if json.Unmarshal([]byte(m[1]), &more) == nil {
			list = append(list, more...)
		}
	}
	text, err := json.Marshal(list)
	if err != nil {
		panic(err) // what is built in; a test reads it
	}
	return string(text)
})

// Pages is a report: one HTML document that needs nothing else, of at most a quarter of a
// megabyte as it is sent, packed, whose texts are marked to be translated then; and what is fetched when all places of a finding are gone
// through, or something is searched, as JSON. Search is empty of what is not drawn.
type Pages struct {
	HTML   []byte
	Places []byte
	Search Search
}

// copperTime is how long a report's crops and copper of nets may take: a check is as good without.
const copperTime = 8 * time.Second

// Write writes the report of a check. found is what was measured; nil where nothing was. Of
// a check that was refused there is no board.
func Write(ctx context.Context, d designchecks.DesignCheck, b *pcb.Board, found *dfm.Report) (Pages, error) {
	t, err := pageTemplate()
	if err != nil {
		return Pages{}, fmt.Errorf("report page: %w", err)
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
	if found != nil {
		v.Rules = rulesOf(found.Limits, b)
	}
	v.mark(d)
	v.Findings = v.rows(d)
	var pages Pages
	ctx, cancel := context.WithTimeout(ctx, copperTime)
	defer cancel()
	ctx, end := pcb.WithBudget(ctx, pcb.Limits{})
	defer end()
	var cutter *crop.Cutter
	if b != nil {
		cutter, _ = crop.New(ctx, b) // else the board is shown as a whole, and findings alone are searched
	}
	if v.Data, pages.Places, err = v.data(ctx, d, cutter, found); err != nil {
		return Pages{}, err
	}
	if cutter != nil && v.Drawing != "" {
		if pages.Search, err = v.writeSearch(ctx, cutter.Copper()); err != nil {
			return Pages{}, err
		}
	}
	v.Searched = len(pages.Search.Index) > 0
	var out bytes.Buffer
	if err := t.Execute(&out, v); err != nil {
		return Pages{}, fmt.Errorf("report page: %w", err)
	}
	pages.HTML = untrusted.IsolatePage(out.Bytes())
	return pages, nil
}

// view is what the page shows. Words from the files are plain strings, which
// the template escapes.
type view struct {
	designchecks.DesignCheck
	Policy   string
	CSS      template.CSS
	JS       template.JS
	Data     template.JS // of the script
	Texts    template.JS // of the script, as a list
	Verdict  string
	Counts   string
	About    []pair
	Drawing  template.HTML
	W, H     string
	Layers   []layerView
	LeftOut  string
	Findings []row
	Matters  []matter
	Rules    template.URL // the fabricator's limits as a file of KiCad's, to download
	Title    string
	More     string
	Made     string
	Levels   []levelView
	Export   string // address of the same report as JSON, beside the page
	Searched bool   // nets and parts can be searched, beside the page
	Grave    bool   // there is worse than notes: those show only when they are chosen

	Languages []*language.Printer

	Fabricators []fabView
	frame       geom.Box
	paths       map[*pcb.Layer][]byte // layers drawn as paths; nil where those are too long
	late        map[*pcb.Layer][]byte // the drawings of layers that lie beside the page
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
// their style by their hashes. All places of a finding are fetched from beside the page, an
// earlier report to compare with from the same service.
func Policy() string {
	return "default-src 'none'; img-src data:; connect-src 'self'; style-src '" + hashOf(pageCSS) + "'; script-src '" + hashOf(scripts) + "'"
}

func newView(d designchecks.DesignCheck) *view {
	v := &view{
		DesignCheck: d, CSS: template.CSS(pageCSS), JS: template.JS(scripts), //nolint:gosec // our own files
		Policy: Policy(), Texts: template.JS(scriptTexts()), Languages: language.List(), //nolint:gosec // our own words
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
	v.Title, v.Matters = titleOf(d), matters(d.Findings)
	v.Grave = d.Status != designchecks.Pass
	if d.MoreFindings > 0 {
		v.More = fmt.Sprintf("There are %d more findings, which are milder.", d.MoreFindings)
	}
	for _, f := range d.Fabricators {
		v.Fabricators = append(v.Fabricators, fabView{f, fabWords[f.Verdict]})
	}
	return v
}

// rulesOf gives the limits that a board was held against as the address of a file of KiCad's.
func rulesOf(l dfm.Limits, b *pcb.Board) template.URL {
	text := kicadrules.Write(l, fmt.Sprintf("Limits of the fabricator, for a board of %d copper layers.\nSave as <project>.kicad_dru beside the project, or paste into Board Setup, Custom Rules.", len(b.Copper())))
	return template.URL("data:text/plain;charset=utf-8;base64," + base64.StdEncoding.EncodeToString([]byte(text))) //nolint:gosec // our own words
}

// unnamed is what a board is called whose files do not name it.
const unnamed = "board"

// titleOf is what a report is about: the board, or the archive that alone came, whose name is
// all that the customer calls the design by.
func titleOf(d designchecks.DesignCheck) string {
	if d.Board != unnamed {
		return cmp.Or(d.Board, phrase.Mark("The files"))
	}
	archive := ""
	for _, f := range d.Files {
		name, _, packed := strings.Cut(f.Name, "!/")
		if !packed || archive != "" && name != archive {
			return d.Board
		}
		archive = name
	}
	base := path.Base(archive)
	if archive == "" {
		return d.Board
	}
	return cmp.Or(strings.TrimSuffix(base, path.Ext(base)), d.Board)
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
	Rule         string // the check, as it is called in JSON
	Level        string
	LevelWords   string
	Check        string
	What         string
	Figures      []string
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

type placeView struct {
	N                             int
	Layer, X, Y, At, Of, Measured string
	There                         []string
}

var levelWords = map[string]string{"must_fix": "Must fix", "warning": "Warning", "note": "Note"}

func (v *view) rows(d designchecks.DesignCheck) []row {
	out := make([]row, len(d.Findings))
	for i, f := range d.Findings {
		r := row{
			N: i + 1, Rule: f.Check, Level: f.Level, LevelWords: levelWords[f.Level], Check: dfm.Name(f.Check).Words(), What: untrusted.Shorten(f.What, 600),
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
	for n, p := range f.Places {
		x, y := v.coordinates(nanometres(p.AtMM))
		pv := placeView{
			N: n, Layer: p.Layer, X: x, Y: y, Of: strconv.Itoa(i + 1), At: decimal(p.AtMM[0]) + ", " + decimal(p.AtMM[1]),
			There: describePlace(p),
		}
		if p.ValueMM != nil {
			pv.Measured = decimal(*p.ValueMM) + " mm"
		}
		out = append(out, pv)
	}
	return out
}

// describePlace says what is at a place, and of which nets.
func describePlace(p designchecks.Place) []string {
	var out []string
	for _, o := range p.Objects {
		out = append(out, untrusted.Shorten(o, 100))
	}
	if nets := strings.Join(p.Nets, " / "); nets != "" {
		out = append(out, "nets "+untrusted.Shorten(nets, 200))
	}
	return out
}

// figures are what was measured, against what, and where.
func figures(f designchecks.Finding) []string {
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
	return parts
}
