// Package assembly joins a bill of materials with the placements of its parts
// and with what the customer chose, and says everything that does not fit
// together.
package assembly

import (
	"regexp"
	"slices"
	"strings"

	"boardorder/pkg/passive"
	"boardorder/services/part-sourcing/internal/bom"
	"boardorder/services/part-sourcing/internal/casecode"
	"boardorder/services/part-sourcing/internal/placement"
	"boardorder/services/part-sourcing/internal/refdes"
)

// Choices are what the customer says about parts.
type Choices struct {
	DoNotFit         []string // designators that stay off: whole lines, or those that have no place on the board
	CustomerSupplied []string // designators of parts that the customer sends
	Substitutions    []Substitution
}

// A Plan is what would be assembled.
type Plan struct {
	Lines []Line

	// OffBoard are lines of which designators have no position, and that nobody
	// said to leave off: a question to the customer.
	OffBoard []Question
	// Beside are lines of which designators have a position off the board: a
	// question, as OffBoard is.
	Beside []Question
	// Marked are lines that the list itself marks as not to be fitted and that
	// have positions: a question, too, unless the customer answered it.
	Marked []Question

	PlacedOff     []string // designators that stay off because the placements say so
	Unlisted      []string // placed parts that no line lists
	Mechanical    []string // fiducials, holes, test pads and drawings, listed or placed: nothing is fitted there
	UnknownRefs   []string // designators of the customer's choices that no line has
	SplitRefs     []string // designators of DoNotFit whose lines have others that stay
	Substitutions []Substituted
	TwicePlaced   []string // designators with several positions, of which the first is used
	TwiceListed   []string // designators that stood on several lines
	Both          []string // designators that the customer leaves off and supplies
	CaseApart     []string // designators of different parts that differ in small and capital letters only

	Spelling Spelling         // how the designators of the plan are written
	Places   []placement.List // the placements, written so
}

// A Question is a line about which the customer has to say something.
type Question struct {
	Row         int
	Refs        []string // the designators concerned
	Part        string
	Description string
	Optional    bool // the list calls the part optional
}

// A Line is a line of the bill of materials as it would be built.
type Line struct {
	bom.Line
	Places []placement.Part // in the order of Refs, those that have one

	PerBoard int // where the client says how many; 0: as many as there are designators

	LeftOff          bool // by the customer, by the placements, or by the list where there is no position either
	CustomerSupplied bool
	Mechanical       bool // a fiducial, hole, test pad or logo: nothing is bought for it
	Substituted      bool
	Original         string // with Substituted: what the list names
}

// IsFitted reports whether parts of the line are bought and placed.
func (l *Line) IsFitted() bool { return !l.LeftOff && !l.Mechanical && l.Quantity > 0 }

// Count is how many parts a board takes.
func (l *Line) Count() int {
	if l.PerBoard > 0 {
		return l.PerBoard
	}
	if len(l.Refs) > 0 {
		return len(l.Refs)
	}
	return l.Quantity
}

// Match joins list with places. A list without any designator stands as it is:
// it can be priced, and whether it fits cannot be told.
func Match(list bom.List, places []placement.List, c Choices) Plan {
	list.Lines = adoptPlacedRefs(list.Lines, places)
	s := spellingOf(list.Lines, places)
	m := matcher{places: map[string]placement.Part{}, used: map[string]bool{}, stays: map[string]bool{}, chosen: s.set(s.refSet(c.DoNotFit)), supplied: s.set(s.refSet(c.CustomerSupplied))}
	m.named, m.replaced = replacements(c.Substitutions, s)
	m.plan.Spelling, m.plan.CaseApart, m.plan.Places = s, s.lookalikes(), s.places(places)
	places = m.plan.Places
	m.index(places)
	for _, line := range m.settleRepeats(s.lines(list.Lines)) {
		for _, part := range m.divide(line) {
			m.line(part)
		}
	}
	m.findUnlisted(places)
	m.unknown(c)
	m.substitute(c.Substitutions)
	m.mechanical()
	return m.plan
}

type matcher struct {
	plan             Plan
	places           map[string]placement.Part
	used             map[string]bool
	chosen, supplied map[string]bool
	stays            map[string]bool   // chosen, but others of their line are not
	named            [][]string        // designators of each substitution
	replaced         map[string][]byte // substitutions of each designator
}

// adoptPlacedRefs takes words among a line's designators for designators where the placements have
// them.
func adoptPlacedRefs(lines []bom.Line, places []placement.List) []bom.Line {
	known := map[string]bool{}
	for _, l := range places {
		for _, p := range l.Parts {
			known[p.Ref] = true
		}
	}
	out := slices.Clone(lines)
	for i := range out {
		l := &out[i]
		for _, word := range l.Odd {
			if known[word] && !slices.Contains(l.Refs, word) {
				l.Refs = append(slices.Clip(l.Refs), word)
				l.Quantity = max(l.Quantity, len(l.Refs))
			}
		}
	}
	return out
}

