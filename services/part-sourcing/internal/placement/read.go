package placement

import (
	"errors"
	"maps"
	"math"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"boardorder/pkg/board/geom"
	"boardorder/services/part-sourcing/internal/fitting"
	"boardorder/services/part-sourcing/internal/refdes"
	"boardorder/services/part-sourcing/internal/table"
)

// ErrNotPlacement says that a file is a table, but places no parts.
var ErrNotPlacement = errors.New("no columns name parts and their positions")

const (
	headRows = 60
	maxParts = 20_000
)

// Read reads a pick-and-place file. The error is one of package table, or
// ErrNotPlacement.
func Read(name string, data []byte) (List, error) {
	sheets, err := table.Read(name, data)
	if err != nil {
		return List{}, err
	}
	for _, s := range sheets {
		if l, ok := readSheet(name, s); ok {
			l.File = name
			return l, nil
		}
	}
	return List{}, ErrNotPlacement
}

func readSheet(name string, s table.Sheet) (List, bool) {
	r := reader{rows: s.Rows, sideOfFile: sideByName(name)}
	if !r.findColumns() && !r.guessColumns() {
		return List{}, false
	}
	r.unit = chooseUnit(r.unit, r.preambleUnit())
	for _, row := range s.Rows[r.start:] {
		r.part(row)
	}
	if len(r.found) == 0 && len(r.list.Notes) == 0 && !r.headed {
		return List{}, false
	}
	r.finish()
	if s.Cut || len(r.list.Parts) >= maxParts {
		r.list.note(Note{Code: PlacementsCut})
	}
	return r.list, true
}

// A reader makes placements of rows.
type reader struct {
	rows       []table.Row
	columns    map[column]int
	start      int  // index of the first row of data
	headed     bool // a row of headings was found
	unit       Unit
	units      map[column]Unit // that headings name
	radians    bool            // rotations are in them
	mirrors    bool            // rotations say which parts are mirrored
	sideOfFile Side
	found      []reading
	list       List
}

// A reading is a part whose numbers still lack their unit.
type reading struct {
	part         Part
	x, y         float64
	unitX, unitY Unit   // that stood beside the number
	layer        string // the cell for the side
	turnless     bool   // the cell for the rotation is empty
}

func (r *reader) part(row table.Row) {
	cell := func(c column) string {
		if k, ok := r.columns[c]; ok {
			return row.Cell(k)
		}
		return ""
	}
	if r.unitRow(cell(centreX), cell(centreY)) {
		return
	}
	ref := strings.TrimSpace(strings.TrimLeft(cell(reference), "# "))
	if ref == "" || strings.HasPrefix(row.Cell(0), "##") || len(ref) > 40 || len(r.found) >= maxParts {
		return
	}
	p := Part{Row: row.Line, Ref: ref, Value: cell(value), Footprint: cell(footprint)}
	x, ux, okx := number(cell(centreX))
	y, uy, oky := number(cell(centreY))
	if !okx || !oky {
		if refdes.Is(ref) {
			r.list.note(Note{Code: Unreadable, Row: row.Line, Refs: []string{ref}})
		}
		return
	}
	p.Rotation = r.turn(&p, cell(rotation))
	p.Side = r.sideOf(&p, cell(side), cell(mirrored))
	p.LeftOff = r.leavesOff(ref, cell(leftOff), true) || r.leavesOff(ref, cell(fitted), false)
	r.found = append(r.found, reading{part: p, x: x, y: y, unitX: chooseUnit(ux, r.units[centreX], uy), unitY: chooseUnit(uy, r.units[centreY], ux), layer: cell(side), turnless: strings.TrimSpace(cell(rotation)) == ""})
}

// leavesOff reports whether a cell says that a part is not fitted.
func (r *reader) leavesOff(ref, cell string, marksLeftOff bool) bool {
	if table.Plain(cell) == "" {
		return false
	}
	out, clear := fitting.Read(cell, marksLeftOff)
	if !clear {
		r.list.note(Note{Code: FitUnclear, Refs: []string{ref}, Text: cell})
	}
	return out
}

// unitRow takes a row below the headings that names the units of the columns.
func (r *reader) unitRow(x, y string) bool {
	u, ok := unitWords[plain(x)]
	if !ok || u == 0 || len(r.found) > 0 || plain(x) != plain(y) {
		return false
	}
	r.unit = chooseUnit(r.unit, u)
	return true
}

// turned parts how EAGLE writes a rotation: S for spun, M for mirrored, R, degrees.
var turned = regexp.MustCompile(`^(S?)(M?)(R?)([^SMR].*?)(?:°|º|\s*deg(?:rees?)?)?$`)

func (r *reader) turn(p *Part, cell string) float64 {
	m := turned.FindStringSubmatch(strings.TrimSpace(cell))
	if m == nil {
		m = []string{"", "", "", "", cell}
	}
	if m[2] == "M" {
		r.mirrors = true
		p.Side = Bottom // where nothing else says the side
	}
	v, _, ok := number(m[4])
	if !ok && cell != "" {
		r.list.note(Note{Code: TurnUnclear, Row: p.Row, Refs: []string{p.Ref}, Text: cell})
	}
	if !ok || math.Abs(v) > 1e6 {
		return 0
	}
	if r.radians {
		v = math.Round(v*180/math.Pi*1e4) / 1e4
	}
	v = math.Mod(v, 360)
	if v < 0 {
		v = math.Mod(v+360, 360) // so little below zero adds up to a whole turn
	}
	return v + 0 // no minus before a zero
}

var sideWords = func() map[string]Side {
	m := map[string]Side{}
	for s, words := range map[Side]string{
		Top:    "top t toplayer fcu front f 1 component componentside primary superiore sopra oben bestückungsseite haut góra gora arriba topo üst 위 상면 頂層 頂面 顶 頂 dessus superior arriba 顶层 顶面 正面 表 表面 tops toplay верх top_layer topside cs comp signaltop",
		Bottom: "bottom b bot bottomlayer bcu back 2 solder solderside secondary inferiore sotto unten lötseite bas dół dol abajo fundo alt 아래 하면 底層 底 dessous inferior abajo 底层 底面 反面 背面 裏 裏面 bots низ bottomside ss signalbottom",
	} {
		for w := range strings.FieldsSeq(words) {
			m[w] = s
		}
	}
	return m
}()

func (r *reader) sideOf(p *Part, cell, mirror string) Side {
	if s, ok := sideWords[plain(cell)]; ok {
		return s
	}
	if s, ok := sideWords[plain(stripBrackets(cell))]; ok {
		return s
	}
	if cell != "" && !layerNumber(cell) {
		r.list.note(Note{Code: SideUnclear, Row: p.Row, Refs: []string{p.Ref}, Text: cell})
	}
	if _, ok := r.columns[mirrored]; ok {
		switch plain(mirror) {
		case "yes", "y", "m", "true", "1", "mirror", "mirrored":
			return Bottom
		}
		return Top
	}
	if p.Side != Unknown {
		return p.Side
	}
	return r.sideOfFile
}

// stripBrackets is what comes before brackets: "Bottom (mirrored)".
func stripBrackets(cell string) string {
	before, _, _ := strings.Cut(cell, "(")
	return before
}

// layerNumber reports whether a side is given as the number of a layer.
func layerNumber(cell string) bool {
	n, err := strconv.Atoi(strings.TrimSpace(cell))
	return err == nil && n >= 0 && n < 100
}

// readSideNumbers tells the sides where they are numbers of layers: of two the lower
// is the top, and one alone is where it is the first.
func (r *reader) readSideNumbers() {
	numbers := map[int]bool{}
	for _, f := range r.found {
		if n, err := strconv.Atoi(strings.TrimSpace(f.layer)); err == nil && layerNumber(f.layer) {
			numbers[n] = true
		} else {
			return
		}
	}
	order := slices.Sorted(maps.Keys(numbers))
	if len(order) == 0 || len(order) > 2 {
		return
	}
	for i := range r.found {
		n, _ := strconv.Atoi(strings.TrimSpace(r.found[i].layer))
		switch {
		case len(order) == 2 && n == order[1]:
			r.found[i].part.Side = Bottom
		case len(order) == 2 || n <= 1:
			r.found[i].part.Side = Top
		case n == 2:
			r.found[i].part.Side = Bottom
		default:
			r.found[i].part.Side = r.sideOfFile
		}
	}
}

var (
	topNames    = regexp.MustCompile(`(?i)(?:^|[^a-z])(?:top|front|oben)(?:[^a-z]|$)|\.mnt$|F[._]Cu`)
	bottomNames = regexp.MustCompile(`(?i)(?:^|[^a-z])(?:bottom|bot|back|unten)(?:[^a-z]|$)|\.mnb$|B[._]Cu`)
)

// sideByName takes the side from a file's name where it names one.
func sideByName(name string) Side {
	base := path.Base(name)
	top, bottom := topNames.MatchString(base), bottomNames.MatchString(base)
	switch {
	case top && !bottom:
		return Top
	case bottom && !top:
		return Bottom
	}
	return Unknown
}

var numberForm = regexp.MustCompile(`^([+-]?[0-9]{0,9}(?:[.,][0-9]{0,20})?(?:[eE][+-]?[0-9]{1,2})?)\s*(mm|mils?|in|inch|[u\x{b5}\x{3bc}]m|"|)$`)