func (s Spelling) refSet(refs []string) map[string]bool {
	m := map[string]bool{}
	for _, list := range refs {
		for _, r := range s.read(list) {
			m[r] = true
		}
	}
	return m
}

func (m *matcher) index(lists []placement.List) {
	for _, l := range lists {
		for _, p := range l.Parts {
			before, ok := m.places[p.Ref]
			if !ok || before.Beside && !p.Beside {
				m.places[p.Ref] = p
			} else if (before.At != p.At || before.Side != p.Side) && !slices.Contains(m.plan.TwicePlaced, p.Ref) && refdes.Is(p.Ref) {
				m.plan.TwicePlaced = append(m.plan.TwicePlaced, p.Ref)
			}
		}
	}
}

func (m *matcher) line(b bom.Line) {
	l := Line{Line: b}
	var missing, beside, chosen, split, off []string
	for _, ref := range b.Refs {
		m.used[ref] = true
		if p, ok := m.places[ref]; ok {
			l.Places = append(l.Places, p)
			if p.LeftOff {
				off = append(off, ref)
			}
			if p.Beside {
				beside = append(beside, ref)
			}
		} else {
			missing = append(missing, ref)
		}
		if m.stays[ref] {
			split = append(split, ref)
		} else if m.chosen[ref] {
			chosen = append(chosen, ref)
		}
		l.CustomerSupplied = l.CustomerSupplied || m.supplied[ref]
	}
	l.Mechanical = mechanical(b) && !l.CustomerSupplied
	switch {
	case len(split) > 0:
		m.plan.SplitRefs = append(m.plan.SplitRefs, split...)
	case len(chosen) > 0:
		l.LeftOff = true
	case len(off) > 0 && !l.Mechanical: // all of them: lines are divided by it
		l.LeftOff = true
		m.plan.PlacedOff = append(m.plan.PlacedOff, off...)
	case b.DNP && len(l.Places) > 0 && !l.Mechanical:
		m.plan.Marked = append(m.plan.Marked, question(b, b.Refs))
	case b.DNP:
		l.LeftOff = true
	case !l.Mechanical:
		m.askOffBoard(b, missing, beside)
	}
	m.plan.Lines = append(m.plan.Lines, l)
}

// askOffBoard asks about designators that have no position, or one off the board.
func (m *matcher) askOffBoard(b bom.Line, missing, beside []string) {
	if len(missing) > 0 {
		m.plan.OffBoard = append(m.plan.OffBoard, question(b, missing))
	}
	if len(beside) > 0 {
		m.plan.Beside = append(m.plan.Beside, question(b, beside))
	}
}

func question(b bom.Line, refs []string) Question {
	q := Question{Row: b.Row, Refs: refs, Description: b.Description, Optional: b.Optional}
	q.Part = b.Name()
	return q
}

var (
	mechanicalRef  = regexp.MustCompile(`^(?i:FID|FD|MH|MTG|HOLE|TP|TEST|LOGO|MOUSE|MB|TOOL|NT|KIBUZZARD|REF)(?:[A-Za-z_]*[0-9*?]|$)|^H[0-9]+$|^G(?:[*]|\?)|\*\*`)
	mechanicalName = regexp.MustCompile(`(?i)mounting[ _-]?hole|fiducial|test[ _-]?(?:point|pad)|solder[ _-]?(?:jumper|bridge)|mouse[ _-]?bite|tooling|net[ _-]?tie|\blogo|_logo|stencil|\bkibuzzard|^SJ[0-9]`)
	hardware       = regexp.MustCompile(`(?i)spacer|standoff|screw|nut\b|heat ?sink`)
	header         = regexp.MustCompile(`(?i)header|hdr|conn|socket|receptacle|terminal|jst|molex|\bpins?\b|[0-9]p\b|\b[0-9]x[0-9]`)
	connector      = regexp.MustCompile(`(?i)header|hdr|(?:^|[^a-z])conn(?:[^a-z]|ector|$)|socket|receptacle|terminal|jst|molex|pin[ _-]?(?:strip|row)`)
)

// hasHoles finds what precedes "mounting hole" in the name of a part that has them.
var hasHoles = regexp.MustCompile(`(?i)with[ _-]?$|w/ ?$|housed|hdr|header|(?:^|[^a-z])(?:conn(?:[^a-z]|ector)|d-?sub|db-?[0-9]|usb|hdmi|rj-?[0-9]|jack|switch|relay|encoder|display)|socket|receptacle|terminal|jst|molex|_p[0-9.]+(?:x[0-9.]+)?mm`)

// hasPartNumber reports whether a line names a part by number: "PCB FEATURE" is none.
func hasPartNumber(b bom.Line) bool {
	words := strings.Contains(strings.TrimSpace(b.MPN), " ") && !strings.ContainsAny(b.MPN, "0123456789")
	return b.MPN != "" && !words || b.FabCode != "" || len(b.Codes) > 0
}

var (
	chipPattern  = regexp.MustCompile(`(?i)^(?:[^:]*:)?([RCL])_?[0-9]{4}(?:_|$)`)
	madeTerminal = regexp.MustCompile(`(?i)keystone[ _-]*[0-9]{4}`)
)

// namesRealPart reports whether the land pattern and the value are those of a part that is
// bought, whatever its designator is: a resistor, a capacitor, or a terminal of a maker.
func namesRealPart(b bom.Line) bool {
	if madeTerminal.MatchString(b.Footprint + " " + b.Value + " " + b.Description) {
		return true
	}
	m := chipPattern.FindStringSubmatch(b.Footprint)
	if m == nil {
		return false
	}
	_, ok := passive.Parse(passive.Line{Ref: strings.ToUpper(m[1]) + "1", Value: b.Value, Footprint: b.Footprint})
	return ok
}

// HasOddPlace reports whether a line names a part by its value alone, and designators that
// test points, fiducials and holes have: one of them is wrong.
func (l *Line) HasOddPlace() bool {
	return !l.Mechanical && !hasPartNumber(l.Line) && namesRealPart(l.Line) && slices.ContainsFunc(l.Refs, mechanicalRef.MatchString)
}

// isMechanical reports whether a name is that of a fiducial, a hole, a test pad or a drawing.
// It is not, where words before tell a part that has one: a connector, housed, with mounting
// holes.
func isMechanical(name string) bool {
	library, of, ok := strings.Cut(name, ":")
	if !ok {
		library, of = "", name
	}
	if mechanicalName.MatchString(library) {
		return true
	}
	at := mechanicalName.FindStringIndex(of)
	return at != nil && !hasHoles.MatchString(of[:at[0]])
}

// mechanical reports whether nothing is bought for a line: it names no part, and
// its designators or its land pattern are those of fiducials, holes, test pads
// or drawings. H1 is a hole, and by some tools a header; TP1 may be one, too, where words
// say so.
func mechanical(b bom.Line) bool {
	if hasPartNumber(b) || len(b.Refs) == 0 || hardware.MatchString(b.Value+" "+b.Description) {
		return false
	}
	if namesRealPart(b) {
		return false
	}
	if c := casecode.Parse(b.Footprint); c.Family != "" && !isMechanical(b.Value) && !isMechanical(b.Footprint) {
		return false // a reference is called REF1, too
	}
	if isMechanical(b.Footprint) || isMechanical(b.Value) {
		return true
	}
	pinned := connector.MatchString(b.Footprint + " " + b.Value + " " + b.Description)
	plugged := header.MatchString(b.Footprint + " " + b.Value + " " + b.Description)
	return !slices.ContainsFunc(b.Refs, func(ref string) bool {
		letters := strings.ToUpper(refdes.Letters(ref))
		return !mechanicalRef.MatchString(ref) || plugged && letters == "H" || pinned && (letters == "TP" || letters == "TEST")
	})
}

// mechanical gathers the designators of listed fiducials, holes and the like.
func (m *matcher) mechanical() {
	for i := range m.plan.Lines {
		if m.plan.Lines[i].Mechanical {
			m.plan.Mechanical = append(m.plan.Mechanical, m.plan.Lines[i].Refs...)
		}
	}
	slices.SortFunc(m.plan.Mechanical, refdes.Compare)
}

// findUnlisted finds what is placed and on no line.
func (m *matcher) findUnlisted(lists []placement.List) {
	for _, l := range lists {
		for _, p := range l.Parts {
			if m.used[p.Ref] || p.LeftOff {
				continue
			}
			m.used[p.Ref] = true
			if mechanical(bom.Line{Refs: []string{p.Ref}, Value: p.Value, Footprint: p.Footprint}) {
				m.plan.Mechanical = append(m.plan.Mechanical, p.Ref)
			} else {
				m.plan.Unlisted = append(m.plan.Unlisted, p.Ref)
			}
		}
	}
	slices.SortFunc(m.plan.Unlisted, refdes.Compare)
}

// unknown finds designators of the customer's that no line has.
func (m *matcher) unknown(c Choices) {
	listed := map[string]bool{}
	for i := range m.plan.Lines {
		for _, ref := range m.plan.Lines[i].Refs {
			listed[ref] = true
		}
	}
	for _, chosen := range []map[string]bool{m.chosen, m.supplied} {
		for ref := range chosen {
			if !listed[ref] {
				m.plan.UnknownRefs = append(m.plan.UnknownRefs, ref)
				listed[ref] = true
			}
		}
	}
	slices.SortFunc(m.plan.UnknownRefs, refdes.Compare)
	for ref := range m.chosen {
		if m.supplied[ref] {
			m.plan.Both = append(m.plan.Both, ref)
		}
	}
	slices.SortFunc(m.plan.Both, refdes.Compare)
}