// number reads "59.18mm", "-12,5" and "1520.0mil".
func number(cell string) (v float64, unit Unit, ok bool) {
	m := numberForm.FindStringSubmatch(strings.Replace(strings.TrimSpace(strings.ToLower(cell)), "−", "-", 1))
	if m == nil {
		return 0, 0, false
	}
	v, err := strconv.ParseFloat(strings.Replace(m[1], ",", ".", 1), 64)
	if err != nil || math.IsInf(v, 0) || math.IsNaN(v) {
		return 0, 0, false
	}
	unit = unitWords[m[2]]
	if m[2] == `"` {
		unit = Inch
	}
	return v, unit, true
}

var unitLine = regexp.MustCompile(`(?i)(?:units?(?: used)?|coordinates in|einheit(?:en)?|unité|unidad(?:es)?|unità|jednostk[ai]|单位|單位|単位|единицы)\s*[:=,：]?\s*(mm|millimet(?:er|re)s?|mils?|thou|in(?:ch(?:es)?)?|microns?|micromet(?:er|re)s?|[u\x{b5}\x{3bc}]m)\b`)

// preambleUnit looks for a sentence about the unit above the rows.
func (r *reader) preambleUnit() Unit {
	for _, row := range r.rows[:min(len(r.rows), r.start+1)] {
		if m := unitLine.FindStringSubmatch(strings.Join(row.Cells, " ")); m != nil {
			return unitWords[strings.ToLower(m[1])]
		}
	}
	return 0
}

func chooseUnit(units ...Unit) Unit {
	for _, u := range units {
		if u != 0 {
			return u
		}
	}
	return 0
}

// reach is as far from the origin as parts may be.
const reach = 2_000_000_000

// finish turns numbers into positions.
func (r *reader) finish() {
	l := &r.list
	r.readSideNumbers()
	r.noteTurnless()
	l.Stated = r.unit != 0 || slices.ContainsFunc(r.found, func(f reading) bool { return f.unitX != 0 })
	l.Unit = chooseUnit(r.unit, r.deduceUnit())
	if !l.Stated && len(r.found) > 0 {
		l.note(Note{Code: UnitGuessed})
	}
	for _, f := range r.found {
		x, y := f.x*float64(chooseUnit(f.unitX, l.Unit)), f.y*float64(chooseUnit(f.unitY, l.Unit))
		if math.Abs(x) > reach || math.Abs(y) > reach {
			l.note(Note{Code: FarAway, Row: f.part.Row, Refs: []string{f.part.Ref}})
			continue
		}
		if f.part.Side == Unknown && r.mirrors {
			f.part.Side = Top // the others say that they are mirrored
		}
		if f.part.Side == Unknown {
			l.note(Note{Code: SideMissing, Row: f.part.Row, Refs: []string{f.part.Ref}})
			f.part.Side = Top
		}
		f.part.At = geom.Pt(int64(math.Round(x)), int64(math.Round(y)))
		l.Parts = append(l.Parts, f.part)
	}
	r.noteTwice()
}

// deduceUnit tells the unit from how far parts lie apart: boards with many parts
// are neither 10 mm nor a metre wide.
func (r *reader) deduceUnit() Unit {
	if len(r.found) == 0 {
		return Millimetre
	}
	spanX, spanY := r.spans()
	span := max(spanX, spanY)
	switch {
	case span > 700:
		return Mil
	case span > 0 && span*float64(Millimetre) < 700_000*math.Sqrt(float64(len(r.found))):
		return Inch // closer together than 0.7 mm each
	}
	return Millimetre
}

func (r *reader) spans() (x, y float64) {
	minX, maxX, minY, maxY := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for _, f := range r.found {
		minX, maxX, minY, maxY = min(minX, f.x), max(maxX, f.x), min(minY, f.y), max(maxY, f.y)
	}
	return maxX - minX, maxY - minY
}

// noteTurnless notes the parts that no rotation is stated of: all, or single ones.
func (r *reader) noteTurnless() {
	var without []reading
	for _, f := range r.found {
		if f.turnless {
			without = append(without, f)
		}
	}
	switch n := len(without); {
	case n > 0 && n == len(r.found):
		r.list.note(Note{Code: TurnMissing})
	case n > 0:
		for _, f := range without {
			r.list.note(Note{Code: TurnEmpty, Row: f.part.Row, Refs: []string{f.part.Ref}})
		}
	}
}

func (r *reader) noteTwice() {
	at := map[string]geom.Point{}
	for _, p := range r.list.Parts {
		before, seen := at[p.Ref]
		if seen && before != p.At && refdes.Is(p.Ref) {
			r.list.note(Note{Code: PlacedTwice, Row: p.Row, Refs: []string{p.Ref}})
		}
		at[p.Ref] = p.At
	}
}
